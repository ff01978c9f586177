/* A process that is used again: when its run is over, its memory is made what it was before, and it waits for the next
 * request. That takes a fraction of what it takes to end a process and to fork another.
 *
 * Memory is all that is put back. So the driver says for how many runs a process may be used: more than one only if the
 * program calls nothing that could leave traces anywhere else, in the kernel say (build/library/contained.py). And a process
 * that finds that more has changed than it can put back just ends.
 *
 * Before the first run all memory that was ever written to is copied. Pages that runs write to become this process'
 * own, since the server has them too, and the kernel's page map tells which they are; it has to be asked only if there
 * were page faults. What had no page before were zeros. What the run has mapped, as setlocale does and malloc for large
 * blocks, is unmapped; what was mapped before has to be there still. Signal handlers, masks and the stack
 * of handlers are put back if the program may have set some. Files that the run left open are closed, and the
 * three that it began with are there again; our own have to be the same. */
#define _GNU_SOURCE
#include "process/mappings.h"
#include "process/process.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST_PAGES 1024u
#define MOST_RANGES 64u
#define MOST_MAPPINGS 256u
#define MOST_LEFT 64u
#define MOST_FILE_PAGES 64u /* of programs' data, which are all copied */
#define FOUND_AT_ONCE 64u
#define ENTRIES_AT_ONCE 128u
#define STACK_SIZE (16u << 10)
#define STANDARD 3 /* descriptors that programs begin with */
#define MOST_HIDDEN 16
#define SIGNALS 64
#define ENOUGH_PROCESSES 16u /* to tell by them */
#define MOST_UNMAPPINGS 4u   /* of one process, unless most of its runs go without */

/* The kernel's interface since Linux 6.7, which headers of older systems lack. */
struct region {
    uint64_t begin, end, categories;
};
struct scan {
    uint64_t size, flags, begin, end, walked_to, regions, region_count, most_pages;
    uint64_t inverted, all_of, any_of, returned;
};
#define SCAN_PAGES _IOWR('f', 16, struct scan)
#define IS_OF_FILE (1u << 2)
#define IS_PRESENT (1u << 3)
#define IS_SWAPPED (1u << 4)
#define IS_ZERO (1u << 5) /* the one page of zeros that all share */

struct file {
    dev_t device;
    ino_t number;
};

struct page {
    uintptr_t address;
    const uint8_t *copy; /* null: zeros */
    bool is_own;         /* and so to be put back */
};

struct stretch {
    uintptr_t begin, end;
};

/* As the kernel has it. */
struct action {
    uintptr_t handler;
    uint64_t flags;
    uintptr_t restorer;
    uint64_t mask;
};

/* What else of the process some programs change. */
struct process {
    struct action actions[SIGNALS]; /* signals are numbered from 1 */
    uint64_t blocked;
    stack_t stack; /* of handlers */
    mode_t file_mask;
};

/* What is mapped after a run, beside what was mapped before. */
struct comparison {
    unsigned at;          /* of the mappings before, the next one */
    uint64_t still_there; /* pages of those */
    bool is_alike;        /* with the same rights */
    unsigned left_count;
    struct stretch left[MOST_LEFT]; /* what the run has mapped */
};

/* Of its own, and never put back. */
struct room {
    jmp_buf before;
    uint64_t faults; /* before the run */
    uint64_t size;   /* of the address space, in pages */
    uintptr_t heap_end;
    uint32_t runs;
    uint32_t float_status;
    uint16_t float_control;
    bool is_ready;
    int first_free; /* descriptor, from our own ones on */
    int kept[STANDARD]; /* copies of those that programs begin with: many close them at their end */
    struct file hidden[MOST_HIDDEN];
    struct process process;
    bool knows_mappings;
    uint32_t unmappings;     /* runs after which something had to be unmapped */
    bool has_unmapped;       /* after the last one */
    struct comparison comparison;
    uint32_t count, found;
    struct page pages[MOST_PAGES];
    uint8_t stack[STACK_SIZE] __attribute__((aligned(16)));
    unsigned mapped_count;
    struct untaken_mapping mapped[MOST_MAPPINGS]; /* all that there was in the server */
    uint8_t copies[MOST_PAGES][UNTAKEN_PAGE] __attribute__((aligned(UNTAKEN_PAGE)));
};

uint8_t __untaken_left_traces;
static struct room *room; /* null: each process is for one run */
static struct untaken_mapping written[MOST_RANGES];
static unsigned written_count;

/* ---- In the server ---- */

static bool is_of_room(const struct untaken_mapping *mapping) {
    uintptr_t begin = (uintptr_t)room;
    return mapping->begin < begin + sizeof *room && begin < mapping->end;
}

static void add_mapping(const struct untaken_mapping *mapping) {
    if (room->mapped_count < MOST_MAPPINGS) {
        room->mapped[room->mapped_count] = *mapping;
    }
    room->mapped_count++;
    if (mapping->is_written && !is_of_room(mapping) && written_count <= MOST_RANGES) {
        if (written_count < MOST_RANGES) {
            written[written_count] = *mapping;
        }
        written_count++;
    }
}

static uint64_t pages_of_files(void) {
    uint64_t count = 0;
    for (unsigned i = 0; i < written_count; i++) {
        count += written[i].of_file ? (written[i].end - written[i].begin) / UNTAKEN_PAGE : 0;
    }
    return count;
}

static uint64_t pages_mapped(void) {
    uint64_t count = 0;
    for (unsigned i = 0; i < room->mapped_count && i < MOST_MAPPINGS; i++) {
        count += (room->mapped[i].end - room->mapped[i].begin) / UNTAKEN_PAGE;
    }
    return count;
}

/* Between two mappings that nobody may touch, so that it is one of its own. */
static void *map_apart(size_t size) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    uint8_t *memory = mmap(NULL, size + 2 * UNTAKEN_PAGE, PROT_NONE, flags, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory + UNTAKEN_PAGE, size, PROT_READ | PROT_WRITE) != 0) {
        return NULL;
    }
    return memory + UNTAKEN_PAGE;
}

/* ---- Descriptors ---- */

static struct file file_of(int fd) {
    struct stat status;
    return fstat(fd, &status) == 0 ? (struct file){status.st_dev, status.st_ino} : (struct file){0, 0};
}

static bool is_same(struct file file, int fd) {
    struct file now = file_of(fd);
    return now.device == file.device && now.number == file.number;
}

static int first_free(void) {
    int fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, UNTAKEN_FIRST_HIDDEN);
    if (fd >= 0) {
        close(fd);
    }
    return fd;
}

static bool are_all_closed(void) {
    for (int fd = STANDARD; fd < UNTAKEN_FIRST_HIDDEN; fd++) {
        if (fcntl(fd, F_GETFD) >= 0) {
            return false;
        }
    }
    return true;
}

static bool note_descriptors(void) {
    bool whole = true;
    for (int fd = 0; fd < STANDARD; fd++) {
        room->kept[fd] = fcntl(fd, F_DUPFD_CLOEXEC, UNTAKEN_FIRST_HIDDEN);
        whole = whole && room->kept[fd] >= 0;
    }
    room->first_free = first_free();
    int hidden = room->first_free - UNTAKEN_FIRST_HIDDEN;
    for (int i = 0; i < hidden && i < MOST_HIDDEN; i++) {
        room->hidden[i] = file_of(UNTAKEN_FIRST_HIDDEN + i);
    }
    return whole && hidden >= 0 && hidden <= MOST_HIDDEN;
}

static bool are_descriptors_put_back(void) {
    bool same = syscall(SYS_close_range, STANDARD, UNTAKEN_FIRST_HIDDEN - 1, 0) == 0;
    for (int fd = UNTAKEN_FIRST_HIDDEN; same && fd < room->first_free; fd++) {
        same = is_same(room->hidden[fd - UNTAKEN_FIRST_HIDDEN], fd);
    }
    for (int fd = 0; same && fd < STANDARD; fd++) {
        same = dup2(room->kept[fd], fd) == fd;
    }
    return same && first_free() == room->first_free;
}

/* ---- Signals, and the rights of new files ---- */

static bool ask_action(int number, const struct action *to_set, struct action *now) {
    return syscall(SYS_rt_sigaction, number, to_set, now, sizeof to_set->mask) == 0;
}

static bool note_process(void) {
    struct process *process = &room->process;
    bool known = syscall(SYS_rt_sigprocmask, SIG_SETMASK, NULL, &process->blocked, sizeof process->blocked) == 0 &&
                 sigaltstack(NULL, &process->stack) == 0;
    for (int i = 0; known && i < SIGNALS; i++) {
        known = ask_action(i + 1, NULL, &process->actions[i]);
    }
    process->file_mask = umask(0);
    umask(process->file_mask);
    return known;
}

/* A signal that waits until it is let through would come in the next run. */
static bool is_process_put_back(void) {
    const struct process *process = &room->process;
    uint64_t waiting;
    bool same = syscall(SYS_rt_sigpending, &waiting, sizeof waiting) == 0 && waiting == 0;
    for (int i = 0; same && i < SIGNALS; i++) {
        struct action now;
        same = ask_action(i + 1, NULL, &now) && (memcmp(&now, &process->actions[i], sizeof now) == 0 ||
                                                 ask_action(i + 1, &process->actions[i], NULL));
    }
    umask(process->file_mask);
    return same && sigaltstack(&process->stack, NULL) == 0 &&
           syscall(SYS_rt_sigprocmask, SIG_SETMASK, &process->blocked, NULL, sizeof process->blocked) == 0;
}

/* ---- What the kernel says of pages ---- */

static uint64_t count_faults(void) {
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) == 0 ? (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt : 0;
}

/* They are mostly looked for in order: from the one on that was found last. */
static struct page *find_page(uintptr_t address) {
    for (uint32_t tried = 0; tried < room->count; tried++) {
        uint32_t i = (room->found + tried) % room->count;
        if (room->pages[i].address == address) {
            room->found = i + 1;
            return &room->pages[i];
        }
    }
    return NULL;
}

/* Pages that hold something, in the next part of the range: how many stretches of them there are, or -1. */
static long scan(int map, uintptr_t *begin, uintptr_t end, struct region *found) {
    struct scan request = {
        .size = sizeof request,
        .begin = *begin,
        .end = end,
        .regions = (uintptr_t)found,
        .region_count = FOUND_AT_ONCE,
        .inverted = IS_OF_FILE | IS_ZERO,
        .all_of = IS_OF_FILE | IS_ZERO,
        .any_of = IS_PRESENT | IS_SWAPPED,
        .returned = IS_PRESENT,
    };
    long count = ioctl(map, SCAN_PAGES, &request);
    *begin = request.walked_to;
    return count;
}

/* False if it cannot go on. */
typedef bool looking_at(uintptr_t address, bool is_own);

static bool look_at_some(int map, uintptr_t begin, size_t count, looking_at *look) {
    uint64_t entries[ENTRIES_AT_ONCE];
    size_t size = count * sizeof *entries;
    if (pread(map, entries, size, (off_t)(begin / UNTAKEN_PAGE * sizeof *entries)) != (ssize_t)size) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!look(begin + i * UNTAKEN_PAGE, untaken_is_own(entries[i]))) {
            return false;
        }
    }
    return true;
}

static bool look_at_region(int map, const struct region *region, looking_at *look) {
    for (uintptr_t begin = region->begin; begin < region->end; begin += ENTRIES_AT_ONCE * UNTAKEN_PAGE) {
        size_t left = (region->end - begin) / UNTAKEN_PAGE;
        if (!look_at_some(map, begin, left < ENTRIES_AT_ONCE ? left : ENTRIES_AT_ONCE, look)) {
            return false;
        }
    }
    return true;
}

static bool look_through(int map, const struct untaken_mapping *range, looking_at *look) {
    struct region found[FOUND_AT_ONCE];
    for (uintptr_t begin = range->begin; begin < range->end;) {
        long count = scan(map, &begin, range->end, found);
        if (count < 0) {
            return false;
        }
        for (long i = 0; i < count; i++) {
            if (!look_at_region(map, &found[i], look)) {
                return false;
            }
        }
    }
    return true;
}

/* False if there was something in the way. */
static bool look_at_pages(looking_at *look) {
    bool whole = true;
    int map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    for (unsigned i = 0; map >= 0 && whole && i < written_count; i++) {
        whole = look_through(map, &written[i], look);
    }
    if (map >= 0) {
        close(map);
    }
    return map >= 0 && whole;
}

/* ---- In the server, at last ---- */

static bool look_on(uintptr_t address, bool is_own) {
    (void)address, (void)is_own;
    return true;
}

void untaken_again_forget(void) {
    if (room != NULL) {
        munmap(room, sizeof *room);
        room = NULL;
    }
}

void untaken_again_start(void) {
    if (untaken_shared->most_runs < 2 || untaken_is_sanitized() || !are_all_closed()) {
        return;
    }
    room = map_apart(sizeof *room);
    if (room == NULL) {
        return;
    }
    untaken_each_mapping(add_mapping);
    if (written_count > MOST_RANGES || pages_of_files() > MOST_FILE_PAGES || !look_at_pages(look_on)) {
        untaken_again_forget();
    }
}

/* ---- Putting back, on another stack ---- */

static _Noreturn void on_other_stack(void (*function)(void)) {
    __asm__ volatile("mov %0, %%rsp\n\txor %%ebp, %%ebp\n\tcall *%1"
                     :
                     : "r"(room->stack + STACK_SIZE), "r"(function)
                     : "memory");
    __builtin_unreachable();
}

static void put_back(void) {
    for (uint32_t i = 0; i < room->count; i++) {
        const struct page *page = &room->pages[i];
        if (page->is_own && page->copy != NULL) {
            memcpy((void *)page->address, page->copy, UNTAKEN_PAGE);
        } else if (page->is_own) {
            memset((void *)page->address, 0, UNTAKEN_PAGE);
        }
    }
    __asm__ volatile("ldmxcsr %0\n\tfldcw %1" : : "m"(room->float_status), "m"(room->float_control));
}

static _Noreturn void begin_again(void) {
    put_back();
    room->faults = count_faults();
    _longjmp(room->before, 1);
}

/* ---- Before the first run of a process ---- */

static bool copy_page(uintptr_t address, bool is_own) {
    if (room->count == MOST_PAGES) {
        return false;
    }
    uint8_t *copy = room->copies[room->count];
    memcpy(copy, (const void *)address, UNTAKEN_PAGE);
    room->pages[room->count++] = (struct page){address, copy, is_own};
    return true;
}

/* So that they are no longer those of the file: then they are found as all others are. */
static void write_to_file_pages(void) {
    for (unsigned i = 0; i < written_count; i++) {
        for (uintptr_t page = written[i].begin; written[i].of_file && page < written[i].end; page += UNTAKEN_PAGE) {
            untaken_touch_to_write((volatile uint8_t *)page);
        }
    }
}

/* Unless it has turned out that processes have to end after their first run, or that it takes long to go on. */
bool untaken_again_wanted(void) {
    uint64_t processes = untaken_watch->processes, further = untaken_watch->further_runs;
    return room != NULL && !untaken_core.is_lesson && (processes < ENOUGH_PROCESSES || further > processes);
}

jmp_buf *untaken_again_before(void) { return &room->before; }

void untaken_again_copy(void) {
    room->count = room->found = room->runs = room->unmappings = 0;
    __atomic_add_fetch(&untaken_watch->processes, 1, __ATOMIC_RELAXED);
    room->heap_end = (uintptr_t)sbrk(0);
    __asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(room->float_status), "=m"(room->float_control));
    write_to_file_pages();
    room->stack[STACK_SIZE - 1] = room->stack[0] = 0;
    room->is_ready = note_descriptors() && (untaken_shared->changes_process == 0 || note_process()) &&
                     look_at_pages(copy_page) && mprotect(room->copies, sizeof room->copies, PROT_READ) == 0;
    room->size = untaken_mapped_pages();
    room->knows_mappings = room->mapped_count <= MOST_MAPPINGS && pages_mapped() == room->size;
    if (room->is_ready) {
        on_other_stack(begin_again); /* the first run is to find the same as all others, below the stack too */
    }
}

bool untaken_again_is_ready(void) { return room != NULL && room->is_ready; }

/* ---- After a run ---- */

/* What was no page before, or not this process' own, and now is. */
static bool note_page(uintptr_t address, bool is_own) {
    struct page *page = is_own ? find_page(address) : NULL;
    if (page != NULL) {
        page->is_own = true;
    } else if (is_own && room->count < MOST_PAGES) {
        room->pages[room->count++] = (struct page){address, NULL, true};
    } else if (is_own) {
        return false;
    }
    return true;
}

/* ---- What the run has mapped ---- */

static void note_left(uintptr_t begin, uintptr_t end) {
    struct comparison *found = &room->comparison;
    if (begin < end && found->left_count < MOST_LEFT) {
        found->left[found->left_count] = (struct stretch){begin, end};
    }
    found->left_count += begin < end;
}

/* Mappings that touch may have become one, or one may have become several. */
static void compare_mapping(const struct untaken_mapping *now) {
    struct comparison *found = &room->comparison;
    uintptr_t begin = now->begin;
    while (found->at < room->mapped_count && room->mapped[found->at].end <= begin) {
        found->at++;
    }
    for (; found->at < room->mapped_count && room->mapped[found->at].begin < now->end; found->at++) {
        const struct untaken_mapping *before = &room->mapped[found->at];
        uintptr_t from = before->begin > begin ? before->begin : begin;
        uintptr_t to = before->end < now->end ? before->end : now->end;
        note_left(begin, from);
        found->still_there += (to - from) / UNTAKEN_PAGE;
        found->is_alike &= is_of_room(now) || memcmp(now->rights, before->rights, sizeof now->rights) == 0;
        begin = to;
        if (before->end > now->end) {
            break;
        }
    }
    note_left(begin, now->end);
}

/* All are found before the first goes: the C library's locale, which numbers are read with, may be one of them. */
static bool is_rest_unmapped(void) {
    struct comparison *found = &room->comparison;
    *found = (struct comparison){.is_alike = true};
    untaken_each_mapping(compare_mapping);
    bool whole = found->is_alike && found->still_there == room->size && found->left_count <= MOST_LEFT;
    for (unsigned i = 0; whole && i < found->left_count; i++) {
        whole = munmap((void *)found->left[i].begin, found->left[i].end - found->left[i].begin) == 0;
    }
    return whole;
}

/* To do that after each run takes longer than to fork a process for it. */
static bool is_unmapping_rare(void) {
    room->has_unmapped = true;
    return ++room->unmappings <= MOST_UNMAPPINGS || 2 * room->unmappings < room->runs;
}

static bool are_mappings_put_back(void) {
    uint64_t size = untaken_mapped_pages();
    return size != 0 &&
           (size == room->size || (room->knows_mappings && is_unmapping_rare() && is_rest_unmapped()));
}

static bool is_heap_put_back(void) {
    uintptr_t end = (uintptr_t)sbrk(0);
    return end == room->heap_end || (end > room->heap_end && syscall(SYS_brk, room->heap_end) == (long)room->heap_end);
}

static bool can_be_put_back(void) {
    if (__untaken_left_traces != 0) {
        return false;
    }
    if (++room->runs >= untaken_shared->most_runs || !are_descriptors_put_back() || !is_heap_put_back()) {
        return false;
    }
    if (untaken_shared->changes_process != 0 && !is_process_put_back()) {
        return false;
    }
    if (count_faults() == room->faults) {
        return true;
    }
    return are_mappings_put_back() && look_at_pages(note_page);
}

static _Noreturn void begin_if_as_before(void) {
    room->has_unmapped = false;
    if (!can_be_put_back()) {
        _exit(0);
    }
    __atomic_add_fetch(&untaken_watch->further_runs, !room->has_unmapped, __ATOMIC_RELAXED);
    begin_again();
}

_Noreturn void untaken_leave_run(int code) {
    if (untaken_again_is_ready()) {
        on_other_stack(begin_if_as_before);
    }
    _exit(code);
}
