/* Pages that runs use. A run that is forked ahead maps and copies them while it waits, so that afterwards it need not
 * stop at each for the kernel.
 *
 * Some are known. The others are learnt, now and then, from a run that is over: /proc/self/pagemap tells what it has
 * mapped and copied of the memory that was there before it. Where there is no such file, runs are slower, no more. */
#include "shadow.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define MOST_PAGES 256
#define MOST_RANGES 128
#define LARGEST_RANGE (4u << 20)
#define STACK_IN_USE (3 * UNTAKEN_PAGE)
#define OFTEN 256 /* runs, from one that is learnt from to the next, at most */
#define ENTRIES 512                /* of the page map, read together */
#define PRESENT (1ull << 63)
#define OF_FILE (1ull << 61)
#define EXCLUSIVE (1ull << 56)
#define COPY 1u /* in the address of a page */

struct pages {
    uint32_t count;
    uintptr_t all[MOST_PAGES];
};

/* What was learnt from runs of a kind. */
struct lesson {
    uint32_t runs;      /* that are over */
    struct pages last;  /* of the run that was learnt from last */
    struct pages often; /* of that run and of the one before */
};

/* Shared by the server and its runs. Those that record expressions use more pages than others, and it is not known
 * which kind comes next. */
struct memory {
    struct lesson recording, concrete;
};

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

/* A line of /proc/self/maps: "begin-end rwxp ...". */
static void add_mapping(const char *line) {
    char *rest;
    uintptr_t begin = strtoul(line, &rest, 16);
    uintptr_t end = *rest == '-' ? strtoul(rest + 1, &rest, 16) : 0;
    bool is_private = strnlen(rest, 5) == 5 && rest[1] == 'r' && rest[4] == 'p';
    if (is_private && strstr(rest, "[v") == NULL) {
        add_range(begin, end, rest[2] == 'w');
    }
}

static void find_private(void) {
    char text[UNTAKEN_PAGE];
    size_t kept = 0;
    ssize_t got;
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && (got = read(fd, text + kept, sizeof text - 1 - kept)) > 0) {
        char *line = text, *end;
        text[kept + (size_t)got] = '\0';
        for (; (end = strchr(line, '\n')) != NULL; line = end + 1) {
            *end = '\0';
            add_mapping(line);
        }
        kept = strlen(line);
        memmove(text, line, kept);
    }
    if (fd >= 0) {
        close(fd);
    }
}

/* The beginning of each region of the memory that is shared with the driver. */
static void find_shared(void) {
    const struct untaken_shared *shared = untaken_shared;
    uintptr_t base = (uintptr_t)shared;
    for (const struct untaken_region *region = &shared->input; region <= &shared->biases; region++) {
        uintptr_t begin = base + region->offset / UNTAKEN_PAGE * UNTAKEN_PAGE, room = base + shared->size - begin;
        add_range(begin, begin + (room < LARGEST_RANGE ? room : LARGEST_RANGE) / UNTAKEN_PAGE * UNTAKEN_PAGE, false);
    }
}

void untaken_warm_start(void) {
    void *room = mmap(NULL, sizeof *memory, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (room != MAP_FAILED) {
        memory = room;
        find_private();
        find_shared();
    }
}

/* A file that was mapped before the first run, say, and that a run has cut short. */
void untaken_warm_forget(void) {
    if (memory != NULL) {
        memory->recording.often.count = memory->recording.last.count = 0;
        memory->concrete.often.count = memory->concrete.last.count = 0;
    }
    range_count = 0;
}

/* ---- In a run that waits ---- */

static void touch_known(void) {
    const struct untaken_core *core = &untaken_core;
    volatile uint8_t stack[STACK_IN_USE];
    (void)*(volatile uint8_t *)core->input;
    (void)*(volatile uint8_t *)core->events;
    (void)*(volatile uint8_t *)core->constraints;
    (void)*(volatile uint8_t *)core->fields;
    (void)*(volatile uint8_t *)core->coverage;
    (void)*(volatile int32_t *)&untaken_watch->runner;
    (void)untaken_now_ms();
    untaken_nodes_warm_up();
    untaken_tables_warm_up();
    __untaken_returned[0] = 0;
    for (unsigned i = 0; i < sizeof stack; i += UNTAKEN_PAGE) {
        stack[i] = 0;
    }
}

static void touch_learnt(const struct pages *pages) {
    for (uint32_t i = 0; i < pages->count; i++) {
        uintptr_t known = pages->all[i];
        volatile uint8_t *page = (volatile uint8_t *)(known & ~(uintptr_t)COPY);
        uint8_t first = *page;
        if (known & COPY) {
            *page = first;
        }
    }
}

void untaken_warm_up(void) {
    touch_known();
    if (memory != NULL) {
        touch_learnt(memory->recording.often.count != 0 ? &memory->recording.often : &memory->concrete.often);
    }
}

/* ---- In a run that is over ---- */

static struct pages found;

static void add_page(uintptr_t page) {
    if (found.count < MOST_PAGES) {
        found.all[found.count++] = page;
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
static void remember_found(struct lesson *lesson) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < found.count; i++) {
        if (contains(&lesson->last, found.all[i])) {
            lesson->often.all[count++] = found.all[i];
        }
    }
    lesson->often.count = count;
    lesson->last = found;
}

static bool is_own(uint64_t entry) { return (entry & (PRESENT | OF_FILE | EXCLUSIVE)) == (PRESENT | EXCLUSIVE); }

/* Pages of what is kept about the program's memory: those that were written to, and those that were only read. Many
 * pages of the program share one of these. */
static void add_kept(int map, uintptr_t begin, uintptr_t end) {
    for (uintptr_t page = begin & ~(uintptr_t)(UNTAKEN_PAGE - 1); page < end; page += UNTAKEN_PAGE) {
        uint64_t entry = 0;
        off_t place = (off_t)(page / UNTAKEN_PAGE * sizeof entry);
        uintptr_t used = page | (pread(map, &entry, sizeof entry, place) == sizeof entry && is_own(entry) ? COPY : 0);
        if ((entry & PRESENT) && !contains(&found, used)) {
            add_page(used);
        }
    }
}

static void add_tags(int map, uintptr_t page) {
    add_kept(map, (uintptr_t)tag_of(page), (uintptr_t)tag_of(page + UNTAKEN_PAGE));
}

/* A page that the run has copied, what there is of its labels, and what is known of heap blocks in it. */
static void add_copied(int map, uintptr_t page) {
    uintptr_t sizes = untaken_object_sizes(page), end = untaken_object_sizes(page + UNTAKEN_PAGE);
    add_page(page | COPY);
    add_tags(map, page);
    add_kept(map, (uintptr_t)labels_of(page), (uintptr_t)labels_of(page) + 4 * UNTAKEN_PAGE);
    add_kept(map, sizes, end);
}

static void look_at(int map, const struct range *range, const uint64_t *entries, uintptr_t begin, size_t count) {
    uintptr_t mapped = 0; /* all before, if both ends are touched: the kernel may begin with the mapping's first page */
    for (size_t i = 0; i < count; i++) {
        uintptr_t page = begin + i * UNTAKEN_PAGE;
        if (range->is_copied && is_own(entries[i])) {
            add_copied(map, page);
        } else if (!range->is_copied && (entries[i] & PRESENT) && (page >= mapped || page + UNTAKEN_PAGE == mapped)) {
            add_page(page);
            add_tags(map, page);
            mapped = (page & ~(uintptr_t)(UNTAKEN_AROUND - 1)) + UNTAKEN_AROUND;
        }
    }
}

static void look_through(int map, const struct range *range) {
    uint64_t entries[ENTRIES];
    for (uintptr_t begin = range->begin; begin < range->end; begin += ENTRIES * UNTAKEN_PAGE) {
        size_t left = (range->end - begin) / UNTAKEN_PAGE, size = left < ENTRIES ? left : ENTRIES;
        ssize_t got = pread(map, entries, size * sizeof *entries, (off_t)(begin / UNTAKEN_PAGE * sizeof *entries));
        look_at(map, range, entries, begin, got < 0 ? 0 : (size_t)got / sizeof *entries);
    }
}

/* After the first, the second, the fourth... */
static bool is_time_to_learn(uint32_t runs) { return (runs & (runs - 1)) == 0 || runs % OFTEN == 0; }

void untaken_warm_learn(void) {
    struct lesson *lesson = memory == NULL ? NULL : untaken_recording ? &memory->recording : &memory->concrete;
    if (lesson == NULL || !is_time_to_learn(++lesson->runs)) {
        return;
    }
    int map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    for (unsigned i = 0; map >= 0 && i < range_count; i++) {
        look_through(map, &ranges[i]);
    }
    remember_found(lesson);
}
