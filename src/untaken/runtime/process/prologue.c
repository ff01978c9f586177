/* The prologue: what a program does before it looks at its input. It fills tables, reads its own files, compiles a
 * library of its own, and that is the same in each run. So where it is long, the driver asks for it to be done once: the
 * fork server does not start before main, but where the program first asks for its input, and each run goes on from
 * there.
 *
 * Its events are not kept, there may be millions. Each run begins with a few that stand for them: what the prologue
 * passed, each once, and the calls that were open at its end. So runs cover what they would have covered, and are as
 * deep in calls.
 *
 * Where something lies in the way of that (files that are written to, threads, children, timers, input that was read
 * where nobody saw it), the process ends, and the driver starts it again as usual. */
#define _GNU_SOURCE
#include "input/input.h"
#include "process/process.h"
#include "process/reuse.h"
#include "trace/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_OPEN 4096u /* calls; programs that are as deep before they look at their input go without */
#define NO_PROLOGUE 3   /* the exit code of a process that cannot go on from here */

struct open_file {
    int fd;
    off_t position;
};

struct prologue {
    uint32_t open[MOST_OPEN]; /* entries of the calls that are open */
    uint64_t open_count;
    uint64_t id_count;
    bool is_spoilt; /* by threads, too many calls, or files that are written to */
    unsigned file_count;
    struct open_file files[UNTAKEN_MOST_OPEN_FILES];
    uint64_t told_count, first_open; /* of those, the entry of main's first call that is open */
    uint32_t *told; /* at first what was passed, in the order of time; then what each run is told */
    uint64_t seen_count;
    uint32_t *seen;
    uint8_t known[]; /* by id: 1 if it was passed */
};
static struct prologue *prologue; /* null: there is none */

static void *room_for(size_t size) {
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void untaken_prologue_begin(void) {
    uint64_t ids = untaken_shared->id_count;
    struct prologue *made = room_for(sizeof *made + ids);
    uint32_t *seen = room_for((ids + 1) * sizeof *seen), *told = room_for((2 * ids + MOST_OPEN) * sizeof *told);
    if (made == NULL || seen == NULL || told == NULL) {
        _exit(NO_PROLOGUE);
    }
    made->id_count = ids;
    made->seen = seen;
    made->told = told;
    prologue = made;
    untaken_state.in_prologue = true;
    untaken_sources_await();
    untaken_events_off();
}

/* ---- What it passes ---- */

static void enter(uint32_t entry) {
    if (prologue->open_count < MOST_OPEN) {
        prologue->open[prologue->open_count++] = entry;
    } else {
        prologue->is_spoilt = true;
    }
}

static void leave(uint32_t entry) {
    for (uint64_t left = prologue->open_count; left > 0; left--) {
        if (prologue->open[left - 1] == entry) {
            prologue->open_count = left - 1;
            return;
        }
    }
}

static void note_event(uint32_t event) {
    uint32_t id = untaken_event_id(event);
    uint8_t kind = untaken_event_kind(event);
    if (id == 0 || id >= prologue->id_count) {
        return;
    }
    if (prologue->known[id] == 0) {
        prologue->known[id] = 1;
        prologue->seen[prologue->seen_count++] = event;
    }
    if (kind == UNTAKEN_ID_ENTRY) {
        enter(event);
    } else if (kind == UNTAKEN_ID_RETURN) {
        leave(event - 1);
    }
}

void untaken_prologue_passed(const uint32_t *begin, const uint32_t *end) {
    prologue->is_spoilt |= !untaken_one_thread();
    for (; begin < end; begin++) {
        note_event(*begin);
    }
}

/* ---- Jumps out of calls ---- */

/* The number of open calls stands for the place of a setjmp among events that are not kept. */
uint32_t *untaken_prologue_jump(const struct untaken_jump *jump, bool has_jumped) {
    uint64_t open = (uint64_t)(uintptr_t)jump->events;
    untaken_events_pass_on();
    if (has_jumped && open < prologue->open_count) {
        prologue->open_count = open;
    }
    return (uint32_t *)(uintptr_t)prologue->open_count;
}

const uint32_t *untaken_prologue_place(const uint32_t *events) {
    uint64_t open = (uint64_t)(uintptr_t)events;
    bool is_place = prologue != NULL && open > 0 && open <= prologue->open_count;
    return is_place ? untaken_state.events + prologue->first_open + open - 1 : events;
}

/* ---- The end ---- */

static void tell(uint32_t event) { prologue->told[prologue->told_count++] = event; }

/* A function that was left is told of by its entry and its return. */
static void tell_passed(uint32_t event) {
    uint8_t kind = untaken_event_kind(event);
    if (kind != UNTAKEN_ID_ENTRY && kind != UNTAKEN_ID_RETURN) {
        tell(event);
    } else if (kind == UNTAKEN_ID_ENTRY && prologue->known[untaken_event_id(event + 1)] != 0) {
        tell(event);
        tell(event + 1);
    }
}

/* All of it happens inside of main. */
static void tell_all(void) {
    if (prologue->open_count > 0) {
        tell(prologue->open[0]);
    }
    for (uint64_t i = 0; i < prologue->seen_count; i++) {
        tell_passed(prologue->seen[i]);
    }
    prologue->first_open = prologue->told_count;
    for (uint64_t i = 1; i < prologue->open_count; i++) {
        tell(prologue->open[i]);
    }
}

static bool has_timers(void) {
    struct itimerval timer;
    for (int which = ITIMER_REAL; which <= ITIMER_PROF; which++) {
        if (getitimer(which, &timer) == 0 && (timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0)) {
            return true;
        }
    }
    return false;
}

static bool has_children(void) {
    siginfo_t info;
    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

/* ---- Files that it left open, to be read on ---- */

static bool is_only_read(int fd) {
    struct stat status;
    return fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY;
}

static void note_open_files(void) {
    for (int fd = STDERR_FILENO + 1; fd < UNTAKEN_FIRST_HIDDEN; fd++) {
        if (fcntl(fd, F_GETFD) >= 0 && is_only_read(fd) && prologue->file_count < UNTAKEN_MOST_OPEN_FILES) {
            prologue->files[prologue->file_count++] = (struct open_file){fd, lseek(fd, 0, SEEK_CUR)};
        }
    }
}

bool untaken_prologue_opened(int fd) {
    for (unsigned i = 0; prologue != NULL && i < prologue->file_count; i++) {
        if (prologue->files[i].fd == fd) {
            return true;
        }
    }
    return false;
}

/* All processes share the place up to which a file was read. */
static void put_positions_back(void) {
    for (unsigned i = 0; i < prologue->file_count; i++) {
        lseek(prologue->files[i].fd, prologue->files[i].position, SEEK_SET);
    }
}

/* ---- The server starts ---- */

/* Whether all that there is of the program so far is memory, which a fork copies, and files that are read. */
static bool can_go_on_here(void) {
    note_open_files();
    return !prologue->is_spoilt && untaken_one_thread() && syscall(SYS_gettid) == getpid() && !has_children() &&
           !has_timers() && !untaken_may_leave_traces() && untaken_server_shared->leftover_count == 0 &&
           untaken_reuse_all_closed() && untaken_sources_are_unread();
}

void untaken_prologue_end(void) {
    int saved = errno;
    untaken_events_pass_on();
    untaken_state.in_prologue = false;
    if (!can_go_on_here()) {
        _exit(NO_PROLOGUE);
    }
    tell_all();
    untaken_server();
    errno = saved;
}

void untaken_prologue_tell(void) {
    if (prologue == NULL) {
        return;
    }
    for (uint64_t i = 0; i < prologue->told_count; i++) {
        untaken_emit(prologue->told[i]);
    }
    (void)__untaken_room(); /* in the middle of a function, whose code may write some events without looking for room */
    put_positions_back();
}
