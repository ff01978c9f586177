/* The memory of a whole run. A limit of the kernel binds each process alone; so the server looks, while a run goes on
 * that has several, at what they use together. What they share counts once, and the memory of the trace, which is ours,
 * does not count. */
#include "process/family.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATH_ROOM 64
#define KIBIBYTE 1024u

static uint64_t most, trace_inode, sum, killed_for_memory;
static bool is_trace;
static struct untaken_family run_processes;

/* "begin-end rwxp offset device inode name": a mapping begins; "Name: number kB": what there is of it. */
static void add_share(char *line) {
    if (strncmp(line, "Pss:", 4) == 0) {
        sum += is_trace ? 0 : strtoull(line + 4, NULL, 10) * KIBIBYTE;
        return;
    }
    const char *device = strchr(line, ' ') == NULL ? NULL : strchr(strchr(line, ' '), ':');
    const char *inode = device == NULL ? NULL : strchr(device, ' ');
    if (line[0] >= 'a' || (line[0] >= '0' && line[0] <= '9')) {
        is_trace = inode != NULL && strtoull(inode, NULL, 10) == trace_inode;
    }
}

static uint64_t share_of(pid_t process) {
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "/proc/%d/smaps", process);
    sum = 0;
    is_trace = false;
    untaken_each_line(path, add_share);
    return sum;
}

/* Shared memory that others use, too, included: never less than the share. */
static uint64_t resident(pid_t process) {
    char path[PATH_ROOM], text[PATH_ROOM] = "";
    snprintf(path, sizeof path, "/proc/%d/statm", process);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0) {
        close(fd);
    }
    const char *second = got <= 0 ? NULL : strchr(text, ' ');
    return second == NULL ? 0 : strtoull(second, NULL, 10) * UNTAKEN_PAGE;
}

static uint64_t total(uint64_t (*of)(pid_t)) {
    uint64_t bytes = 0;
    for (unsigned i = 0; i < run_processes.count; i++) {
        bytes += of(run_processes.processes[i]);
    }
    return bytes;
}

bool untaken_memory_exceeded(pid_t run) {
    if (most == 0) {
        return false;
    }
    untaken_descendants(run, &run_processes);
    return run_processes.count > 1 && total(resident) > most && total(share_of) > most;
}

static uint64_t kills_seen;

static void read_kills(char *line) {
    if (strncmp(line, "oom_kill ", 9) == 0) {
        kills_seen = strtoull(line + 9, NULL, 10);
    }
}

bool untaken_memory_ran_out(void) {
    uint64_t before = killed_for_memory;
    untaken_each_line("/proc/vmstat", read_kills);
    killed_for_memory = kills_seen;
    return killed_for_memory > before;
}

void untaken_memory_watch_start(uint64_t limit, uint64_t trace) {
    most = limit;
    trace_inode = trace;
    (void)untaken_memory_ran_out();
}
