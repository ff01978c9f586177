/* Steps of groups, and switches, with values of more than 64 bits. */
#include "expressions/floats.h"
#include "expressions/nodes.h"
#include "expressions/wide.h"
#include "trace/trace.h"
#include "tracking/group.h"
#include "tracking/tracking.h"

static wide wide_operand(const struct group_state *state, unsigned number, unsigned width) {
    uint8_t which = number == 0 ? state->step->a : number == 1 ? state->step->b : state->step->c;
    uint64_t high = width > LOW_BITS ? value_of(state, (uint8_t)(which + 1)) : 0;
    return wide_believed(label_of(state, which, number), width, wide_of_halves(value_of(state, which), high));
}

static bool divides(unsigned op) { return op >= UNTAKEN_OP_UDIV && op <= UNTAKEN_OP_SREM; }

static wide binary(const struct group_state *state, unsigned op, unsigned width) {
    wide a = wide_operand(state, 0, width), b = wide_operand(state, 1, width);
    if (is_float_operation(op)) {
        return wide_float_binary(op, a, b);
    }
    if (op >= UNTAKEN_OP_SHL && op <= UNTAKEN_OP_ASHR && b.value >= width && (a.label | b.label) != 0) {
        untaken_count_concretised(UNTAKEN_BY_UNDEFINED);
        a.label = b.label = 0;
    }
    if (divides(op) && b.label != 0) {
        wide by_zero = wide_binary(UNTAKEN_OP_EQ, b, wide_constant(width, 0));
        untaken_decide(UNTAKEN_LIBRARY, narrowed_term(by_zero), 0);
    }
    return wide_binary(op, a, b);
}

static wide unary(const struct group_state *state, unsigned op, unsigned width) {
    wide a = wide_operand(state, 0, width), result;
    if (is_float_operation(op)) {
        return wide_float_unary(op, a);
    }
    if (!wide_unary(op, a, &result)) {
        untaken_count_concretised(UNTAKEN_BY_WIDE);
        result = wide_constant(width, 0);
    }
    return result;
}

static wide cast(const struct group_state *state, unsigned op, unsigned from, unsigned to) {
    if (op == UNTAKEN_OP_CONCAT) {
        wide high = wide_operand(state, 0, to - LOW_BITS), low = wide_operand(state, 1, LOW_BITS);
        return wide_join(narrowed_term(high), narrowed_term(low));
    }
    wide a = wide_operand(state, 0, from);
    if (op == UNTAKEN_OP_EXTRACT) {
        return wide_extract(a, LOW_BITS, to);
    }
    return is_float_operation(op) ? wide_float_cast(op, a, to) : wide_extend(op, a, to);
}

/* Of what is not a number, the program has one, and the expression maybe another. */
static void take_over_nan(const wide *result, wide_bits own) {
    if (!wide_is_nan(result->width, result->value) || !wide_is_nan(result->width, own)) {
        return;
    }
    known_node(result->label, (uint64_t)own);
    if (result->width > LOW_BITS) {
        untaken_node(UNTAKEN_OP_EXTRACT | UNTAKEN_WIDE, (uint8_t)(result->width - LOW_BITS), result->label, LOW_BITS, 0,
                     (uint64_t)(own >> LOW_BITS));
    }
}

static bool gives_number(unsigned op) {
    bool to_integer = op == UNTAKEN_OP_TO_SIGNED || op == UNTAKEN_OP_TO_UNSIGNED;
    return is_float_operation(op) && !to_integer;
}

static wide_bits own_value(const struct group_state *state, unsigned width) {
    uint8_t slot = state->step->result;
    return wide_of_halves(state->values[slot], width > LOW_BITS ? state->values[slot + 1] : 0) & wide_mask(width);
}

/* Drops the label if the program's own value is another, or the processor rounds in another way. */
static untaken_label checked(const struct group_state *state, unsigned op, wide result) {
    if (result.label == 0 || (state->step->symbolic & UNTAKEN_GIVEN) == 0) {
        return result.label;
    }
    wide_bits own = own_value(state, result.width);
    if (gives_number(op) && result.width >= 32) {
        take_over_nan(&result, own);
    }
    if (is_float_operation(op) && !wide_rounds_as_usual()) {
        untaken_count_concretised(UNTAKEN_BY_FLOAT);
        return 0;
    }
    if (wide_of_label(result.label).value != own) {
        untaken_count_concretised(UNTAKEN_BY_UNDEFINED);
        return 0;
    }
    return result.label;
}

static void put_result(const struct group_state *state, unsigned op, wide result) {
    uint8_t slot = state->step->result;
    if ((state->step->symbolic & UNTAKEN_GIVEN) == 0) {
        state->values[slot] = (uint64_t)result.value;
        if (result.width > LOW_BITS) {
            state->values[slot + 1] = (uint64_t)(result.value >> LOW_BITS);
        }
    }
    state->labels[slot] = checked(state, op, result);
}

void untaken_take_wide_step(const struct group_state *state) {
    uint32_t descriptor = state->step->descriptor;
    unsigned op = descriptor & 0xff, width = descriptor >> 8 & 0xff, to = descriptor >> 16;
    switch (state->step->extra) {
    case UNTAKEN_STEP_BINARY: put_result(state, op, binary(state, op, width)); break;
    case UNTAKEN_STEP_UNARY: put_result(state, op, unary(state, op, width)); break;
    case UNTAKEN_STEP_CAST: put_result(state, op, cast(state, op, width, to)); break;
    default: /* SELECT */
        put_result(state, UNTAKEN_OP_ITE,
                   wide_ite(narrowed_term(wide_operand(state, 0, 1)), wide_operand(state, 1, descriptor),
                            wide_operand(state, 2, descriptor)));
    }
}

/* ---- Switches ---- */

static void decide_case(wide value, wide_bits constant, uint32_t event) {
    wide same = wide_binary(UNTAKEN_OP_EQ, value, wide_constant(value.width, constant));
    untaken_decide(event != 0 ? UNTAKEN_BRANCH : UNTAKEN_LIBRARY, narrowed_term(same), event);
}

void __untaken_wide_switch(untaken_label label, uint64_t low, uint64_t high, const struct untaken_switch *cases) {
    bool symbolic = label != 0 && runtime_begin(), matches = false;
    wide value = symbolic ? wide_believed(label, cases->width, wide_of_halves(low, high))
                          : wide_constant(cases->width, wide_of_halves(low, high));
    for (uint32_t i = 0; i < cases->count && !matches; i++) {
        wide_bits constant = wide_of_halves(cases->values[2 * i], cases->values[2 * i + 1]);
        matches = constant == value.value;
        uint32_t event = cases->first == NULL ? 0 : (uint32_t)(uintptr_t)(cases->first + 2 * (uint64_t)i + !matches);
        if (symbolic) {
            decide_case(value, constant, event);
        }
        if (event != 0) {
            untaken_emit(event);
        }
    }
    if (symbolic) {
        runtime_leave();
    }
}
