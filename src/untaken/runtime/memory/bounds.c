/* Where memory ends: conditions on sizes and addresses of which only the concrete value is followed. Each holds as the pin
 * behind it does, and rules nothing out that the pin does not. But who looks for sizes that no run has had, or for what
 * goes past the end of a block, may flip it. */
#include "memory/memory.h"
#include "tracking/tracking.h"

#define SIZED_BLOCKS 16u

/* Blocks whose size depends on the input, the latest. */
static struct sized_block {
    const void *start;
    term size;
} sized[SIZED_BLOCKS];
static unsigned sized_count;

static bool is_of_interest(term value) {
    return value.label != 0 && untaken_recording && !untaken_is_pinned(value);
}

static void bound(enum untaken_op op, term value, uint64_t limit) {
    untaken_bound(term_binary(op, value, term_constant(value.width, limit)));
}

/* None at all, one of half as many bits, the next larger power of two, and more than anybody has: a size has few others
 * beside it, and from those there are more. */
void untaken_bound_size(term size) {
    if (is_of_interest(size)) {
        unsigned bits = 64 - (unsigned)__builtin_clzll(size.value | 1);
        bound(UNTAKEN_OP_EQ, size, 0);
        if (size.value > 1) {
            bound(UNTAKEN_OP_ULT, size, 1ull << (bits / 2));
        }
        if (bits < size.width) {
            bound(UNTAKEN_OP_ULT, size, 1ull << bits);
        }
        bound(UNTAKEN_OP_SLT, size, 0);
    }
}

static struct sized_block *find_sized(const void *start) {
    for (unsigned i = 0; i < sized_count; i++) {
        if (sized[i].start == start) {
            return &sized[i];
        }
    }
    return NULL;
}

void untaken_object_forget_size(const void *start) {
    struct sized_block *block = find_sized(start);
    if (block != NULL) {
        *block = sized[--sized_count];
    }
}

void untaken_object_sized(const void *start, term size) {
    if (start == NULL || size.label == 0 || size.width != 64) {
        return;
    }
    untaken_object_forget_size(start);
    if (sized_count == SIZED_BLOCKS) {
        memmove(sized, sized + 1, --sized_count * sizeof *sized);
    }
    sized[sized_count++] = (struct sized_block){start, size};
}

static term size_of(const void *start, uint64_t size) {
    const struct sized_block *block = find_sized(start);
    return block != NULL && block->size.value == size ? block->size : term_constant(64, size);
}

void untaken_bound_within(term address, uint64_t bytes, const void *start, uint64_t size) {
    uint64_t offset = address.value - (uintptr_t)start;
    if (is_of_interest(address) && size >= bytes && offset <= size - bytes) {
        term from = term_binary(UNTAKEN_OP_SUB, address, term_constant(64, (uintptr_t)start));
        term room = term_binary(UNTAKEN_OP_SUB, size_of(start, size), term_constant(64, bytes));
        untaken_bound(term_binary(UNTAKEN_OP_ULE, from, room));
    }
}

void untaken_bound_access(term address, uint64_t bytes) {
    const void *start;
    uint64_t size;
    if (is_of_interest(address) && untaken_find_object((const void *)(uintptr_t)address.value, &start, &size)) {
        untaken_bound_within(address, bytes, start, size);
    }
}

static void bound_room(term count, const void *place) {
    const void *start;
    uint64_t size;
    if (untaken_find_object(place, &start, &size)) {
        uint64_t offset = (uintptr_t)place - (uintptr_t)start;
        term room = term_binary(UNTAKEN_OP_SUB, size_of(start, size), term_constant(64, offset));
        untaken_bound(term_binary(UNTAKEN_OP_ULE, count, room));
    }
}

void untaken_pin_count(term count, const void *to, const void *from) {
    if (is_of_interest(count)) {
        if (count.value == 0) {
            bound(UNTAKEN_OP_EQ, count, 0); /* what would have been copied shows in no condition */
        }
        bound_room(count, to);
        if (from != NULL) {
            bound_room(count, from);
        }
    }
    untaken_pin_term(count);
}
