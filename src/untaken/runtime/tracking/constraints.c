/* The path constraint: which conditions held in this run. */
#include "tracking/constraints.h"
#include "memory/memory.h"

#define MOST_TARGETS 256u

void untaken_decide(enum untaken_constraint_kind kind, term condition, uint32_t id) {
    if (condition.label != 0 && untaken_recording && !decided(kind, condition, id, false)) {
        untaken_note_cut_off(UNTAKEN_CUT_CONSTRAINTS);
    }
}

/* Each of the others is a decision that can be flipped, as are the cases of a switch. */
void untaken_refuse_targets(term target) {
    const struct untaken_node *node = node_of(target.label);
    if (target.label == 0 || node->op != UNTAKEN_OP_READ || !untaken_recording) {
        return;
    }
    const struct untaken_table *table = (const struct untaken_table *)(untaken_state.tables + node->b);
    uint32_t offset = node->b, count = table->count < MOST_TARGETS ? table->count : MOST_TARGETS;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t other = untaken_table_value(offset, i);
        if (other != target.value) {
            term chosen = term_binary(UNTAKEN_OP_EQ, target, term_constant(target.width, other));
            untaken_decide(UNTAKEN_LIBRARY, chosen, 0);
        }
    }
}

/* The program may yet ask the same as a decision of its own, which must not be taken for decided. */
void untaken_bound(term condition) {
    if (condition.label == 0 || !untaken_recording) {
        return;
    }
    condition = without_negation(condition);
    struct untaken_node *node = &untaken_state.nodes[condition.label];
    if (node->reserved != untaken_state.epoch) {
        uint16_t before = node->reserved;
        untaken_decide(UNTAKEN_BOUND, condition, 0);
        node->reserved = before;
    }
}

static term pinned(term value) {
    return term_binary(UNTAKEN_OP_EQ, value, term_constant(value.width, value.value));
}

bool untaken_is_pinned(term value) {
    term condition = pinned(value);
    return condition.label == 0 || node_of(without_negation(condition).label)->reserved == untaken_state.epoch;
}

void untaken_pin_term(term value) {
    if (value.label == 0 || !untaken_recording) {
        return;
    }
    untaken_shared->pins++;
    untaken_decide(UNTAKEN_PIN, pinned(value), 0);
}
