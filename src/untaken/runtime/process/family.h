/* The processes below this one, as /proc tells: those that were forked for runs, and what these have started. No memory
 * is asked for: this is called in the server, whose heap is the one that runs begin with. */
#ifndef UNTAKEN_PROCESS_FAMILY_H
#define UNTAKEN_PROCESS_FAMILY_H

#include "state.h"

#include <sys/types.h>

#define UNTAKEN_MOST_FAMILY 1024u

struct untaken_family {
    unsigned count;
    pid_t processes[UNTAKEN_MOST_FAMILY];
};

/* The children of this process alone; it has one thread. Empty if the kernel does not tell. */
void untaken_children(struct untaken_family *found);
/* A process and all that descend from it. */
void untaken_descendants(pid_t process, struct untaken_family *found);

/* Calls the function with each line of a file. */
void untaken_each_line(const char *path, void (*each)(char *line));

/* ---- memory_watch.c ---- */
void untaken_memory_watch_start(uint64_t limit, uint64_t trace); /* in bytes, 0: none; the inode of the trace's memory */
/* Whether the processes of a run use more memory together than one execution may. */
bool untaken_memory_exceeded(pid_t run);
/* Whether the kernel has killed some process for want of memory since this was asked last. */
bool untaken_memory_ran_out(void);

#endif
