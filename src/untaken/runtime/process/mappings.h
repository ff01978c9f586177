/* The mappings of this process, and what the kernel says of their pages. */
#ifndef UNTAKEN_PROCESS_MAPPINGS_H
#define UNTAKEN_PROCESS_MAPPINGS_H

#include "state.h"

struct untaken_mapping {
    uintptr_t begin, end;
    char rights[4];   /* as the kernel writes them */
    bool is_programs; /* private, can be read, and none of the kernel's own */
    bool is_written;  /* and can be written to */
    bool of_file;
};

/* Calls the function with each, in the order of addresses. */
void untaken_each_mapping(void (*each)(const struct untaken_mapping *));

/* How many pages are mapped in all, whether or not there is anything in them; 0 if nobody tells. */
uint64_t untaken_mapped_pages(void);

/* Has the kernel map a page for writing, and changes nothing. It is one operation: others may write to a shared
 * page. */
static inline void untaken_touch_to_write(volatile uint8_t *place) {
    uint8_t nothing = 0;
    __atomic_compare_exchange_n(place, &nothing, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* Entries of /proc/self/pagemap. */
#define UNTAKEN_PRESENT (1ull << 63)
#define UNTAKEN_OF_FILE (1ull << 61)
#define UNTAKEN_EXCLUSIVE (1ull << 56)

/* A page that this process has for itself: mostly since it has written to it. */
static inline bool untaken_is_own(uint64_t entry) {
    return (entry & (UNTAKEN_PRESENT | UNTAKEN_OF_FILE | UNTAKEN_EXCLUSIVE)) == (UNTAKEN_PRESENT | UNTAKEN_EXCLUSIVE);
}

#endif
