/* What a load through a symbolic address may read besides what it did read: the program itself must be able to. */
#define _GNU_SOURCE
#include "memory/memory.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#define GRANULE 8u /* of AddressSanitizer: its first bytes may be good and the others not, never the other way round */
#define NO_SUCH_WAY (-1)

#define REMEMBERED 8u

UNTAKEN_EVERY_RUN static bool have_changed; /* rights, by a call of the program's own */
UNTAKEN_EVERY_RUN static uint64_t readable[REMEMBERED]; /* pages that were, since */

/* AddressSanitizer's, if the program has it. */
extern int __asan_address_is_poisoned(const volatile void *address) __attribute__((weak));
extern void *__asan_region_is_poisoned(void *begin, size_t size) __attribute__((weak));

static uint64_t page_of(uint64_t address) { return address / UNTAKEN_PAGE; }

/* The kernel looks at the mask, a whole number of which fill a page, before it finds that there is nothing to do
 * with it. */
static bool is_readable(uint64_t page) {
    int saved = errno;
    const void *mask = (const void *)(uintptr_t)(page * UNTAKEN_PAGE);
    bool unreadable = syscall(SYS_rt_sigprocmask, NO_SUCH_WAY, mask, NULL, sizeof(uint64_t)) < 0 && errno == EFAULT;
    errno = saved;
    return !unreadable;
}

bool untaken_is_readable(const void *address) { return is_readable(page_of((uintptr_t)address)); }

void untaken_rights_changed(void) {
    have_changed = true;
    memset(readable, 0, sizeof readable);
}

/* To ask takes as long as many a table. */
static bool is_known_readable(uint64_t page) {
    uint64_t *known = &readable[page % REMEMBERED];
    if (*known != page && is_readable(page)) {
        *known = page;
    }
    return *known == page;
}

bool untaken_is_known_readable(const void *address) { return is_known_readable(page_of((uintptr_t)address)); }

/* Mappings begin with a page, and their pages come and go in more ways than we see. */
static void clip_pages(struct untaken_range *starts, uint64_t address, uint32_t size, const void *object) {
    bool (*may_read)(uint64_t) = (uintptr_t)object % UNTAKEN_PAGE == 0 ? is_readable : is_known_readable;
    uint64_t low = page_of(address), high = page_of(address + size - 1);
    while (low > page_of(starts->low) && may_read(low - 1)) {
        low--;
    }
    while (high < page_of(starts->high + size - 1) && may_read(high + 1)) {
        high++;
    }
    uint64_t begin = low * UNTAKEN_PAGE, end = (high + 1) * UNTAKEN_PAGE;
    starts->low = starts->low > begin ? starts->low : begin;
    starts->high = starts->high < end - size ? starts->high : end - size;
}

bool untaken_is_poisoned(const void *address) {
    return __asan_address_is_poisoned != NULL && __asan_address_is_poisoned(address);
}

static bool is_guarded(void) { return __asan_region_is_poisoned != NULL && __asan_address_is_poisoned != NULL; }

/* The first byte from which on all up to the address are good, or one before `low`. */
static uint64_t begin_of_good(uint64_t low, uint64_t address) {
    uint64_t begin = address / GRANULE * GRANULE;
    while (begin > low && !__asan_address_is_poisoned((const void *)(uintptr_t)(begin - 1))) {
        begin -= GRANULE;
    }
    return begin;
}

/* The first bad byte from the address on, or `end`. */
static uint64_t end_of_good(uint64_t address, uint64_t end) {
    void *bad = address < end ? __asan_region_is_poisoned((void *)(uintptr_t)address, end - address) : NULL;
    return bad != NULL ? (uint64_t)(uintptr_t)bad : end;
}

static void clip_poisoned(struct untaken_range *starts, uint64_t address, uint32_t size) {
    uint64_t begin = begin_of_good(starts->low, address), end = end_of_good(address + size, starts->high + size);
    starts->low = starts->low > begin ? starts->low : begin;
    starts->high = end - size;
}

bool untaken_find_guarded(uint64_t address, const void **start, uint64_t *size) {
    if (!is_guarded() || address < UNTAKEN_LARGEST_EXTENT) {
        return false;
    }
    uint64_t low = address - UNTAKEN_LARGEST_EXTENT, high = address + UNTAKEN_LARGEST_EXTENT;
    uint64_t begin = begin_of_good(low, address), end = end_of_good(address, high);
    *start = (const void *)(uintptr_t)begin;
    *size = end - begin;
    return begin > low && begin < end && end < high;
}

/* Most tables are small, and lie on the page that was read from. */
static bool are_on_same_page(const struct untaken_range *starts, uint64_t address, uint32_t size) {
    return page_of(starts->low) >= page_of(address) &&
           page_of(starts->high + size - 1) <= page_of(address + size - 1);
}

static bool may_be_unreadable(const void *object) {
    return have_changed || is_guarded() || untaken_is_block(object);
}

void untaken_clip_to_readable(struct untaken_range *starts, uint64_t address, uint32_t size, const void *object) {
    if (!are_on_same_page(starts, address, size) && may_be_unreadable(object)) {
        clip_pages(starts, address, size, object);
    }
    if (is_guarded()) {
        clip_poisoned(starts, address, size);
    }
}
