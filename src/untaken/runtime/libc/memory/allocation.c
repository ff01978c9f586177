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

/* The integer arguments of a call that allocates: the last of them, as many as `factors`, are multiplied. */
struct request {
    unsigned count, factors;
    uint64_t values[3];
};

static uint64_t requested(const struct request *request) {
    uint64_t last = request->values[request->count - 1];
    return request->factors == 2 ? request->values[request->count - 2] * last : last;
}

/* Pins them all, and has the size as an expression. */
static term pin_request(const struct request *request, const untaken_label *labels) {
    term size = term_constant(64, 1);
    for (unsigned index = request->count - request->factors; index < request->count; index++) {
        term factor = labels[index] ? term_believed(labels[index], 64, request->values[index])
                                    : term_constant(64, request->values[index]);
        size = term_binary(UNTAKEN_OP_MUL, size, factor);
    }
    untaken_bound_size(size);
    for (unsigned index = 0; index < request->count; index++)
        model_pin(labels[index], request->values[index]);
    return size;
}

static void record_block(void *self, void *block, struct request request) {
    untaken_label labels[4];
    uint64_t size = requested(&request);
    if (!model_begin(self, labels, request.count)) {
        wander_with(block, size, NULL);
        return;
    }
    term asked = pin_request(&request, labels);
    block_added(block, size);
    untaken_object_sized(block, asked);
    model_end_concrete(self);
}

void *untaken_model_malloc(size_t size) {
    void *block = malloc(size);
    record_block(SELF(malloc), block, (struct request){1, 1, {size}});
    return block;
}

void *untaken_model_calloc(size_t count, size_t size) {
    void *block = calloc(count, size);
    record_block(SELF(calloc), block, (struct request){2, 2, {count, size}});
    return block;
}

void *untaken_model_aligned_alloc(size_t alignment, size_t size) {
    void *block = aligned_alloc(alignment, size);
    record_block(SELF(aligned_alloc), block, (struct request){2, 1, {alignment, size}});
    return block;
}

void *untaken_model_memalign(size_t alignment, size_t size) {
    void *block = memalign(alignment, size);
    record_block(SELF(memalign), block, (struct request){2, 1, {alignment, size}});
    return block;
}

void *untaken_model_valloc(size_t size) {
    void *block = valloc(size);
    record_block(SELF(valloc), block, (struct request){1, 1, {size}});
    return block;
}

int untaken_model_posix_memalign(void **block, size_t alignment, size_t size) {
    int result = posix_memalign(block, alignment, size);
    if (runtime_begin()) {
        untaken_memory_clear(block, sizeof *block);
        runtime_leave();
    }
    void *made = result == 0 ? *block : NULL;
    record_block(SELF(posix_memalign), made, (struct request){3, 1, {(uintptr_t)block, alignment, size}});
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
static void record_move(void *self, void *block, struct request request) {
    untaken_label labels[4];
    uintptr_t old = (uintptr_t)request.values[0];
    uint64_t size = requested(&request);
    bool gone = old && (block || size == 0);
    if (!model_begin(self, labels, request.count)) {
        wander_with(block, size, gone ? (void *)old : NULL);
        return;
    }
    uint64_t old_size = known_size((void *)old);
    term asked = pin_request(&request, labels);
    if (gone)
        untaken_object_remove((void *)old);
    if (block) {
        untaken_object_add(block, size);
        untaken_object_sized(block, asked);
    }
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
    struct request request = {2, 1, {(uintptr_t)old, size}};
    void *block = realloc(old, size);
    record_move(SELF(realloc), block, request);
    return block;
}

void *untaken_model_reallocarray(void *old, size_t count, size_t size) {
    struct request request = {3, 2, {(uintptr_t)old, count, size}};
    void *block = reallocarray(old, count, size);
    record_move(SELF(reallocarray), block, request);
    return block;
}
