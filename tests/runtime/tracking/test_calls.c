/* Labels across calls, as instrumented code hands them over; decisions and switches. */
#include "harness.h"
#include "steps.h"

#include <stdarg.h>
#include <string.h>

struct aggregate {
    long values[3];
};

static void labels_to(void *callee, unsigned count, const untaken_label *labels) {
    memcpy(__untaken_arguments, labels, count * sizeof *labels);
    __untaken_callee = callee;
}

static void check_arguments(void) {
    untaken_label labels[2], given[2] = {5, 6};
    begin();
    labels_to((void *)check_arguments, 2, given);
    untaken_arguments((void *)labels_to, labels, 2);
    CHECK(labels[0] == 0 && labels[1] == 0); /* meant for another */
    untaken_arguments((void *)check_arguments, labels, 2);
    CHECK(labels[0] == 5 && labels[1] == 6 && __untaken_callee == NULL);
    labels_to((void *)strlen, 2, given);
    __untaken_after_call((void *)strlen, "strlen");
    __untaken_after_call((void *)strlen, "strlen"); /* taken by now */
    CHECK(untaken_shared->external_count == 1 && untaken_state.externals[0].calls == 1);
    CHECK(strcmp(untaken_state.externals[0].name, "strlen") == 0);
}

static void check_byval(void) {
    struct aggregate original = {{1, input_byte(0).label, 3}}, copy = original;
    begin();
    term byte = input_byte(0);
    original.values[1] = copy.values[1] = (long)byte.value;
    untaken_memory_store(&original.values[1], 1, byte.label);
    __untaken_byval_out(2, &original, sizeof original);
    __untaken_byval_in(2, &copy, sizeof copy, 1);
    CHECK(untaken_memory_load(&copy.values[1], 1).label == byte.label);
    __untaken_byval_in(2, &copy, sizeof copy, 0);
    CHECK(!untaken_memory_symbolic(&copy, sizeof copy));
    untaken_memory_clear(&original, sizeof original);
}

static struct untaken_varargs passed; /* where instrumented code has it in the callee's frame */

/* Nine variable integers, a double among them, and an aggregate in memory. */
static void variadic(int first, ...) {
    va_list list;
    term wide = term_extend(UNTAKEN_OP_ZEXT, input_byte(1), 32);
    va_start(list, first);
    __untaken_varargs_start(&passed, list);
    for (int i = 0; i < 9; i++) {
        if (i == 3) {
            CHECK(va_arg(list, double) == 0.5);
        }
        int *slot = ((uint32_t *)list)[0] < 48 ? (int *)(((char **)list)[2] + ((uint32_t *)list)[0]) : (int *)((char **)list)[1];
        untaken_label label = untaken_memory_load(slot, 4).label;
        CHECK(va_arg(list, int) == (i % 2 ? (int)wide.value : i));
        CHECK(label == (i % 2 ? wide.label : 0));
    }
    struct aggregate *slot = (struct aggregate *)((char **)list)[1];
    CHECK(untaken_memory_load(&slot->values[2], 8).label != 0 && untaken_memory_load(&slot->values[1], 8).label == 0);
    struct aggregate aggregate = va_arg(list, struct aggregate);
    CHECK(aggregate.values[2] == (long)input_byte(2).value);
    va_end(list);
}

static void check_varargs(void) {
    begin();
    term wide = term_extend(UNTAKEN_OP_ZEXT, input_byte(1), 32);
    term third = term_extend(UNTAKEN_OP_ZEXT, input_byte(2), 64);
    struct aggregate aggregate = {{1, 2, (long)third.value}};
    untaken_memory_store(&aggregate.values[2], 8, third.label);
    untaken_label labels[12] = {0};
    for (unsigned i = 0; i < 9; i++) { /* first, 0, 1, 2, double, 3, ... */
        labels[1 + i + (i >= 3)] = i % 2 ? wide.label : 0;
    }
    memcpy(__untaken_arguments, labels, sizeof labels);
    __untaken_byval_out(11, &aggregate, sizeof aggregate);
    __untaken_varargs_call("ggggfggggggm,24", 12);
    __untaken_varargs_entry(&passed, 1, NULL);
    int w = (int)wide.value;
    variadic(0, 0, w, 2, 0.5, w, 4, w, 6, w, 8, aggregate);
    __untaken_varargs_entry(&passed, 0, NULL);
    CHECK(passed.stack_count == 0 && passed.gp_labels[1] == 0);
    __untaken_varargs_call("gggggggg|xg", 10); /* two named ones on the stack; a long double is aligned to 16 */
    CHECK(__untaken_varargs_out.stack_count == 3);
    untaken_memory_clear(&aggregate, sizeof aggregate);
}

static const uint8_t case_ids[16] __attribute__((aligned(2))) = {1, 1, 1, 1, 1, 1};

static void check_switch(void) {
    static union {
        struct untaken_switch head;
        uint64_t room[5];
    } cases;
    begin();
    cases.head.count = 3;
    cases.head.width = 8;
    cases.head.first = case_ids;
    memcpy(cases.head.values, (uint64_t[]){7, 9, 11}, 24);
    set_input(0, 9);
    term selector = input_byte(0);
    uint32_t *before = __untaken_room();
    __untaken_switch(selector.label, 9, &cases.head);
    CHECK(__untaken_cursor == before + 2);
    CHECK(before[0] == (uint32_t)(uintptr_t)&case_ids[1] && before[1] == (uint32_t)(uintptr_t)&case_ids[2]);
    CHECK(untaken_shared->constraint_count == 2 && constraint(0)->taken == 0 && constraint(1)->taken == 1);
    CHECK(constraint(0)->position + 1 == constraint(1)->position);
    __untaken_switch(selector.label, 9, &cases.head); /* decided before: events, but no constraints */
    CHECK(__untaken_cursor == before + 4 && untaken_shared->constraint_count == 2);
    __untaken_switch(0, 1, &cases.head);
    CHECK(__untaken_cursor == before + 7 && untaken_shared->constraint_count == 2);
    cases.head.first = NULL;
    __untaken_switch(selector.label, 9, &cases.head);
    CHECK(__untaken_cursor == before + 7);
}

static void check_decisions(void) {
    begin();
    set_input(0, 3);
    term less = term_binary(UNTAKEN_OP_ULT, input_byte(0), term_constant(8, 5));
    ask_branch(term_not(less).label, 0, 77); /* the negation of a condition is recorded as the condition */
    CHECK(constraint(0)->node == less.label && constraint(0)->taken == 1 && constraint(0)->id == 77);
    ask_branch(less.label, 1, 78);
    ask_pin(0, 4);
    CHECK(untaken_shared->constraint_count == 1);
    ask_branch(term_binary(UNTAKEN_OP_EQ, input_byte(0), input_byte(1)).label, 0, 0);
    CHECK(constraint(1)->kind == UNTAKEN_LIBRARY);
    begin(); /* in the next run it counts again */
    less = term_binary(UNTAKEN_OP_ULT, input_byte(0), term_constant(8, 5));
    ask_branch(less.label, 1, 78);
    CHECK(untaken_shared->constraint_count == 1);
    uint64_t capacity = untaken_shared->constraints.capacity;
    untaken_shared->constraints.capacity = 1;
    ask_branch(term_binary(UNTAKEN_OP_EQ, input_byte(0), input_byte(1)).label, 0, 79);
    CHECK(untaken_shared->cut_off == UNTAKEN_CUT_CONSTRAINTS && untaken_shared->constraint_count == 1);
    untaken_shared->constraints.capacity = capacity;
}

/* A signal handler that comes in between gets nothing and breaks nothing. */
static void check_reentry(void) {
    begin();
    term byte = input_byte(0);
    CHECK(runtime_enter());
    CHECK(!runtime_enter() && ask_unary(UNTAKEN_OP_CTPOP | 8 << 8, byte.label, byte.value, 0) == 0);
    runtime_leave();
    CHECK(ask_unary(UNTAKEN_OP_CTPOP | 8 << 8, byte.label, byte.value, 0) != 0);
}

int main(void) {
    start(&usual_sizes);
    set_input(1, 200);
    set_input(2, 33);
    check_arguments();
    check_byval();
    check_varargs();
    check_switch();
    check_decisions();
    check_reentry();
    return 0;
}
