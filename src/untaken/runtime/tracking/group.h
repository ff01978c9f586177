/* Groups of label work, as the two parts of the runtime see them that take their steps. */
#ifndef UNTAKEN_TRACKING_GROUP_H
#define UNTAKEN_TRACKING_GROUP_H

#include "state.h"

struct group_state {
    const uint64_t *constants;
    const struct untaken_step *step;
    uint64_t *values;
    untaken_label *labels;
};

static inline uint64_t value_of(const struct group_state *state, uint8_t operand) {
    const uint64_t *from = operand < UNTAKEN_FIRST_CONSTANT ? state->values : state->constants;
    return from[operand % UNTAKEN_FIRST_CONSTANT];
}

static inline uint64_t constant_of(const struct group_state *state, uint8_t operand) {
    return state->constants[operand % UNTAKEN_FIRST_CONSTANT];
}

static inline untaken_label label_of(const struct group_state *state, uint8_t operand, unsigned number) {
    return state->step->symbolic >> number & 1 ? state->labels[operand] : 0;
}

static inline bool made_here(const struct group_state *state, unsigned number) {
    return state->step->symbolic & UNTAKEN_MADE << number;
}

/* steps.c: takes any step. Gets the state in pieces, as they are handed on in registers. */
void untaken_take_step(const uint64_t *constants, const struct untaken_step *step, uint64_t *values,
                       untaken_label *labels);
/* wide_steps.c: takes one with a value of more than 64 bits. */
void untaken_take_wide_step(const struct group_state *state);

#endif
