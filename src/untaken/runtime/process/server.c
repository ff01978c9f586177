/* The fork server: one process that has started up, and a fork of it for each run, made before the run is asked for.
 *
 * Two processes are kept at hand. Each waits for a request of the driver by itself, and runs; which of them gets it
 * does not matter, as they are alike. When one has ended, this process reaps it, reports the run if it did not
 * report itself (process/run.c), and forks the next. On a machine with a free core, forking and ending then cost no
 * time. */
#include "memory/memory.h"
#include "process/family.h"
#include "process/mappings.h"
#include "process/process.h"
#include "trace/trace.h"

#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define READY 'R'
#define AT_HAND 2
#define UNASKED_MS 100 /* how often to look before the first request says how long runs may take */
#define WATCH_MS 20    /* how often to look at what a run uses */
#define MOST_ROUNDS 1000

extern pid_t _Fork(void) __attribute__((weak));

struct untaken_server_shared *untaken_server_shared;
static uint64_t address_space; /* in use before the first run: reserved shadow, mostly */
static sigset_t programs_mask, child_ended;
static pid_t late; /* the run that was killed for taking too long */
static pid_t greedy; /* or too much memory */
static uint64_t trace_inode;
static int64_t server_began;
static struct untaken_family children;
static pid_t at_hand[AT_HAND];
static unsigned alive; /* of those */
static bool is_hidden;

int untaken_locale_errno;

int64_t untaken_now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- The child ---- */

static void limit(int resource, uint64_t value) {
    struct rlimit old;
    if (getrlimit(resource, &old) == 0 && value < old.rlim_max) {
        setrlimit(resource, &(struct rlimit){value, value});
    }
}

/* Limits of memory and of files: they are set once, here in the server, and runs inherit them. */
static void set_limits(void) {
    if (untaken_shared->memory_limit != 0) {
        limit(RLIMIT_AS, address_space + untaken_shared->memory_limit);
    }
    if (untaken_shared->file_limit != 0) {
        limit(RLIMIT_FSIZE, untaken_shared->file_limit);
    }
}

/* The server is no business of a debugger that a run starts. Only in a namespace of its own: else the driver could not
 * look at it, either. */
static void hide_from_runs(void) {
    is_hidden = getpid() == 1;
    if (is_hidden) {
        prctl(PR_SET_DUMPABLE, 0);
    }
}

/* With _Fork no handlers are called that would have to be told; and this process copies a page less. */
static pid_t fork_run(void) {
    if (_Fork != NULL) {
        return _Fork();
    }
    untaken_state.forking = true;
    pid_t child = fork();
    untaken_state.forking = false;
    return child;
}

static void become_run(void) {
    setpgid(0, 0);
    if (is_hidden) { /* which stays as it is: to write there would copy a page */
        prctl(PR_SET_DUMPABLE, 1);
    }
    sigprocmask(SIG_SETMASK, &programs_mask, NULL);
    untaken_run_when_asked();
}

/* True in a child, once it was asked to run and is to go on to main. */
static bool fork_ahead(void) {
    while (alive < AT_HAND) {
        pid_t child = fork_run();
        if (child == 0) {
            become_run();
            return true;
        }
        if (child < 0) {
            break;
        }
        at_hand[alive++] = child;
    }
    return false;
}

/* ---- The parent ---- */

/* Runs share this memory, and may have written anything there. */
static uint32_t abandoned_count(void) {
    uint32_t count = untaken_server_shared->abandoned_count;
    return count < UNTAKEN_MOST_ABANDONED ? count : UNTAKEN_MOST_ABANDONED;
}

/* Whether the run goes on in a child of this process. */
static bool is_left(pid_t process) {
    for (uint32_t i = 0; i < abandoned_count(); i++) {
        if (untaken_server_shared->abandoned[i] == process) {
            return true;
        }
    }
    return false;
}

/* The whole process group goes: nothing that a run started outlives it. */
static int reap(pid_t child) {
    int status = 0;
    bool goes_on = is_left(child);
    if (!goes_on) {
        kill(-child, SIGKILL);
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    while (!goes_on && waitpid(-child, NULL, WNOHANG) > 0) {
    }
    return status;
}

static uint32_t kind_of_end(int status) {
    if (!WIFSIGNALED(status)) {
        return UNTAKEN_EXIT_CODE;
    }
    /* We kill only what has ended, is late or greedy: this was the kernel, out of memory, or the program itself. */
    return WTERMSIG(status) == SIGKILL && untaken_memory_ran_out() ? UNTAKEN_EXIT_MEMORY : UNTAKEN_EXIT_SIGNAL;
}

/* Parents end their children so when they have no more work for them: that is no fault of a child. */
static bool is_dismissed(int status) {
    int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return untaken_server_shared->abandoned_count > 0 &&
           (signal == SIGTERM || signal == SIGKILL || signal == SIGINT || signal == SIGHUP);
}

static void settle(pid_t child, int status) {
    if (child == late) {
        untaken_shared->exit_kind = UNTAKEN_EXIT_TIMEOUT;
    } else if (child == greedy) {
        untaken_note_end(UNTAKEN_EXIT_MEMORY, "its processes took more memory together than one execution may");
    }
    untaken_complete_results(is_dismissed(status) ? UNTAKEN_EXIT_CODE : kind_of_end(status),
                   WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    late = greedy = 0;
}

static bool report_run(void) {
    __atomic_store_n(&untaken_server_shared->runner, 0, __ATOMIC_RELEASE);
    return untaken_report(UNTAKEN_DONE);
}

/* False for a process that some run had left behind. */
static bool forget(pid_t child) {
    for (unsigned i = 0; i < alive; i++) {
        if (at_hand[i] == child) {
            at_hand[i] = at_hand[--alive];
            untaken_give_turn_away(child);
            return true;
        }
    }
    return false;
}

static void kill_run(pid_t child) {
    if (child > 1) {
        kill(-child, SIGKILL);
        kill(child, SIGKILL);
    }
}

static void wait_for_signal(int64_t milliseconds) {
    sigtimedwait(&child_ended, NULL, &(struct timespec){milliseconds / 1000, milliseconds % 1000 * 1000000});
}

/* Until a child ends, or it is time to look again. A run that began at this time and is late, or that uses too much, is
 * ended. */
static void wait_for_run(pid_t run, int64_t began) {
    int64_t now = untaken_now_ms(), left = began + untaken_shared->timeout_ms - now;
    if (left < 0) {
        late = run;
        kill_run(run);
    } else if (now - began >= WATCH_MS && untaken_memory_exceeded(run)) {
        greedy = run;
        kill_run(run);
    } else {
        wait_for_signal(left < WATCH_MS ? left + 1 : WATCH_MS); /* milliseconds are cut off */
    }
}

/* When the run under way began, as it says itself, if that can be; else when it was first seen. 0: it waits. */
static int64_t beginning_of(pid_t runner) {
    static pid_t seen;
    static int64_t since;
    int64_t now = untaken_now_ms(), told = untaken_server_shared->started_ms;
    if (runner != seen) {
        seen = runner;
        since = now;
    }
    return told == 0 || (told >= server_began && told <= now) ? told : since;
}

/* A run that begins while we wait cannot be late before. */
static void wait_a_while(void) {
    pid_t runner = __atomic_load_n(&untaken_server_shared->runner, __ATOMIC_ACQUIRE);
    int64_t timeout = untaken_shared->timeout_ms, began = beginning_of(runner);
    if (timeout != 0 && runner != 0 && runner != late && runner != greedy && began != 0) {
        wait_for_run(runner, began);
    } else {
        wait_for_signal(timeout == 0 ? UNASKED_MS : timeout < WATCH_MS ? timeout : WATCH_MS);
    }
}

static bool is_at_hand(pid_t process) {
    for (unsigned i = 0; i < alive; i++) {
        if (at_hand[i] == process) {
            return true;
        }
    }
    return false;
}

/* A run may stop whoever it sees. What waits for a request, and is stopped, would wait for ever. */
static void end_stopped(void) {
    siginfo_t info = {.si_pid = 0};
    while (waitid(P_ALL, 0, &info, WSTOPPED | WNOHANG) == 0 && info.si_pid != 0) {
        if (is_at_hand(info.si_pid) && info.si_pid != untaken_server_shared->runner) {
            kill(info.si_pid, SIGKILL);
        }
        info.si_pid = 0;
    }
}

/* Not reaped yet, so that its number is still its own. */
static pid_t next_end(void) {
    siginfo_t info = {.si_pid = 0};
    while (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) {
        end_stopped();
        wait_a_while();
    }
    return info.si_pid;
}

static bool has_ended(pid_t child) {
    siginfo_t info = {.si_pid = 0};
    return waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
}

bool untaken_fork_run(void) {
    int64_t began = untaken_now_ms();
    pid_t child = fork_run();
    if (child == 0) {
        setpgid(0, 0);
        return true;
    }
    untaken_state.in_run = untaken_recording = false;
    if (child < 0) {
        untaken_note_end(UNTAKEN_EXIT_MEMORY, "the snapshot could not fork");
        return false;
    }
    while (!has_ended(child)) {
        if (untaken_shared->timeout_ms != 0 && child != late && child != greedy) {
            wait_for_run(child, began);
        } else {
            wait_for_signal(UNASKED_MS);
        }
    }
    settle(child, reap(child));
    return false;
}

/* The processes that the run was left by: those that are not children of ours were ended with their group. */
static void end_left(void) {
    uint32_t count = abandoned_count();
    untaken_server_shared->abandoned_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        pid_t process = untaken_server_shared->abandoned[i];
        if (process <= 1) {
            continue;
        }
        kill(process, SIGKILL);
        (void)reap(process);
        (void)forget(process);
    }
}

static void wait_for_end(pid_t process) {
    while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {
    }
}

/* Process 1 of a namespace can end all others at once, however fast they fork; those at hand are forked again. */
static void end_all(void) {
    kill(-1, SIGKILL);
    while (alive > 0) {
        wait_for_end(at_hand[--alive]);
        untaken_give_turn_away(at_hand[alive]);
    }
    for (unsigned i = 0; i < children.count; i++) {
        wait_for_end(children.processes[i]);
    }
}

static void end_each_stranger(void) {
    for (unsigned i = 0; i < children.count; i++) {
        if (!is_at_hand(children.processes[i])) {
            kill(children.processes[i], SIGKILL);
            wait_for_end(children.processes[i]);
        }
    }
}

/* What the run has started and that left its group, before anybody reads what it recorded. Each may leave more behind,
 * which comes to us then. */
static void end_strangers(void) {
    for (unsigned round = 0; round < MOST_ROUNDS; round++) {
        untaken_children(&children);
        if (children.count <= alive) {
            return;
        }
        if (getpid() == 1) {
            end_all();
        } else {
            end_each_stranger();
        }
    }
}

/* Whether a process that was killed while it waited may have taken a request with it: none is there, and no run begins
 * that the other process may have taken it for. If nobody had asked, the driver will not mind. */
static bool has_taken_request(void) {
    uint64_t runs = untaken_shared->run_count;
    for (unsigned i = 0; i < WATCH_MS; i++) {
        if (untaken_is_asked() || untaken_shared->run_count != runs ||
            __atomic_load_n(&untaken_server_shared->runner, __ATOMIC_ACQUIRE) != 0) {
            return false;
        }
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    return true;
}

static bool is_child(pid_t process) {
    siginfo_t info;
    return process > 0 && waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

/* Whether nobody is said to run the program whom we know: a run has written over what says so. A process that was just
 * forked to be followed is a child of ours as soon as the process between has ended, which takes a moment. What is said
 * changes while we look: by 0 the run that was under way has been reported. */
static bool is_runner_unknown(void) {
    for (unsigned i = 0; i < WATCH_MS; i++) {
        pid_t runner = __atomic_load_n(&untaken_server_shared->runner, __ATOMIC_ACQUIRE);
        if (runner == 0 || is_child(runner)) {
            return false;
        }
        if (runner == 1 || runner < 0 || kill(runner, 0) != 0) {
            return __atomic_load_n(&untaken_server_shared->runner, __ATOMIC_ACQUIRE) == runner;
        }
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    return true;
}

/* Whether the run under way was in this process, which has ended. */
static bool was_running(pid_t child, bool was_at_hand) {
    return __atomic_load_n(&untaken_server_shared->runner, __ATOMIC_ACQUIRE) == child ||
           (was_at_hand && is_runner_unknown());
}

/* False if the driver is gone. */
static bool await_end(void) {
    pid_t child = next_end();
    int status = reap(child);
    bool was_at_hand = forget(child);
    if (was_running(child, was_at_hand)) {
        end_strangers();
        settle(child, status);
        end_left();
        return report_run();
    }
    if (!was_at_hand) {
        return true;
    }
    if (WIFSIGNALED(status)) { /* while it waited */
        untaken_prefault_forget();
        if (has_taken_request() && !untaken_report(UNTAKEN_LOST)) {
            return false;
        }
    }
    return !untaken_driver_gone();
}

/* ---- Start ---- */

static uint64_t measure_address_space(void) {
    uint64_t pages = untaken_mapped_pages();
    return pages == 0 ? UNTAKEN_TAG_SIZE + 2 * UNTAKEN_SHADOW_SIZE : pages * UNTAKEN_PAGE; /* no /proc: generously */
}

/* Private to this server: there may be two of them for one driver. */
static void start_watching(void) {
    size_t size = sizeof *untaken_server_shared + untaken_prefault_size;
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        _exit(1);
    }
    untaken_server_shared = memory;
}

void untaken_server_trace(uint64_t inode) { trace_inode = inode; }

/* What the C library has loaded of a locale it keeps, even if that is not the one in use any more. So the locale that
 * programs set at their beginning is loaded here, and not in each run: that takes as long as many a run, and a process in
 * which a run has mapped its files takes as long to put back as to fork. */
static void load_locale(void) {
    errno = 0;
    if (untaken_shared->sets_locale != 0 && setlocale(LC_ALL, "") != NULL) {
        untaken_locale_errno = errno;
        setlocale(LC_ALL, "C");
    }
}

void untaken_server_prepare(void) {
    start_watching();
    load_locale();
}

static void start_server(void) {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    limit(RLIMIT_CORE, 1); /* not 0: execute/launcher/program.py says why */
    untaken_children_start();
    untaken_leftovers_start();
    sigemptyset(&child_ended);
    sigaddset(&child_ended, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child_ended, &programs_mask);
    untaken_events_start();
    untaken_nodes_start();
    untaken_globals_sort();
    if (untaken_character_classes_start != NULL) {
        untaken_character_classes_start();
    }
    untaken_reuse_start();
    address_space = measure_address_space();
    set_limits();
    server_began = untaken_now_ms();
    untaken_memory_watch_start(untaken_shared->memory_limit, trace_inode);
    hide_from_runs();
    untaken_prefault_start(untaken_server_shared + 1);
}

static _Noreturn void leave(void) {
    while (alive > 0) {
        pid_t child = at_hand[--alive];
        kill(child, SIGKILL);
        (void)reap(child);
    }
    _exit(0);
}

/* Serves until the driver is gone. It returns in the processes that are forked for runs, and only there. */
void untaken_server(void) {
    start_server();
    if (!untaken_report(READY)) {
        _exit(0);
    }
    while (!fork_ahead()) {
        if (alive == 0 ? !untaken_refuse_run("the fork server could not fork") : !await_end()) {
            leave();
        }
    }
}
