/* One run, in the process that is forked for it: from the driver's request to the report that it is over.
 *
 * A run that ends by itself reports that itself, as the last thing it does: the driver goes on while the kernel still
 * takes the process down, which takes as long as many a run. Any other end (a signal, _exit, threads or children that
 * may still be at work) is for the server to see and to report. */
#include "input/input.h"
#include "memory/memory.h"
#include "process/process.h"
#include "trace/trace.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOT_ENDED UINT32_MAX

static int control_fd = -1, status_fd = -1, snapshot_fd = -1;
static ino_t status_pipe; /* the program may have closed our descriptor, and opened another file in its place */

/* ---- Requests and reports ---- */

void untaken_run_descriptors(int control, int status, int snapshot) {
    struct stat pipe;
    snapshot_fd = untaken_hide_descriptor(snapshot);
    control_fd = untaken_hide_descriptor(control);
    status_fd = untaken_hide_descriptor(status);
    status_pipe = fstat(status_fd, &pipe) == 0 ? pipe.st_ino : 0;
}

static bool receive(int fd, char *command) {
    ssize_t got;
    while ((got = read(fd, command, 1)) < 0 && errno == EINTR) {
    }
    return got == 1;
}

static bool request(void) {
    char command;
    return receive(control_fd, &command);
}

bool untaken_snapshot_command(char *command) { return receive(snapshot_fd, command); }

bool untaken_report(char status) {
    uint64_t report = UNTAKEN_REPORT | (uint64_t)(uint8_t)status << 56;
    ssize_t sent;
    while ((sent = write(status_fd, &report, sizeof report)) < 0 && errno == EINTR) {
    }
    return sent == (ssize_t)sizeof report;
}

bool untaken_is_asked(void) {
    struct pollfd control = {.fd = control_fd, .events = POLLIN};
    return poll(&control, 1, 0) == 1 && (control.revents & POLLIN) != 0;
}

bool untaken_driver_gone(void) {
    struct pollfd control = {.fd = control_fd, .events = POLLIN};
    return poll(&control, 1, 0) == 1 && (control.revents & POLLIN) == 0;
}

/* ---- The beginning ---- */

/* Most runs concretise nothing, so most have no places to clear. */
static void reset_concretised(void) {
    struct untaken_shared *shared = untaken_shared;
    uint64_t any = 0;
    for (unsigned kind = 0; kind < UNTAKEN_CONCRETISED_KINDS; kind++) {
        any |= shared->concretised[kind];
        shared->concretised[kind] = 0;
    }
    if (any != 0) {
        memset(shared->places, 0, sizeof shared->places);
    }
}

static void reset_results(void) {
    struct untaken_shared *shared = untaken_shared;
    untaken_events_begin_run(); /* looks at the last run's cut_off */
    shared->input_used = shared->field_count = shared->constraint_count = 0;
    shared->event_count = shared->new_ids = shared->pins = shared->nodes_asked = 0;
    shared->gaps = untaken_state.early_gaps;
    shared->word_count = shared->passed_oftener = 0;
    shared->cut_off = 0;
    shared->exit_kind = NOT_ENDED;
    shared->exit_code = 0;
    reset_concretised();
    memset(shared->message, 0, sizeof shared->message);
    shared->run_count++;
    untaken_server_shared->has_forked = 0;
}

/* From here on the server will report, should this process end; and it looks at the clock. */
static void announce(void) {
    untaken_server_shared->started_ms = untaken_now_ms();
    __atomic_store_n(&untaken_server_shared->runner, (int32_t)getpid(), __ATOMIC_RELEASE);
}

void untaken_begin_run(void) {
    const struct untaken_shared *shared = untaken_shared;
    reset_results();
    untaken_nodes_begin_run();
    untaken_tables_begin_run();
    untaken_state.in_run = true;
    untaken_state.wandering = (shared->run_flags & UNTAKEN_RUN_WANDER) != 0;
    untaken_state.inputs_left = shared->input_limit == 0 ? UINT64_MAX : shared->input_limit;
    untaken_recording = (shared->run_flags & (UNTAKEN_RUN_CONCRETE | UNTAKEN_RUN_WANDER)) == 0;
}

/* A program that reads variables before it sets them finds zeros here, and not what the runtime left: that is not the
 * same in all processes. */
static __attribute__((noinline)) void clear_below(void) {
    uint8_t stack[UNTAKEN_STACK_IN_USE];
    memset(stack, 0, sizeof stack);
    __asm__ volatile("" : : "r"(stack) : "memory");
}

static void begin(void) {
    untaken_burst_prepare_run();
    untaken_begin_run();
    untaken_state.input_position = untaken_state.input_base = 0;
    if (untaken_state.wandering) {
        close(control_fd);
        untaken_reuse_off();
        untaken_wander_begin();
    } else if (!untaken_reuse_is_possible()) {
        close(control_fd);
        close(snapshot_fd);
    }
    untaken_events_enter_run();
    untaken_prologue_tell();
    untaken_descriptors_put_back();
    untaken_sources_prepare();
    clear_below();
    untaken_state.under_way = true;
}

/* Each further run of the same process begins here, too. */
void untaken_run_when_asked(void) {
    untaken_prefault();
    if (untaken_reuse_is_wanted() && _setjmp(*untaken_reuse_entry()) == 0) {
        untaken_reuse_copy_memory();
    }
    if (!untaken_reuse_goes_on()) {
        untaken_await_turn();
        if (!request()) {
            _exit(0);
        }
        untaken_burst_begin();
    }
    announce();
    begin();
}

void untaken_note_end(enum untaken_exit_kind kind, const char *message) {
    strncpy(untaken_shared->message, message, sizeof untaken_shared->message - 1);
    untaken_shared->exit_kind = kind;
}

/* In the server, when there is no process to run in: the answer to the next request. */
bool untaken_refuse_run(const char *why) {
    if (!request()) {
        return false;
    }
    reset_results();
    untaken_note_end(UNTAKEN_EXIT_MEMORY, why);
    return untaken_report(UNTAKEN_DONE);
}

/* ---- The end ---- */

void untaken_note_error(const char *message) {
    if (untaken_state.in_run) {
        untaken_note_end(UNTAKEN_EXIT_ERROR, message);
    }
}

void untaken_complete_results(uint32_t kind, int code) {
    if (untaken_shared->exit_kind > UNTAKEN_EXIT_LENGTH) {
        untaken_shared->exit_kind = kind;
    }
    untaken_shared->exit_code = code;
    untaken_leftovers_remove();
    untaken_finish_trace();
    if (untaken_shared->run_flags & UNTAKEN_RUN_REACH) {
        untaken_find_reach();
    }
    untaken_burst_end_run();
}

static bool has_children(void) {
    siginfo_t info;
    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

/* A program with sanitizers has reports of its own to make after our last moment. Where the run has left a process
 * behind, the server has to end that first. */
static bool can_report(void) {
    struct stat pipe;
    return untaken_state.in_run && !untaken_state.is_followed && untaken_server_shared->runner == (int32_t)getpid() && untaken_one_thread() &&
           !untaken_is_sanitized() && !untaken_server_shared->has_forked && !has_children() && fstat(status_fd, &pipe) == 0 &&
           pipe.st_ino == status_pipe;
}

static bool report_done(void) {
    __atomic_store_n(&untaken_server_shared->runner, 0, __ATOMIC_RELEASE); /* the server has nothing to report any more */
    if (untaken_report(UNTAKEN_DONE)) {
        return true;
    }
    __atomic_store_n(&untaken_server_shared->runner, (int32_t)getpid(), __ATOMIC_RELEASE);
    return false;
}

void untaken_report_burst(void) { (void)report_done(); }

static _Noreturn void report_end(int code) {
    untaken_complete_results(UNTAKEN_EXIT_CODE, code & 0xff);
    if (untaken_burst_goes_on()) {
        untaken_next_run_of_burst();
    }
    if (!report_done()) {
        _exit(code);
    }
    untaken_prefault_learn();
    untaken_next_run_or_exit(code);
}

void untaken_end_run(enum untaken_exit_kind kind, const char *message) {
    int code = kind == UNTAKEN_EXIT_ERROR;
    if (untaken_state.in_run) {
        untaken_sources_check();
        untaken_note_end(kind, message);
    }
    if (can_report()) {
        report_end(code);
    }
    _exit(code);
}

/* As the program's _exit. A child of the program, also of vfork, just ends. */
_Noreturn void untaken_leave_at_once(int code) {
    if (untaken_shared != NULL && can_report()) {
        untaken_sources_check();
        report_end(code);
    }
    _exit(code);
}

/* The last of all exit handlers: only the C library's flushing of streams comes after it. */
static void at_exit(int code, void *nothing) {
    (void)nothing;
    if (untaken_state.in_run) {
        untaken_sources_check();
    }
    if (can_report()) {
        fflush(NULL);
        report_end(code);
    }
}

/* Called before the loader and the C library register handlers of their own: the first one is run last. */
void untaken_run_prepare(void) { on_exit(at_exit, NULL); }
