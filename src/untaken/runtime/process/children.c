/* Processes that the program forks. The trace follows one of the two, and the input says which: at each fork a byte of
 * it is taken that is 0 for the parent and anything else for the child, and that is a decision like any other. So each
 * run has one path, the same input always has the same, and a search comes to children by itself.
 *
 * A run ends when the process that is followed does. The server must learn how that was, and a process tells that
 * its parent alone. So a child that is followed is forked by one between, which ends at once: the child is adopted
 * by the server. Its parent gets its number, and waits for it in vain (libc/system/fork.c): nothing is recorded of
 * it any more. */
#include "input/input.h"
#include "process/process.h"
#include "trace/trace.h"
#include "tracking/tracking.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern pid_t _Fork(void) __attribute__((weak));

static bool child_is_next; /* to be followed */
static pid_t followed, followed_parent;

pid_t untaken_followed_child(void) { return followed; }

pid_t untaken_followed_parent(void) { return followed_parent; }

static void leave_trace(void) {
    untaken_recording = untaken_state.under_way = untaken_state.wandering = false;
    untaken_events_off();
}

/* Whom its parent had forked, or who had forked that, is nothing to this process: it would wait for another's child. */
static void after_fork_in_child(void) {
    followed = followed_parent = 0;
    if (!untaken_state.forking && !child_is_next) {
        leave_trace();
    }
}

static void after_fork_in_parent(void) {
    if (untaken_state.forking) {
        return;
    }
    __untaken_note_gap(UNTAKEN_GAP_PROCESSES);
    if (untaken_server_shared != NULL) {
        untaken_server_shared->has_forked = 1;
    }
    if (child_is_next) {
        leave_trace();
    } else {
        untaken_note_child();
    }
}

void untaken_children_start(void) { pthread_atfork(NULL, after_fork_in_parent, after_fork_in_child); }

/* Runs that wander or begin at a snapshot follow the parent: they have a server of their own, which knows no others. */
static bool is_child_chosen(void) {
    uint64_t offset = untaken_take_fork_choice();
    uint8_t value = untaken_input_value(offset);
    if (untaken_state.wandering || untaken_state.from_snapshot) {
        return false;
    }
    if (runtime_begin()) {
        term chosen = {untaken_input_node(offset, value), 8, value};
        untaken_decide(UNTAKEN_LIBRARY, term_binary(UNTAKEN_OP_EQ, chosen, term_constant(8, 0)), 0);
        runtime_leave();
    }
    return value != 0;
}

/* In the process between: from here on the server waits for the child. */
static _Noreturn void hand_over(pid_t child) {
    struct untaken_server_shared *shared = untaken_server_shared;
    if (child > 0) {
        if (shared->abandoned_count < UNTAKEN_MOST_ABANDONED) {
            shared->abandoned[shared->abandoned_count++] = shared->runner;
        }
        __atomic_store_n(&shared->runner, (int32_t)child, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&shared->followed, (int32_t)child, __ATOMIC_RELEASE);
    _exit(0);
}

/* Who ignores ends of children takes their status with them, so that is left to the child alone. */
static void go_between(void) {
    struct sigaction usual = {.sa_handler = SIG_DFL}, before;
    pid_t parent = getppid();
    sigaction(SIGCHLD, &usual, &before);
    pid_t child = _Fork();
    if (child != 0) {
        hand_over(child);
    }
    sigaction(SIGCHLD, &before, NULL);
    followed_parent = parent;
    untaken_state.is_followed = true;
}

/* The end of the process between is none of the program's business. A program that ignores ends of children has nobody
 * to wait for. */
static pid_t adopted_child(pid_t between, const sigset_t *ends) {
    while (waitpid(between, NULL, 0) < 0 && errno == EINTR) {
    }
    sigtimedwait(ends, NULL, &(struct timespec){0, 0});
    pid_t child;
    while ((child = __atomic_load_n(&untaken_server_shared->followed, __ATOMIC_ACQUIRE)) == 0) {
        nanosleep(&(struct timespec){0, 100000}, NULL);
    }
    return child;
}

static pid_t fork_child_to_follow(void) {
    sigset_t ends, before;
    sigemptyset(&ends);
    sigaddset(&ends, SIGCHLD);
    sigprocmask(SIG_BLOCK, &ends, &before);
    untaken_server_shared->followed = 0;
    child_is_next = true;
    pid_t process = fork();
    child_is_next = false;
    if (process == 0) {
        go_between();
    } else if (process > 0) {
        process = followed = adopted_child(process, &ends);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return process;
}

pid_t untaken_fork(void) {
    bool traced = untaken_state.in_run && untaken_state.under_way && untaken_one_thread() && _Fork != NULL;
    return traced && is_child_chosen() ? fork_child_to_follow() : fork();
}
