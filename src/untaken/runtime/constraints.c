/* The path constraint: which conditions held in this run. */
#include "core.h"

/* Records the condition under a negation instead, so that a condition and its negation are one node. */
static term without_negation(term condition) {
    const struct untaken_node *node = node_of(condition.label);
    if (node->op == UNTAKEN_OP_XOR && node->width == 1 && is_constant_node(node->b)) {
        return term_of_operand(node->a);
    }
    return condition;
}

/* The same node has the same value in the whole run: a second decision on it says nothing new. */
static bool decided_before(untaken_label label) {
    struct untaken_node *node = &untaken_core.nodes[label];
    bool before = node->reserved == untaken_core.epoch;
    node->reserved = untaken_core.epoch;
    return before;
}

void untaken_decide(enum untaken_constraint_kind kind, term condition, uint32_t id) {
    if (condition.label == 0 || !untaken_recording) {
        return;
    }
    condition = without_negation(condition);
    if (decided_before(condition.label)) {
        return;
    }
    uint64_t index = untaken_shared->constraint_count;
    if (index >= untaken_shared->constraints.capacity) {
        untaken_cut(UNTAKEN_CUT_CONSTRAINTS);
        return;
    }
    before_writing(&untaken_core.constraints[index]);
    untaken_core.constraints[index] = (struct untaken_constraint){
        .node = condition.label, .id = id, .position = untaken_event_position(), .kind = (uint8_t)kind,
        .taken = (uint8_t)condition.value};
    __atomic_store_n(&untaken_shared->constraint_count, index + 1, __ATOMIC_RELEASE);
}

void untaken_pin_term(term value) {
    if (value.label == 0 || !untaken_recording) {
        return;
    }
    untaken_shared->pins++;
    untaken_decide(UNTAKEN_PIN, term_binary(UNTAKEN_OP_EQ, value, term_constant(value.width, value.value)), 0);
}
