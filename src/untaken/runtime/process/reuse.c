/* A process that is used again: when its run is over, its memory is made what it was before, and it waits for the next
 * request. That takes a fraction of what it takes to end a process and to fork another.
 *
 * Memory is all that is put back. So the driver says for how many runs a process may be used: more than one only if the
 * program calls nothing that could leave traces anywhere else, in the kernel say (build/library/contained.py). And a
 * process that finds that more has changed than it can put back just ends.
 *
 * Before the first run all memory that was ever written to is copied. Pages that runs write to become this process'
 * own, since the server has them too, and the kernel's page map tells which they are; it has to be asked only if
 * there were page faults. What had no page before were zeros. What the run has mapped, as setlocale does and malloc
 * for large blocks, is unmapped; what was mapped before has to be there still. Signal handlers, masks and the stack
 * of handlers are put back if the program may have set some. Files that the run left open are closed, and the three
 * that it began with are there again; our own have to be the same. */
#define _GNU_SOURCE
#include "process/reuse.h"
#include "process/process.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST_FILE_PAGES 64u  /* of programs' data, which are all copied */
#define ENOUGH_PROCESSES 16u /* to tell by them */

uint8_t __untaken_left_traces, __untaken_took_address;
UNTAKEN_OWN struct untaken_reuse *untaken_reuse;

/* ---- In the server ---- */

static uint64_t pages_of_files(void) {
    uint64_t count = 0;
    for (unsigned i = 0; i < untaken_reuse_written_count; i++) {
        const struct untaken_mapping *range = &untaken_reuse_written[i];
        count += range->of_file ? (range->end - range->begin) / UNTAKEN_PAGE : 0;
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

static bool protect_copies(int rights) {
    return mprotect(untaken_reuse->copies, sizeof untaken_reuse->copies, rights) == 0;
}

static bool look_on(uintptr_t address, bool is_own) {
    (void)address, (void)is_own;
    return true;
}

void untaken_reuse_off(void) {
    if (untaken_reuse != NULL) {
        munmap(untaken_reuse, sizeof *untaken_reuse);
        untaken_reuse = NULL;
    }
}

void untaken_reuse_start(void) {
    if (untaken_shared->most_runs < 2 || untaken_is_sanitized() || !untaken_reuse_all_closed()) {
        return;
    }
    untaken_reuse = map_apart(sizeof *untaken_reuse);
    if (untaken_reuse == NULL) {
        return;
    }
    (void)protect_copies(PROT_READ); /* as they will be: programs that look at what is mapped see the same in each run */
    untaken_each_mapping(untaken_reuse_add_mapping);
    untaken_reuse_forget_mappings();
    if (untaken_reuse_written_count > MOST_RANGES || pages_of_files() > MOST_FILE_PAGES ||
        !untaken_reuse_look_at_pages(look_on)) {
        untaken_reuse_off();
    }
}

static bool is_heap_put_back(void) {
    uintptr_t end = (uintptr_t)sbrk(0), before = untaken_reuse->heap_end;
    return end == before || (end > before && syscall(SYS_brk, before) == (long)before);
}

static uint64_t count_faults(void) {
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) == 0 ? (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt : 0;
}

/* ---- Putting back, on another stack ---- */

static _Noreturn void on_other_stack(void (*function)(void)) {
    __asm__ volatile("mov %0, %%rsp\n\txor %%ebp, %%ebp\n\tcall *%1"
                     :
                     : "r"(untaken_reuse->stack + STACK_SIZE), "r"(function)
                     : "memory");
    __builtin_unreachable();
}

static void put_back(void) {
    for (uint32_t i = 0; i < untaken_reuse->count; i++) {
        const struct page *page = &untaken_reuse->pages[i];
        if (page->is_own && page->copy != NULL) {
            memcpy((void *)page->address, page->copy, UNTAKEN_PAGE);
        } else if (page->is_own) {
            memset((void *)page->address, 0, UNTAKEN_PAGE);
        }
    }
    __asm__ volatile("ldmxcsr %0\n\tfnclex\n\tfldcw %1"
                     :
                     : "m"(untaken_reuse->float_status), "m"(untaken_reuse->float_control));
}

/* Where the run before had no page fault, to put it back has none, either: all those pages are there. */
static _Noreturn void begin_next_run(void) {
    put_back();
    if (untaken_reuse->has_faulted) {
        untaken_reuse->faults = count_faults();
    }
    _longjmp(untaken_reuse->before, 1);
}

/* ---- Before the first run of a process ---- */

static bool copy_page(uintptr_t address, bool is_own) {
    if (untaken_reuse->count == MOST_PAGES) {
        return false;
    }
    uint8_t *copy = untaken_reuse->copies[untaken_reuse->count];
    memcpy(copy, (const void *)address, UNTAKEN_PAGE);
    untaken_reuse->pages[untaken_reuse->count++] = (struct page){address, copy, is_own};
    return true;
}

/* So that they are no longer those of the file: then they are found as all others are. */
static void write_to_file_pages(void) {
    for (unsigned i = 0; i < untaken_reuse_written_count; i++) {
        const struct untaken_mapping *range = &untaken_reuse_written[i];
        for (uintptr_t page = range->begin; range->of_file && page < range->end; page += UNTAKEN_PAGE) {
            untaken_touch_to_write((volatile uint8_t *)page);
        }
    }
}

/* Unless it has turned out that processes have to end after their first run, or that it takes long to go on. */
bool untaken_reuse_is_wanted(void) {
    uint64_t processes = untaken_server_shared->processes, further = untaken_server_shared->further_runs;
    return untaken_reuse != NULL && !untaken_state.learns_pages &&
           (processes < ENOUGH_PROCESSES || further > processes);
}

jmp_buf *untaken_reuse_entry(void) { return &untaken_reuse->before; }

void untaken_reuse_copy_memory(void) {
    struct untaken_reuse *kept = untaken_reuse;
    kept->count = kept->found = kept->runs = kept->unmappings = 0;
    kept->has_faulted = true; /* copying does */
    __atomic_add_fetch(&untaken_server_shared->processes, 1, __ATOMIC_RELAXED);
    kept->heap_end = (uintptr_t)sbrk(0);
    __asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(kept->float_status), "=m"(kept->float_control));
    bool writable = protect_copies(PROT_READ | PROT_WRITE);
    write_to_file_pages();
    kept->stack[STACK_SIZE - 1] = kept->stack[0] = 0;
    kept->is_ready = writable && untaken_reuse_note_descriptors() &&
                     (untaken_shared->changes_process == 0 || untaken_reuse_note_signals()) &&
                     untaken_reuse_look_at_pages(copy_page) &&
                     protect_copies(PROT_READ);
    kept->size = untaken_mapped_pages();
    kept->knows_mappings = kept->mapped_count <= MOST_MAPPINGS && untaken_reuse_pages_before() == kept->size;
    if (kept->is_ready) {
        on_other_stack(begin_next_run); /* the first run is to find the same as all others, below the stack too */
    }
}

bool untaken_reuse_is_possible(void) { return untaken_reuse != NULL && untaken_reuse->is_ready; }

bool untaken_reuse_has_run(void) { return untaken_reuse_is_possible() && untaken_reuse->runs > 0; }

/* ---- After a run ---- */

/* They are mostly looked for in order: from the one on that was found last. */
static struct page *find_page(uintptr_t address) {
    for (uint32_t tried = 0; tried < untaken_reuse->count; tried++) {
        uint32_t i = (untaken_reuse->found + tried) % untaken_reuse->count;
        if (untaken_reuse->pages[i].address == address) {
            untaken_reuse->found = i + 1;
            return &untaken_reuse->pages[i];
        }
    }
    return NULL;
}

/* What was no page before, or not this process' own, and now is. */
static bool note_page(uintptr_t address, bool is_own) {
    struct page *page = is_own ? find_page(address) : NULL;
    if (page != NULL) {
        page->is_own = true;
    } else if (is_own && untaken_reuse->count < MOST_PAGES) {
        untaken_reuse->pages[untaken_reuse->count++] = (struct page){address, NULL, true};
    } else if (is_own) {
        return false;
    }
    return true;
}

bool untaken_may_leave_traces(void) {
    return __untaken_left_traces != 0 || (__untaken_took_address != 0 && untaken_shared->takes_addresses != 0);
}

static bool can_be_put_back(void) {
    if (untaken_may_leave_traces()) {
        return false;
    }
    if (++untaken_reuse->runs >= untaken_shared->most_runs || !is_heap_put_back()) {
        return false;
    }
    if (untaken_shared->handles_files != 0 && !untaken_reuse_put_descriptors_back()) {
        return false;
    }
    if (untaken_shared->changes_process != 0 && !untaken_reuse_put_signals_back()) {
        return false;
    }
    untaken_reuse->has_faulted = count_faults() != untaken_reuse->faults || untaken_reuse_has_mapped();
    return !untaken_reuse->has_faulted ||
           (untaken_reuse_put_mappings_back() && untaken_reuse_look_at_pages(note_page));
}

static _Noreturn void begin_if_as_before(void) {
    untaken_reuse->has_unmapped = false;
    if (!can_be_put_back()) {
        if (untaken_reuse->goes_on) {
            untaken_report_burst();
        }
        untaken_give_turn_away(getpid());
        _exit(0);
    }
    __atomic_add_fetch(&untaken_server_shared->further_runs, !untaken_reuse->has_unmapped, __ATOMIC_RELAXED);
    begin_next_run();
}

_Noreturn void untaken_next_run_or_exit(int code) {
    if (untaken_reuse_is_possible()) {
        on_other_stack(begin_if_as_before);
    }
    _exit(code);
}

_Noreturn void untaken_next_run_of_burst(void) {
    untaken_reuse->goes_on = true;
    on_other_stack(begin_if_as_before);
}

bool untaken_reuse_goes_on(void) {
    bool goes_on = untaken_reuse_is_possible() && untaken_reuse->goes_on;
    if (goes_on) {
        untaken_reuse->goes_on = false;
    }
    return goes_on;
}
