/* Hybrid search, in the program's own process: it wanders on random inputs until for a while no branch was new, and
 * then waits at an input statement as a snapshot from which runs are forked, until it is told to wander on. */
#define _GNU_SOURCE
#include "input/input.h"
#include "process/process.h"
#include "trace/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { IN_BACKUP = 0x100 };

static uint64_t stale; /* input statements without a new branch */
static bool has_children;
static off_t offsets[UNTAKEN_FIRST_HIDDEN]; /* of open files; they are shared with the runs that are forked, so put back */

void untaken_note_child(void) { has_children = true; }

static void set_going(void) {
    untaken_random_seed(untaken_shared->random_seed);
    stale = untaken_state.new_branches = 0;
    untaken_shared->news_position = 0;
    __atomic_store_n(&untaken_server_shared->started_ms, untaken_now_ms(), __ATOMIC_RELEASE);
}

void untaken_wander_begin(void) {
    has_children = false;
    untaken_shared->input_statements = 0;
    set_going();
}

/* ---- What a fork does not copy ---- */

static void keep_offsets(void) {
    for (int fd = 0; fd < UNTAKEN_FIRST_HIDDEN; fd++) {
        offsets[fd] = lseek(fd, 0, SEEK_CUR);
    }
}

static void put_offsets_back(void) {
    for (int fd = 0; fd < UNTAKEN_FIRST_HIDDEN; fd++) {
        if (offsets[fd] >= 0) {
            lseek(fd, offsets[fd], SEEK_SET);
        }
    }
}

/* To a socket that only listens nothing comes: see libc/files/sockets.c. */
static bool is_connected(int fd) {
    struct sockaddr_storage peer;
    socklen_t length = sizeof peer;
    return getpeername(fd, (struct sockaddr *)&peer, &length) == 0;
}

static uint32_t doubts_of(int fd) {
    struct stat status;
    if (fstat(fd, &status) != 0) {
        return 0;
    }
    if (S_ISFIFO(status.st_mode) || (S_ISSOCK(status.st_mode) && is_connected(fd))) {
        return UNTAKEN_DOUBTED_PIPES;
    }
    bool written = S_ISREG(status.st_mode) && (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY;
    return written ? UNTAKEN_DOUBTED_FILES : 0;
}

static void note_doubts(void) {
    for (int fd = STDERR_FILENO + 1; fd < UNTAKEN_FIRST_HIDDEN; fd++) {
        untaken_shared->refused |= doubts_of(fd);
    }
}

static bool is_refused(void) {
    uint32_t reasons = (untaken_one_thread() ? 0 : UNTAKEN_REFUSED_THREADS) |
                       (has_children ? UNTAKEN_REFUSED_CHILDREN : 0);
    untaken_shared->refused |= reasons;
    return reasons != 0;
}

/* ---- Waiting as a snapshot ---- */

uint64_t untaken_position_in_input(int descriptor, void *file) {
    if (descriptor < 0) {
        return untaken_state.input_position;
    }
    if (file != NULL) {
        fflush(file); /* gives what was read ahead back */
    }
    return untaken_stream_of_fd(descriptor)->offset + (uint64_t)lseek(descriptor, 0, SEEK_CUR);
}

/* A character that the program pushed back with ungetc is lost when the stream gives back what it has read ahead. Such
 * a stream is marked (glibc's _IO_IN_BACKUP) until the character is read again. */
static bool has_pushed_back(const FILE *file) { return file != NULL && (file->_flags & IN_BACKUP) != 0; }

/* As above, but nothing is given back: what was pushed back by the program must stay. */
static uint64_t position_untouched(int descriptor, FILE *file) {
    if (descriptor < 0) {
        return untaken_state.input_position;
    }
    off_t position = file != NULL ? ftello(file) : lseek(descriptor, 0, SEEK_CUR);
    return untaken_stream_of_fd(descriptor)->offset + (uint64_t)position;
}

void untaken_note_asked(int descriptor, void *file) {
    uint64_t count = untaken_shared->asked_count;
    int saved = errno;
    if (count < UNTAKEN_MOST_ASKED) {
        untaken_shared->asked[count] = (struct untaken_asked){
            .position = position_untouched(descriptor, file),
            .events = untaken_event_position(),
        };
        untaken_shared->asked_count = count + 1;
    }
    errno = saved;
}

/* The input statement at which we wait is the first. */
static void begin_here(void) {
    untaken_begin_run();
    untaken_state.inputs_left--;
}

/* In the fork: a run like any other, but for where it begins. */
static bool run_from_here(uint64_t position) {
    begin_here();
    untaken_state.input_base = position;
    untaken_shared->asked_count = 0;
    if (!untaken_fork_run()) {
        return false;
    }
    untaken_state.from_snapshot = true;
    untaken_events_restart();
    untaken_sources_rewrite();
    return true;
}

static void wander_on(void) {
    begin_here();
    untaken_events_restart();
    untaken_sources_rewrite();
    set_going();
}

/* True when the program is to go on: in a run that was forked, or wandering. */
static bool obey(char command, uint64_t position) {
    put_offsets_back();
    switch (command) {
    case UNTAKEN_COMMAND_RUN:
        if (run_from_here(position)) {
            return true;
        }
        if (!untaken_report(UNTAKEN_STEPPED)) {
            _exit(0);
        }
        return false;
    case UNTAKEN_COMMAND_RESUME: wander_on(); return true;
    default: untaken_end_run(UNTAKEN_EXIT_INPUTS, "");
    }
}

static void wait_as_snapshot(uint64_t position) {
    char command;
    untaken_shared->stop_position = position;
    untaken_shared->input_used = untaken_state.input_position;
    __atomic_store_n(&untaken_server_shared->started_ms, 0, __ATOMIC_RELEASE);
    if (!untaken_report(UNTAKEN_SNAPSHOT)) {
        _exit(0);
    }
    while (untaken_snapshot_command(&command)) {
        if (obey(command, position)) {
            return;
        }
    }
    _exit(0);
}

__attribute__((noinline)) static void become_snapshot(int descriptor, FILE *file) {
    sigset_t all, before;
    int saved = errno;
    uint64_t position = untaken_position_in_input(descriptor, file);
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before); /* the program's own timers must not end the wait */
    prctl(PR_SET_CHILD_SUBREAPER, 1);        /* what a forked run leaves behind comes here, to be reaped */
    keep_offsets();
    note_doubts();
    wait_as_snapshot(position);
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = saved;
}

void untaken_wander(int descriptor, void *file) {
    struct untaken_state *state = &untaken_state;
    untaken_shared->input_statements++;
    state->new_branches += untaken_events_rewind();
    if (state->new_branches > 0) {
        untaken_shared->news_position = state->input_position;
        stale = state->new_branches = 0;
    } else if (++stale >= untaken_shared->saturation) {
        stale = 0;
        if (!is_refused() && !has_pushed_back(file)) {
            become_snapshot(descriptor, file);
        }
    }
}
