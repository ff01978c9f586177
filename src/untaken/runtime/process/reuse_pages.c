/* Which pages of a process hold something, and which are its own: asked of the kernel, see reuse.c. */
#define _GNU_SOURCE
#include "process/reuse.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define FOUND_AT_ONCE 64u
#define ENTRIES_AT_ONCE 128u

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

UNTAKEN_OWN struct untaken_mapping untaken_reuse_written[MOST_RANGES];
UNTAKEN_OWN unsigned untaken_reuse_written_count;

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

static bool look_at_some(int map, uintptr_t begin, size_t count, untaken_page_look *look) {
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

static bool look_at_region(int map, const struct region *region, untaken_page_look *look) {
    for (uintptr_t begin = region->begin; begin < region->end; begin += ENTRIES_AT_ONCE * UNTAKEN_PAGE) {
        size_t left = (region->end - begin) / UNTAKEN_PAGE;
        if (!look_at_some(map, begin, left < ENTRIES_AT_ONCE ? left : ENTRIES_AT_ONCE, look)) {
            return false;
        }
    }
    return true;
}

static bool look_through(int map, const struct untaken_mapping *range, untaken_page_look *look) {
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

bool untaken_reuse_look_at_pages(untaken_page_look *look) {
    bool whole = true;
    int map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    for (unsigned i = 0; map >= 0 && whole && i < untaken_reuse_written_count; i++) {
        whole = look_through(map, &untaken_reuse_written[i], look);
    }
    if (map >= 0) {
        close(map);
    }
    return map >= 0 && whole;
}
