/* Models of qsort and bsearch. libc would move the elements without their labels; here each move is ours.
 *
 * glibc's qsort is a stable merge sort as long as memory suffices, with the same halves as here, so that the
 * order and the calls of the comparison are the same.
 */
#define _GNU_SOURCE
#include "libc/model.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef int comparison_with(const void *, const void *, void *);
typedef int comparison_plain(const void *, const void *);

struct sort {
    char *base, *spare;
    size_t size;
    comparison_with *compare_with; /* or */
    comparison_plain *compare;
    void *context;
    untaken_label context_label; /* it need not be a pointer */
};

/* The label of what the program's comparison returned, as instrumented code leaves it. */
static term comparison_result(void *function, int result) {
    term value = term_constant(32, (uint32_t)result);
    if (__untaken_return_owner == function)
        value.label = __untaken_returned[0];
    __untaken_return_owner = NULL;
    return value;
}

/* Hands labels over to the program's comparison, as instrumented code does: elements have places, and no labels. */
static void pass_labels(void *function, untaken_label first, untaken_label third) {
    if (!first && !third)
        return;
    __untaken_arguments[0] = first;
    __untaken_arguments[1] = 0;
    __untaken_arguments[2] = third;
    __untaken_callee = function;
}

/* The order of two elements decides where they go: that is a decision of the path. */
static void decide_order(enum untaken_op op, term result) {
    if (result.label == 0 || !runtime_enter())
        return;
    untaken_decide(UNTAKEN_LIBRARY, term_binary(op, result, term_constant(32, 0)), 0);
    runtime_leave();
}

static bool in_order(const struct sort *sort, const void *left, const void *right) {
    void *function = sort->compare ? (void *)(uintptr_t)sort->compare : (void *)(uintptr_t)sort->compare_with;
    __untaken_return_owner = NULL;
    pass_labels(function, 0, sort->context_label);
    int result = sort->compare ? sort->compare(left, right) : sort->compare_with(left, right, sort->context);
    decide_order(UNTAKEN_OP_SLE, comparison_result(function, result));
    return result <= 0;
}

/* Not while we call the program's comparison: that is instrumented code, which must not find us inside. */
static void move(char *to, const char *from, size_t size) {
    memcpy(to, from, size);
    if (runtime_enter()) {
        untaken_memory_copy(to, from, size);
        runtime_leave();
    }
}

/* Sorts `count` elements: both halves, then merges them through the spare space. */
static void merge_sort(const struct sort *sort, char *base, size_t count) {
    if (count < 2)
        return;
    size_t size = sort->size, half = count / 2;
    char *left = base, *middle = base + half * size, *right = middle, *end = base + count * size, *out = sort->spare;
    merge_sort(sort, left, half);
    merge_sort(sort, right, count - half);
    for (; left < middle && right < end; out += size) {
        bool take_left = in_order(sort, left, right);
        move(out, take_left ? left : right, size);
        *(take_left ? &left : &right) += size;
    }
    move(out, left, (size_t)(middle - left));
    out += middle - left;
    move(base, sort->spare, (size_t)(out - sort->spare));
}

/* False if there is no memory to work in. */
static bool sort_with_labels(struct sort *sort, size_t count) {
    int saved = errno;
    sort->spare = malloc(count * sort->size);
    errno = saved;
    if (!sort->spare)
        return false;
    merge_sort(sort, sort->base, count);
    if (runtime_enter()) {
        untaken_memory_clear(sort->spare, count * sort->size);
        runtime_leave();
    }
    free(sort->spare);
    return true;
}

static bool begin_sort(void *self, unsigned arguments, struct sort *sort, size_t count) {
    untaken_label labels[5] = {0};
    if (!model_begin(self, labels, arguments))
        return false;
    model_pin_pointer(labels[0], sort->base);
    model_pin(labels[1], count);
    model_pin(labels[2], sort->size);
    sort->context_label = labels[4];
    model_end_concrete(self);
    return true;
}

void untaken_model_qsort(void *base, size_t count, size_t size, comparison_plain *order) {
    struct sort sort = {.base = base, .size = size, .compare = order};
    if (!begin_sort(SELF(qsort), 4, &sort, count) || !sort_with_labels(&sort, count))
        qsort(base, count, size, order);
}

void untaken_model_qsort_r(void *base, size_t count, size_t size, comparison_with *order, void *context) {
    struct sort sort = {.base = base, .size = size, .compare_with = order, .context = context};
    if (!begin_sort(SELF(qsort_r), 5, &sort, count) || !sort_with_labels(&sort, count))
        qsort_r(base, count, size, order, context);
}

/* The same probes as libc's. The result is concrete: it follows from what the comparisons returned. */
static void *search_sorted(const void *key, untaken_label label, const char *base, size_t count, size_t size,
                           comparison_plain *order) {
    void *function = (void *)(uintptr_t)order;
    for (size_t low = 0, high = count; low < high;) {
        size_t middle = (low + high) / 2;
        const char *probe = base + middle * size;
        __untaken_return_owner = NULL;
        pass_labels(function, label, 0);
        int result = order(key, probe);
        term value = comparison_result(function, result);
        decide_order(UNTAKEN_OP_SLT, value);
        if (result < 0) {
            high = middle;
            continue;
        }
        decide_order(UNTAKEN_OP_SLE, value);
        if (result == 0)
            return (void *)(uintptr_t)probe;
        low = middle + 1;
    }
    return NULL;
}

void *untaken_model_bsearch(const void *key, const void *base, size_t count, size_t size, comparison_plain *order) {
    untaken_label labels[5];
    if (!model_begin(SELF(bsearch), labels, 5))
        return bsearch(key, base, count, size, order);
    model_pin_pointer(labels[1], base);
    model_pin(labels[2], count);
    model_pin(labels[3], size);
    model_end_concrete(SELF(bsearch));
    void *found = search_sorted(key, labels[0], base, count, size, order);
    untaken_return(SELF(bsearch), 0);
    return found;
}
