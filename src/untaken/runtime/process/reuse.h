/* Processes that are used for more than one run: process/reuse.c. */
#ifndef UNTAKEN_PROCESS_REUSE_H
#define UNTAKEN_PROCESS_REUSE_H

#include "core.h"

#include <setjmp.h>

void untaken_again_start(void); /* once, in the server */
bool untaken_again_wanted(void);
jmp_buf *untaken_again_before(void); /* where each further run of this process begins */
void untaken_again_copy(void);       /* keeps what memory holds now */
bool untaken_again_is_ready(void);   /* whether this process may have another run */
void untaken_again_forget(void);     /* this process is for one run: of one that wanders others are forked */
_Noreturn void untaken_leave_run(int code); /* the run is reported */

#endif
