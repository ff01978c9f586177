/* The path constraint: which conditions held in this run. */
#include "constraints.h"

void untaken_decide(enum untaken_constraint_kind kind, term condition, uint32_t id) {
    if (condition.label != 0 && untaken_recording && !decided(kind, condition, id, false)) {
        untaken_cut(UNTAKEN_CUT_CONSTRAINTS);
    }
}

void untaken_pin_term(term value) {
    if (value.label == 0 || !untaken_recording) {
        return;
    }
    untaken_shared->pins++;
    untaken_decide(UNTAKEN_PIN, term_binary(UNTAKEN_OP_EQ, value, term_constant(value.width, value.value)), 0);
}
