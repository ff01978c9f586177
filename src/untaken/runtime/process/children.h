/* What is known of the processes that the program forks: see process/children.c. */
#ifndef UNTAKEN_PROCESS_CHILDREN_H
#define UNTAKEN_PROCESS_CHILDREN_H

#include "core.h"

#include <sys/types.h>

void untaken_children_start(void); /* once, in the server */
pid_t untaken_fork(void);          /* as the program's fork */
pid_t untaken_followed_child(void);  /* of this process, if the trace has followed it; else 0 */
pid_t untaken_followed_parent(void); /* of this process, if the trace came from there; else 0 */

#endif
