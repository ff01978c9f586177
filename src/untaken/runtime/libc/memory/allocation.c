/* Models of allocation: they keep the table of live blocks, which a symbolic index may point into, and see to
 * it that no label outlives the bytes it was for. */
#define _GNU_SOURCE
#include "libc/model.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

void block_added(void *block, uint64_t size) {
    if (!block)
        return;
    untaken_object_add(block, size);
    if (untaken_memory_symbolic(block, size))
        untaken_memory_clear(block, size);
}

/* The size that was asked for, 0 if the block is not known. libc is not asked: a block that the program must not
 * free, or whose header it overwrote, is to fail as it would have failed. */
static uint64_t known_size(const void *block) {
    const void *start;
    uint64_t size;
    return block && untaken_find_object(block, &start, &size) && start == block ? size : 0;
}

static void block_removed(void *block) {
    uint64_t size = known_size(block);
    untaken_object_remove(block);
    if (untaken_memory_symbolic(block, size))
        untaken_memory_clear(block, size);
}

/* A run that wanders has no labels, and the prologue neither; but a search from its snapshot, or a run that goes on from
 * there, looks into the blocks that it made. */
static void wander_with(void *block, uint64_t size, void *gone) {
    if (!untaken_state.wandering && !untaken_state.in_prologue)
        return;
    if (gone)
        untaken_object_remove(gone);
    untaken_object_add(block, size);
}

/* A block came of a call whose integer arguments, sizes and the like, are `values`. */
static void record_block(void *self, void *block, uint64_t size, unsigned count, const uint64_t *values) {
    untaken_label labels[4];
    if (!model_begin(self, labels, count)) {
        wander_with(block, size, NULL);
        return;
    }
    for (unsigned index = 0; index < count; index++)
        model_pin(labels[index], values[index]);
    block_added(block, size);
    model_end_concrete(self);
}

void *untaken_model_malloc(size_t size) {
    void *block = malloc(size);
    record_block(SELF(malloc), block, size, 1, (uint64_t[]){size});
    return block;
}

void *untaken_model_calloc(size_t count, size_t size) {
    void *block = calloc(count, size);
    record_block(SELF(calloc), block, count * size, 2, (uint64_t[]){count, size});
    return block;
}

void *untaken_model_aligned_alloc(size_t alignment, size_t size) {
    void *block = aligned_alloc(alignment, size);
    record_block(SELF(aligned_alloc), block, size, 2, (uint64_t[]){alignment, size});
    return block;
}

void *untaken_model_memalign(size_t alignment, size_t size) {
    void *block = memalign(alignment, size);
    record_block(SELF(memalign), block, size, 2, (uint64_t[]){alignment, size});
    return block;
}

void *untaken_model_valloc(size_t size) {
    void *block = valloc(size);
    record_block(SELF(valloc), block, size, 1, (uint64_t[]){size});
    return block;
}

int untaken_model_posix_memalign(void **block, size_t alignment, size_t size) {
    int result = posix_memalign(block, alignment, size);
    if (runtime_begin()) {
        untaken_memory_clear(block, sizeof *block);
        runtime_leave();
    }
    void *made = result == 0 ? *block : NULL;
    record_block(SELF(posix_memalign), made, size, 3, (uint64_t[]){(uintptr_t)block, alignment, size});
    return result;
}

static void free_block(void *self, void *block) {
    untaken_label label;
    if (!block)
        return;
    if (!model_begin(self, &label, 1)) {
        wander_with(NULL, 0, block);
        return;
    }
    model_pin_pointer(label, block);
    block_removed(block);
    model_end_concrete(self);
}

void untaken_model_free(void *block) {
    free_block(SELF(free), block);
    free(block);
}

void untaken_model_cfree(void *block) {
    free_block(SELF(cfree), block);
    free(block);
}

/* A block that moves takes its labels along. */
static void record_move(void *self, void *block, uint64_t size, unsigned count, const uint64_t *values) {
    untaken_label labels[4];
    uintptr_t old = (uintptr_t)values[0];
    bool gone = old && (block || size == 0);
    if (!model_begin(self, labels, count)) {
        wander_with(block, size, gone ? (void *)old : NULL);
        return;
    }
    uint64_t old_size = known_size((void *)old);
    for (unsigned index = 0; index < count; index++)
        model_pin(labels[index], values[index]);
    if (gone)
        untaken_object_remove((void *)old);
    if (block)
        untaken_object_add(block, size);
    if (block && (uintptr_t)block != old) {
        uint64_t kept = old_size < size ? old_size : size;
        if (untaken_memory_symbolic(block, size))
            untaken_memory_clear(block, size);
        untaken_memory_copy(block, (void *)old, kept);
    }
    if (gone && (uintptr_t)block != old)
        untaken_memory_clear((void *)old, old_size);
    model_end_concrete(self);
}

void *untaken_model_realloc(void *old, size_t size) {
    uint64_t values[] = {(uintptr_t)old, size};
    void *block = realloc(old, size);
    record_move(SELF(realloc), block, size, 2, values);
    return block;
}

void *untaken_model_reallocarray(void *old, size_t count, size_t size) {
    uint64_t values[] = {(uintptr_t)old, count, size};
    void *block = reallocarray(old, count, size);
    record_move(SELF(reallocarray), block, count * size, 3, values);
    return block;
}
