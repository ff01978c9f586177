/* What a symbolic address may point into: globals, heap blocks, and tables of the C library.
 *
 * Heap blocks start at multiples of 16, so their sizes lie in a sparse array with one element for each 16 bytes
 * of address space: adding and removing are one store, and finding looks backwards for the nearest start. */
#include "memory/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define GRANULE_SHIFT 4
#define GRANULES ((UNTAKEN_SHADOW_MASK + 1) >> GRANULE_SHIFT)
#define FARTHEST_START (1ull << (20 - GRANULE_SHIFT))
#define FURTHER_OBJECTS 64u
#define LATELY 4u

static struct untaken_global *globals;
static uint64_t global_count, global_capacity;
static bool sorted;
static uint32_t *block_sizes;
static struct untaken_global further[FURTHER_OBJECTS];
static unsigned further_count;
static struct untaken_global lately[LATELY]; /* that were found, blocks too */

static void *reserve(uint64_t size) {
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* By hand nothing is symbolic: then nothing is kept. */
void untaken_objects_start(void) {
    block_sizes = reserve(GRANULES * sizeof *block_sizes);
    if (block_sizes != NULL) {
        madvise(block_sizes, GRANULES * sizeof *block_sizes, MADV_DONTDUMP);
    }
}

static bool grow_globals(uint64_t needed) {
    if (needed <= global_capacity) {
        return true;
    }
    uint64_t capacity = needed * 2;
    struct untaken_global *bigger = reserve(capacity * sizeof *bigger);
    if (bigger == NULL) {
        return false;
    }
    if (global_count > 0) {
        memcpy(bigger, globals, global_count * sizeof *globals);
        munmap(globals, global_capacity * sizeof *globals);
    }
    globals = bigger;
    global_capacity = capacity;
    return true;
}

void untaken_globals_add(const struct untaken_global *begin, const struct untaken_global *end) {
    uint64_t count = (uint64_t)(end - begin);
    if (untaken_shared == NULL || count == 0 || !grow_globals(global_count + count)) {
        return;
    }
    memcpy(globals + global_count, begin, count * sizeof *globals);
    global_count += count;
    sorted = false;
}

static int by_address(const void *a, const void *b) {
    const struct untaken_global *left = a, *right = b;
    return left->address < right->address ? -1 : left->address > right->address;
}

void untaken_globals_sort(void) {
    if (!sorted && global_count > 0) {
        qsort(globals, global_count, sizeof *globals, by_address);
    }
    sorted = true;
}

static const struct untaken_global *find_global(const void *address) {
    untaken_globals_sort();
    uint64_t low = 0, high = global_count;
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        if (globals[middle].address <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low == 0 ? NULL : &globals[low - 1];
}

static const struct untaken_global *find_further(const void *address) {
    for (unsigned i = 0; i < further_count; i++) {
        uintptr_t start = (uintptr_t)further[i].address;
        if ((uintptr_t)address - start < further[i].size) {
            return &further[i];
        }
    }
    return NULL;
}

static bool starts_granule(const void *start) { return ((uintptr_t)start & ((1u << GRANULE_SHIFT) - 1)) == 0; }

static uint64_t granule_of(const void *start) {
    return ((uintptr_t)start & UNTAKEN_SHADOW_MASK) >> GRANULE_SHIFT;
}

uintptr_t untaken_object_sizes(uintptr_t address) {
    return block_sizes == NULL ? 0 : (uintptr_t)&block_sizes[granule_of((const void *)address)];
}

bool untaken_is_block(const void *start) {
    return block_sizes != NULL && starts_granule(start) && block_sizes[granule_of(start)] != 0;
}

static bool find_block(const void *address, struct untaken_global *block) {
    uint64_t granule = granule_of(address), farthest = granule < FARTHEST_START ? 0 : granule - FARTHEST_START;
    if (block_sizes == NULL) {
        return false;
    }
    uintptr_t start = (uintptr_t)address >> GRANULE_SHIFT << GRANULE_SHIFT;
    for (; granule > farthest; granule--, start -= 1u << GRANULE_SHIFT) {
        if (block_sizes[granule] != 0) {
            *block = (struct untaken_global){(const void *)start, block_sizes[granule]};
            return true;
        }
    }
    return false;
}

static bool holds(const struct untaken_global *object, const void *address) {
    return object != NULL && (uintptr_t)address - (uintptr_t)object->address < object->size;
}

static bool search_object(const void *address, struct untaken_global *found) {
    const struct untaken_global *object = find_global(address);
    if (!holds(object, address)) {
        object = find_further(address);
    }
    if (object != NULL) {
        *found = *object;
        return true;
    }
    return find_block(address, found) && holds(found, address);
}

/* A program mostly looks at the same few tables. */
static const struct untaken_global *find_lately(const void *address) {
    for (unsigned i = 0; i < LATELY; i++) {
        if (holds(&lately[i], address)) {
            return &lately[i];
        }
    }
    return NULL;
}

/* There is another object at the address now, or none. */
static void forget_lately(const void *address) {
    for (unsigned i = 0; i < LATELY; i++) {
        if (holds(&lately[i], address)) {
            lately[i].size = 0;
        }
    }
}

bool untaken_find_object(const void *address, const void **start, uint64_t *size) {
    static unsigned next;
    struct untaken_global found;
    const struct untaken_global *object = find_lately(address);
    if (object == NULL && search_object(address, &found)) {
        object = &found;
        lately[next++ % LATELY] = found;
    }
    if (object == NULL) {
        return false;
    }
    *start = object->address;
    *size = object->size;
    return true;
}

static void add_further(const void *start, uint64_t size) {
    if (find_further(start) == NULL && further_count < FURTHER_OBJECTS) {
        further[further_count++] = (struct untaken_global){start, size};
    }
}

void untaken_object_add(const void *start, uint64_t size) {
    if (start == NULL || size == 0 || untaken_shared == NULL) {
        return;
    }
    forget_lately(start);
    untaken_object_forget_size(start);
    if (!starts_granule(start)) {
        add_further(start, size);
    } else if (block_sizes != NULL) {
        block_sizes[granule_of(start)] = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
    }
}

void untaken_object_remove(const void *start) {
    forget_lately(start);
    untaken_object_forget_size(start);
    if (block_sizes != NULL && starts_granule(start)) {
        block_sizes[granule_of(start)] = 0;
    }
}
