/* What the models of libc share; see libc/model.h. */
#include "libc/model.h"

#define PAGE_SIZE 4096u
#define KEPT_STEPS 64u

bool model_begin(void *self, untaken_label *labels, unsigned count) {
    if (!untaken_recording)
        return false;
    untaken_arguments(self, labels, count);
    untaken_return(self, 0);
    return runtime_enter();
}

void model_end_label(void *self, untaken_label label) {
    runtime_leave();
    untaken_return(self, label);
}

void model_end_concrete(void *self) { model_end_label(self, 0); }

void model_end(void *self, term result, uint64_t concrete) {
    if (result.label && result.value != concrete) {
        untaken_count_concretised(UNTAKEN_BY_OTHER);
        result.label = 0;
    }
    model_end_label(self, result.label);
}

void model_not_followed(void *self, const char *name, const void *first, uint64_t first_size, const void *second,
                 uint64_t second_size) {
    untaken_label none;
    if (!model_begin(self, &none, 0))
        return;
    if (untaken_memory_symbolic(first, first_size) || untaken_memory_symbolic(second, second_size))
        untaken_count_external(name);
    model_end_concrete(self);
}

term term_between(term a, uint64_t low, uint64_t high) {
    if (low == high)
        return term_equals(a, low);
    term shifted = low ? term_binary(UNTAKEN_OP_SUB, a, term_constant(a.width, low)) : a;
    uint64_t mask = UINT64_MAX >> (64 - a.width); /* a range may go over zero, from -1 to 5, say */
    return term_binary(UNTAKEN_OP_ULE, shifted, term_constant(a.width, (high - low) & mask));
}

term term_to_64(term a) { return a.width == 64 ? a : term_extend(UNTAKEN_OP_ZEXT, a, 64); }

/* The byte is on a page that is there, though maybe past the object that was passed in. */
__attribute__((no_sanitize("address"))) static unsigned char neighbour(const unsigned char *address) {
    return *(const volatile unsigned char *)address;
}

bool span_byte(const struct span *span, uint64_t index, term *byte) {
    const unsigned char *address = span->start + index;
    if (index < span->seen || untaken_memory_symbolic(address, 1)) {
        *byte = untaken_memory_byte(address);
        return true;
    }
    if (index == 0 || (uintptr_t)address % PAGE_SIZE == 0 || untaken_is_poisoned(address))
        return false;
    *byte = term_constant(8, neighbour(address));
    return true;
}

/* How far the walk may go: to the first position where it must stop, or of which not all is known. */
struct extent {
    uint64_t end;
    bool certain; /* the walk stops at `end` for every input */
    bool stopped; /* the run at hand stopped at `end` or before */
    struct scan_step last;
    struct scan_step kept[KEPT_STEPS]; /* those before `end`, so that few are asked for twice */
};

static void find_extent(scan_position *position, const void *context, struct extent *extent) {
    extent->end = 0;
    extent->certain = extent->stopped = false;
    extent->last = (struct scan_step){.stop = term_false()};
    for (unsigned symbolic = 0; symbolic < SCAN_LIMIT; extent->end++) {
        bool known = position(context, extent->end, &extent->last);
        extent->certain = term_certain(extent->last.stop);
        extent->stopped |= extent->last.stop.value != 0;
        if (extent->certain || !known)
            return;
        if (extent->end < KEPT_STEPS)
            extent->kept[extent->end] = extent->last;
        symbolic += extent->last.stop.label != 0;
    }
    extent->last.stop = term_false();
}

static bool step_before_end(scan_position *position, const void *context, const struct extent *extent, uint64_t index,
                            struct scan_step *step) {
    if (index >= KEPT_STEPS)
        return position(context, index, step);
    *step = extent->kept[index];
    return true;
}

/* Pinned, where the walk would run out of what is known: that it stops before, or not, as it did. If it did, who looks for
 * what goes past the end of a block may flip it. */
static void pin_stop(scan_position *position, const void *context, const struct extent *extent) {
    term stopped = extent->last.stop;
    struct scan_step step;
    for (uint64_t index = 0; index < extent->end && step_before_end(position, context, extent, index, &step); index++)
        stopped = term_or(stopped, step.stop);
    if (stopped.value)
        untaken_bound(stopped);
    untaken_decide(UNTAKEN_PIN, stopped, 0);
}

term scan(scan_position *position, const void *context, uint64_t concrete, uint8_t width) {
    struct extent extent;
    find_extent(position, context, &extent);
    if (!extent.certain)
        pin_stop(position, context, &extent);
    if (!extent.stopped)
        return term_constant(width, concrete);
    term result = term_impossible(extent.last.stop) ? term_constant(width, concrete) : extent.last.result;
    for (uint64_t index = extent.end; index-- > 0;) {
        struct scan_step step;
        if (step_before_end(position, context, &extent, index, &step) && !term_impossible(step.stop))
            result = term_ite(step.stop, step.result, result);
    }
    return result;
}

void string_decide_length_within(const char *string, uint64_t length, uint64_t limit) {
    uint64_t seen = length < limit ? length + 1 : limit;
    if (!untaken_memory_symbolic(string, seen))
        return;
    term shape = term_true();
    for (uint64_t index = 0; index < seen; index++) {
        term end = term_equals(untaken_memory_byte(string + index), 0);
        shape = term_and(shape, index < length ? term_not(end) : end);
    }
    untaken_decide(UNTAKEN_LIBRARY, shape, 0);
}

void string_decide_length(const char *string, uint64_t length) {
    string_decide_length_within(string, length, UINT64_MAX);
}
