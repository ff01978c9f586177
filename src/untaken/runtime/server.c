/* The fork server: one warm process, one fork for each run. */
#include "core.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#define NOT_ENDED UINT32_MAX
#define READY 'R'
#define IDLE_MS 100 /* how often a snapshot that waits is looked at */

extern pid_t _Fork(void) __attribute__((weak));

static int control_fd = -1, status_fd = -1;
static uint64_t address_space; /* in use before the first run: reserved shadow, mostly */
static bool forking;

/* ---- Ending a run, in the child ---- */

static void note_end(enum untaken_exit_kind kind, const char *message) {
    strncpy(untaken_shared->message, message, sizeof untaken_shared->message - 1);
    untaken_shared->exit_kind = kind;
}

void untaken_end_run(enum untaken_exit_kind kind, const char *message) {
    if (untaken_core.in_run) {
        note_end(kind, message);
    }
    _exit(kind == UNTAKEN_EXIT_ERROR);
}

void untaken_note_error(const char *message) {
    if (untaken_core.in_run) {
        note_end(UNTAKEN_EXIT_ERROR, message);
    }
}

/* ---- Before a run ---- */

static void reset_results(void) {
    struct untaken_shared *shared = untaken_shared;
    untaken_events_begin_run(); /* looks at the last run's cut_off */
    shared->input_used = shared->field_count = shared->constraint_count = 0;
    shared->event_count = shared->new_ids = shared->pins = 0;
    shared->cut_off = 0;
    shared->exit_kind = NOT_ENDED;
    shared->exit_code = 0;
    memset(shared->concretised, 0, sizeof shared->concretised);
    memset(shared->message, 0, sizeof shared->message);
}

void untaken_begin_run(void) {
    const struct untaken_shared *shared = untaken_shared;
    reset_results();
    untaken_nodes_begin_run();
    untaken_tables_begin_run();
    untaken_core.in_run = true;
    untaken_core.wandering = (shared->run_flags & UNTAKEN_RUN_WANDER) != 0;
    untaken_core.inputs_left = shared->input_limit == 0 ? UINT64_MAX : shared->input_limit;
    untaken_recording = (shared->run_flags & (UNTAKEN_RUN_CONCRETE | UNTAKEN_RUN_WANDER)) == 0;
}

/* ---- The child ---- */

static void limit(int resource, uint64_t value) {
    struct rlimit old;
    if (getrlimit(resource, &old) == 0 && value < old.rlim_max) {
        setrlimit(resource, &(struct rlimit){value, value});
    }
}

/* Set once in the server: a run inherits them. */
static void set_limits(void) {
    if (untaken_shared->memory_limit != 0) {
        limit(RLIMIT_AS, address_space + untaken_shared->memory_limit);
    }
    if (untaken_shared->file_limit != 0) {
        limit(RLIMIT_FSIZE, untaken_shared->file_limit);
    }
}

static void enter_run(void) {
    setpgid(0, 0);
    if (!untaken_core.wandering) {
        close(control_fd);
        close(status_fd);
    }
    untaken_core.under_way = true;
}

/* A child of the target itself is not recorded: it shares our memory, but not our path. */
static void after_fork_in_child(void) {
    if (!forking) {
        untaken_recording = untaken_core.under_way = untaken_core.wandering = false;
        untaken_events_off();
    }
}

static void after_fork_in_parent(void) {
    if (!forking) {
        untaken_note_child();
    }
}

/* ---- The parent ---- */

int64_t untaken_now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool has_ended(pid_t child) {
    siginfo_t info = {.si_pid = 0};
    return waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
}

/* Where the kernel has no process descriptors. */
static bool poll_for_end(pid_t child, int64_t deadline) {
    while (!has_ended(child)) {
        if (deadline != 0 && untaken_now_ms() >= deadline) {
            return false;
        }
        nanosleep(&(struct timespec){0, 200000}, NULL);
    }
    return true;
}

static bool wait_on(int fd, int64_t deadline) {
    struct pollfd event = {.fd = fd, .events = POLLIN};
    for (;;) {
        int64_t left = deadline == 0 ? -1 : deadline - untaken_now_ms();
        if (deadline != 0 && left < 0) {
            return false;
        }
        int ready = poll(&event, 1, left > INT32_MAX ? INT32_MAX : (int)left);
        if (ready != 0 && !(ready < 0 && errno == EINTR)) {
            return ready > 0;
        }
    }
}

/* False if time ran out first; without a process descriptor (-1) by looking again and again. */
static bool wait_until(pid_t child, int fd, int64_t deadline) {
    return fd < 0 ? poll_for_end(child, deadline) : wait_on(fd, deadline);
}

/* A run that wanders has its time for each stretch; while it waits as a snapshot none of it passes. So its end, or
 * the end of the time that it would have if it were set going now, is waited for; then we look again. */
static bool wait_for_wanderer(pid_t child, int fd) {
    for (;;) {
        int64_t timeout = untaken_shared->timeout_ms;
        int64_t begun = (int64_t)__atomic_load_n(&untaken_shared->stretch_ms, __ATOMIC_ACQUIRE);
        int64_t now = untaken_now_ms();
        if (timeout != 0 && begun != 0 && now >= begun + timeout) {
            return false;
        }
        int64_t next = begun == 0 ? now + IDLE_MS : timeout == 0 ? 0 : begun + timeout;
        if (wait_until(child, fd, next)) {
            return true;
        }
    }
}

static bool wait_for_end(pid_t child) {
    uint32_t timeout = untaken_shared->timeout_ms;
    int fd = (int)syscall(SYS_pidfd_open, child, 0);
    bool ended = untaken_shared->run_flags & UNTAKEN_RUN_WANDER
                     ? wait_for_wanderer(child, fd)
                     : wait_until(child, fd, timeout == 0 ? 0 : untaken_now_ms() + timeout);
    if (fd >= 0) {
        close(fd);
    }
    return ended;
}

/* The whole process group goes: nothing that a run started outlives it. */
static int reap(pid_t child, bool ended) {
    int status = 0;
    kill(-child, SIGKILL);
    if (!ended) {
        kill(child, SIGKILL); /* it may not have come to make the group */
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    while (waitpid(-child, NULL, WNOHANG) > 0) {
    }
    return status;
}

static uint32_t kind_of_end(int status, bool in_time) {
    if (!in_time) {
        return UNTAKEN_EXIT_TIMEOUT;
    }
    if (!WIFSIGNALED(status)) {
        return UNTAKEN_EXIT_CODE;
    }
    /* We kill only what has ended or is late: this was the kernel, out of memory. */
    return WTERMSIG(status) == SIGKILL ? UNTAKEN_EXIT_MEMORY : UNTAKEN_EXIT_SIGNAL;
}

static void end_run(int status, bool in_time) {
    struct untaken_shared *shared = untaken_shared;
    if (shared->exit_kind > UNTAKEN_EXIT_INPUTS || !in_time) {
        shared->exit_kind = kind_of_end(status, in_time);
    }
    shared->exit_code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    untaken_finish_trace();
}

static pid_t forked(void) {
    forking = true;
    pid_t child = _Fork != NULL ? _Fork() : fork();
    forking = false;
    return child;
}

bool untaken_fork_run(void) {
    pid_t child = forked();
    if (child == 0) {
        enter_run();
        return true;
    }
    untaken_core.in_run = untaken_recording = false;
    if (child < 0) {
        note_end(UNTAKEN_EXIT_MEMORY, "the fork server could not fork");
        return false;
    }
    bool in_time = wait_for_end(child);
    int status = reap(child, in_time);
    end_run(status, in_time);
    return false;
}

/* True in the child, which is to go on to main. */
static bool run(void) {
    untaken_begin_run();
    untaken_core.input_position = untaken_core.input_base = 0;
    if (untaken_core.wandering) {
        untaken_wander_begin();
    }
    untaken_sources_prepare();
    if (!untaken_fork_run()) {
        return false;
    }
    untaken_events_enter_run();
    return true;
}

bool untaken_receive(char *command) {
    ssize_t got;
    while ((got = read(control_fd, command, 1)) < 0 && errno == EINTR) {
    }
    return got == 1;
}

bool untaken_send(char status) {
    ssize_t sent;
    while ((sent = write(status_fd, &status, 1)) < 0 && errno == EINTR) {
    }
    return sent == 1;
}

/* ---- Start ---- */

static uint64_t measure_address_space(void) {
    char text[64] = "";
    uint64_t pages = 0;
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (fd < 0 || read(fd, text, sizeof text - 1) <= 0) {
        pages = (UNTAKEN_TAG_SIZE + 2 * UNTAKEN_SHADOW_SIZE) >> 12; /* no /proc: generously */
    }
    for (const char *digit = text; *digit >= '0' && *digit <= '9'; digit++) {
        pages = pages * 10 + (uint64_t)(*digit - '0');
    }
    if (fd >= 0) {
        close(fd);
    }
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

void untaken_server_set(int control, int status) {
    control_fd = untaken_hide_descriptor(control);
    status_fd = untaken_hide_descriptor(status);
}

static void start_server(void) {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    limit(RLIMIT_CORE, 0);
    pthread_atfork(NULL, after_fork_in_parent, after_fork_in_child);
    untaken_nodes_start();
    address_space = measure_address_space();
    set_limits();
}

/* Returns only in the children. */
void untaken_server(void) {
    char command;
    start_server();
    if (!untaken_send(READY)) {
        _exit(0);
    }
    while (untaken_receive(&command)) {
        if (run()) {
            return;
        }
        if (!untaken_send(UNTAKEN_DONE)) {
            break;
        }
    }
    _exit(0);
}
