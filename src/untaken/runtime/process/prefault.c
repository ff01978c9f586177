/* Pages that runs use. A run that is forked ahead maps and copies them while it waits, so that afterwards it need not
 * stop at each for the kernel.
 *
 * Some are known. The others are learnt, now and then, from a run that touched none of them ahead: when it is over,
 * /proc/self/pagemap tells what it has mapped and copied of the memory that was there before it. Where there is no such
 * file, runs are slower, no more. */
#include "memory/shadow.h"
#include "process/mappings.h"
#include "process/process.h"

#include <fcntl.h>
#include <unistd.h>

#define MOST_PAGES 256
#define MOST_RANGES 128
#define LARGEST_RANGE (4u << 20)
#define OFTEN 512   /* runs, from two that are learnt from to the next, at most */
#define ENTRIES 512 /* of the page map, read together */
#define POWERS_OF_FOUR 0x5555555555555554ull
#define FEW_PAGES 2 /* the kernel is quicker to map so many, one by one, than all that lie around */
#define COPY 1u /* in the address of a page */

struct pages {
    uint32_t count;
    uintptr_t all[MOST_PAGES];
};

/* Pages that runs of one kind (recording, or concrete) have used. */
struct learnt {
    struct pages lately; /* of the run that was learnt from last, or of the one before */
    struct pages last;   /* of that run alone */
};

/* Shared by the server and its runs. Those that record expressions use more pages than others, and it is not known
 * which kind comes next. */
struct memory {
    uint64_t runs; /* that were forked */
    struct learnt recording, concrete;
};
const size_t untaken_prefault_size = sizeof(struct memory);

struct range {
    uintptr_t begin, end;
    bool is_copied; /* by a run that writes to it */
};

static struct memory *memory;
static struct range ranges[MOST_RANGES];
static unsigned range_count;

/* ---- In the server: the memory that every run begins with ---- */

static void add_range(uintptr_t begin, uintptr_t end, bool is_copied) {
    if (range_count < MOST_RANGES && end - begin <= LARGEST_RANGE) {
        ranges[range_count++] = (struct range){begin, end, is_copied};
    }
}

static void add_mapping(const struct untaken_mapping *mapping) {
    if (mapping->is_programs) {
        add_range(mapping->begin, mapping->end, mapping->is_written);
    }
}

/* The beginning of each region of the memory that is shared with the driver. */
static void find_shared(void) {
    const struct untaken_shared *shared = untaken_shared;
    uintptr_t base = (uintptr_t)shared;
    for (const struct untaken_region *region = &shared->input; region <= &shared->words; region++) {
        uintptr_t begin = base + region->offset / UNTAKEN_PAGE * UNTAKEN_PAGE, room = base + shared->size - begin;
        add_range(begin, begin + (room < LARGEST_RANGE ? room : LARGEST_RANGE) / UNTAKEN_PAGE * UNTAKEN_PAGE, false);
    }
}

void untaken_prefault_start(void *room) {
    memory = room;
    untaken_each_mapping(add_mapping);
    find_shared();
}

/* A file that was mapped before the first run, say, and that a run has cut short. */
void untaken_prefault_forget(void) {
    memory->recording.lately.count = memory->recording.last.count = 0;
    memory->concrete.lately.count = memory->concrete.last.count = 0;
    range_count = 0;
}

/* ---- In a run that waits ---- */

/* Shared memory of which the last run used so much. */
static void touch_shared(void *start, uint64_t size) {
    uint8_t *begin = start;
    if (size > FEW_PAGES * UNTAKEN_PAGE) {
        (void)*(volatile uint8_t *)begin;
        return;
    }
    for (uint64_t used = 0; used == 0 || used < size; used += UNTAKEN_PAGE) {
        untaken_touch_to_write(begin + used);
    }
}

static void touch_results(void) {
    const struct untaken_state *state = &untaken_state;
    const struct untaken_shared *shared = untaken_shared;
    touch_shared(state->input, shared->input_used);
    touch_shared(state->fields, shared->field_count * sizeof *state->fields);
    touch_shared(state->events, UNTAKEN_EVENT_BLOCK * sizeof *state->events);
    touch_shared(state->constraints, shared->constraint_count * sizeof *state->constraints);
    touch_shared(state->coverage, shared->id_count);
}

static void touch_known(void) {
    volatile uint8_t stack[UNTAKEN_STACK_IN_USE];
    touch_results();
    (void)*(volatile int32_t *)&untaken_server_shared->runner;
    (void)untaken_now_ms();
    untaken_nodes_prefault();
    untaken_tables_prefault();
    __untaken_returned[0] = 0;
    for (unsigned i = 0; i < sizeof stack; i += UNTAKEN_PAGE) {
        stack[i] = 0;
    }
}

static void touch_learnt(const struct pages *pages) {
    for (uint32_t i = 0; i < pages->count; i++) {
        volatile uint8_t *page = (volatile uint8_t *)(pages->all[i] & ~(uintptr_t)COPY);
        if (pages->all[i] & COPY) {
            untaken_touch_to_write(page);
        } else {
            (void)*page;
        }
    }
}

/* The first, the 4th, the 16th, the 64th... and always the next one too, which may well be of the other kind. */
static bool is_time_to_learn(uint64_t run) {
    uint64_t even = run & ~1ull;
    return run == 1 || ((even & (even - 1)) == 0 && (even & POWERS_OF_FOUR) != 0) || even % OFTEN == 0;
}

void untaken_prefault(void) {
    touch_known();
    untaken_state.learns_pages = is_time_to_learn(__atomic_add_fetch(&memory->runs, 1, __ATOMIC_RELAXED));
    if (!untaken_state.learns_pages) {
        touch_learnt(memory->recording.lately.count != 0 ? &memory->recording.lately : &memory->concrete.lately);
    }
}

/* ---- In a run that is over ---- */

/* The page map, and what was found there. */
struct search {
    int map;
    struct pages found;
};

static void add_page(struct pages *pages, uintptr_t page) {
    if (pages->count < MOST_PAGES) {
        pages->all[pages->count++] = page;
    }
}

static bool contains(const struct pages *pages, uintptr_t page) {
    for (uint32_t i = 0; i < pages->count; i++) {
        if (pages->all[i] == page) {
            return true;
        }
    }
    return false;
}

/* A run that waits may be reading: what it finds is a page in any case. */
static void remember_found(struct learnt *learnt, const struct pages *found) {
    struct pages before = learnt->last;
    learnt->last = learnt->lately = *found;
    for (uint32_t i = 0; i < before.count; i++) {
        if (!contains(found, before.all[i])) {
            add_page(&learnt->lately, before.all[i]);
        }
    }
}

/* Pages of what is kept about the program's memory: those that were written to, and those that were only read. Many
 * pages of the program share one of these. */
static void add_kept(struct search *search, uintptr_t begin, uintptr_t end) {
    for (uintptr_t page = begin & ~(uintptr_t)(UNTAKEN_PAGE - 1); page < end; page += UNTAKEN_PAGE) {
        uint64_t entry = 0;
        off_t place = (off_t)(page / UNTAKEN_PAGE * sizeof entry);
        ssize_t got = pread(search->map, &entry, sizeof entry, place);
        uintptr_t used = page | (got == sizeof entry && untaken_is_own(entry) ? COPY : 0);
        if ((entry & UNTAKEN_PRESENT) && !contains(&search->found, used)) {
            add_page(&search->found, used);
        }
    }
}

static void add_tags(struct search *search, uintptr_t page) {
    add_kept(search, (uintptr_t)tag_of(page), (uintptr_t)tag_of(page + UNTAKEN_PAGE));
}

/* A page that the run has copied, what there is of its labels, and what is known of heap blocks in it. */
static void add_copied(struct search *search, uintptr_t page) {
    uintptr_t sizes = untaken_object_sizes(page), end = untaken_object_sizes(page + UNTAKEN_PAGE);
    add_page(&search->found, page | COPY);
    add_tags(search, page);
    add_kept(search, (uintptr_t)labels_of(page), (uintptr_t)labels_of(page) + 4 * UNTAKEN_PAGE);
    add_kept(search, sizes, end);
}

static void look_at(struct search *search, const struct range *range, const uint64_t *entries, uintptr_t begin,
                    size_t count) {
    uintptr_t mapped = 0; /* all before, if both ends are touched: the kernel may begin with the mapping's first page */
    for (size_t i = 0; i < count; i++) {
        uintptr_t page = begin + i * UNTAKEN_PAGE;
        if (range->is_copied && untaken_is_own(entries[i])) {
            add_copied(search, page);
        } else if (!range->is_copied && (entries[i] & UNTAKEN_PRESENT) && (page >= mapped || page + UNTAKEN_PAGE == mapped)) {
            add_page(&search->found, page);
            add_tags(search, page);
            mapped = (page & ~(uintptr_t)(UNTAKEN_FAULT_AROUND - 1)) + UNTAKEN_FAULT_AROUND;
        }
    }
}

static void look_through(struct search *search, const struct range *range) {
    uint64_t entries[ENTRIES];
    for (uintptr_t begin = range->begin; begin < range->end; begin += ENTRIES * UNTAKEN_PAGE) {
        size_t left = (range->end - begin) / UNTAKEN_PAGE, size = left < ENTRIES ? left : ENTRIES;
        off_t place = (off_t)(begin / UNTAKEN_PAGE * sizeof *entries);
        ssize_t got = pread(search->map, entries, size * sizeof *entries, place);
        look_at(search, range, entries, begin, got < 0 ? 0 : (size_t)got / sizeof *entries);
    }
}

void untaken_prefault_learn(void) {
    if (!untaken_state.learns_pages) {
        return;
    }
    struct search search = {.map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC), .found.count = 0};
    for (unsigned i = 0; search.map >= 0 && i < range_count; i++) {
        look_through(&search, &ranges[i]);
    }
    remember_found(untaken_recording ? &memory->recording : &memory->concrete, &search.found);
}
