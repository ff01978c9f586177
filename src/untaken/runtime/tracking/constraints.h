/* Adding to the path constraint, as far as it is short enough to be inlined. */
#ifndef UNTAKEN_TRACKING_CONSTRAINTS_H
#define UNTAKEN_TRACKING_CONSTRAINTS_H

#include "trace/trace.h"
#include "tracking/tracking.h"

/* Records the condition under a negation instead, so that a condition and its negation are one node. */
static inline term without_negation(term condition) {
    const struct untaken_node *node = node_of(condition.label);
    if (node->op == UNTAKEN_OP_XOR && node->width == 1 && is_constant_node(node->b)) {
        return term_of_operand(node->a);
    }
    return condition;
}

/* Adds that a node of width 1 was true or not, and marks the node; false if there is no room for one more, or, where
 * only what is usual is wanted, its position is not. */
static inline bool add_constraint(enum untaken_constraint_kind kind, untaken_label label, bool taken, uint32_t id,
                                  bool only_usual) {
    struct untaken_node *node = &untaken_state.nodes[label];
    if (node->reserved == untaken_state.epoch) {
        return true; /* the same node has the same value in the whole run: this says nothing new */
    }
    uint64_t index = untaken_shared->constraint_count;
    if (index >= untaken_shared->constraints.capacity || (only_usual && !untaken_position_is_usual())) {
        return false;
    }
    node->reserved = untaken_state.epoch;
    struct untaken_constraint *constraint = &untaken_state.constraints[index];
    before_writing(constraint);
    *constraint = (struct untaken_constraint){
        .node = label, .id = id, .position = untaken_event_position(), .kind = (uint8_t)kind, .taken = taken};
    __atomic_store_n(&untaken_shared->constraint_count, index + 1, __ATOMIC_RELEASE);
    return true;
}

/* The same of a condition with a label. */
static inline bool decided(enum untaken_constraint_kind kind, term condition, uint32_t id, bool only_usual) {
    condition = without_negation(condition);
    return add_constraint(kind, condition.label, (bool)condition.value, id, only_usual);
}

#endif
