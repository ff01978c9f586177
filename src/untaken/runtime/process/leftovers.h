/* What a run leaves behind outside of its process: objects with a name or a key of their own, which the next run would
 * find, and changes of the standard descriptors, which it shares with the server. */
#ifndef UNTAKEN_PROCESS_LEFTOVERS_H
#define UNTAKEN_PROCESS_LEFTOVERS_H

#include "core.h"

enum leftover_kind {
    LEFT_SEGMENT = 1, /* System V: shared memory, semaphores, messages */
    LEFT_SEMAPHORES = 2,
    LEFT_MESSAGES = 3,
    LEFT_MEMORY = 4, /* POSIX: the same, by name */
    LEFT_SEMAPHORE = 5,
    LEFT_QUEUE = 6
};

/* The run has made such an object: it goes when the run is over, however it ends. */
void untaken_leave_object(enum leftover_kind kind, int id, const char *name);
/* The run may have changed how descriptors behave that others have, too: flags, locks. */
void untaken_leave_changed_descriptors(void);

#endif
