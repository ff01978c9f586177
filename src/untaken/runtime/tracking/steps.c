/* The steps of groups, each as its general case. tracking/group.c takes most of them in short.
 *
 * Values of loads, and in checking mode all values, come from the program and are compared with the expression's:
 * where they differ (the program did something that C leaves undefined) the label is dropped. */
#include "expressions/floats.h"
#include "expressions/nodes.h"
#include "memory/memory.h"
#include "tracking/group.h"
#include "tracking/tracking.h"

static inline term operand(const struct group_state *state, unsigned number, unsigned width) {
    uint8_t which = number == 0 ? state->step->a : number == 1 ? state->step->b : state->step->c;
    untaken_label label = label_of(state, which, number);
    uint64_t value = value_of(state, which);
    return made_here(state, number) ? (term){label, (uint8_t)width, value} : term_believed(label, width, value);
}

/* An address, as the sum of operand 0 and a concrete one. */
static inline term address_of(const struct group_state *state, uint8_t distance) {
    term base = operand(state, 0, 64);
    uint64_t rest = value_of(state, distance);
    return base.label == 0 ? term_constant(64, base.value + rest)
                           : term_binary(UNTAKEN_OP_ADD, base, term_constant(64, rest));
}

/* A store of a later step of this group: the program has done it already. */
static bool changed_later(uint64_t start, uint64_t end, void *context) {
    struct group_state later = *(const struct group_state *)context;
    for (later.step++; later.step->form != UNTAKEN_FORM_END; later.step++) {
        uint8_t kind = later.step->kind;
        if (kind != UNTAKEN_STEP_STORE && kind != UNTAKEN_STEP_COPIED && kind != UNTAKEN_STEP_FILLED) {
            continue;
        }
        uint64_t from = value_of(&later, later.step->a), size = value_of(&later, later.step->c);
        if (kind == UNTAKEN_STEP_STORE) {
            from += size;
            size = later.step->descriptor;
        }
        if (from < end && start < from + size) {
            return true;
        }
    }
    return false;
}

static void load_concrete(term address, uint32_t size, enum untaken_concretised reason) {
    untaken_pin_term(address);
    if (untaken_memory_symbolic((const void *)(uintptr_t)address.value, size)) {
        untaken_count_concretised(reason);
    }
}

static untaken_label load_label(const struct group_state *state, term address) {
    const struct untaken_step *step = state->step;
    uint64_t value = state->values[step->result];
    if (address.label == 0) {
        return untaken_memory_loaded((const void *)(uintptr_t)address.value, step->descriptor, value).label;
    }
    const void *object = step->extra != 0 ? (const void *)(uintptr_t)value_of(state, step->c) : NULL;
    struct group_state context = *state;
    return untaken_load_indirect(address, step->descriptor, value, object, step->extra, changed_later, &context);
}

static inline void store(const struct group_state *state) {
    const struct untaken_step *step = state->step;
    term address = address_of(state, step->c);
    untaken_label label = label_of(state, step->b, 1);
    untaken_bound_access(address, step->descriptor);
    untaken_pin_term(address);
    if (label != 0 && step->descriptor > 8) {
        untaken_count_concretised(UNTAKEN_BY_WIDE);
        label = 0;
    }
    untaken_memory_store((void *)(uintptr_t)address.value, step->descriptor, label);
}

static inline void copy(const struct group_state *state) {
    term to = operand(state, 0, 64), from = operand(state, 1, 64);
    untaken_pin_term(to);
    untaken_pin_term(from);
    untaken_memory_copy((void *)(uintptr_t)to.value, (const void *)(uintptr_t)from.value,
                        value_of(state, state->step->c));
}

static inline void fill(const struct group_state *state) {
    term to = operand(state, 0, 64);
    untaken_pin_term(to);
    untaken_memory_fill((void *)(uintptr_t)to.value, value_of(state, state->step->c), label_of(state, state->step->b, 1));
}

static term symbolic_offset(term base, term index, uint64_t scale, uint64_t rest) {
    term moved = term_binary(UNTAKEN_OP_MUL, term_extend(UNTAKEN_OP_SEXT, index, 64), term_constant(64, scale));
    base = term_binary(UNTAKEN_OP_ADD, base, term_constant(64, rest));
    return term_binary(UNTAKEN_OP_ADD, base, moved);
}

/* An address: base + index * scale + a concrete rest. The index may be narrower. */
static inline term offset(const struct group_state *state) {
    const struct untaken_step *step = state->step;
    term base = operand(state, 0, 64), index = operand(state, 1, step->descriptor);
    uint64_t rest = value_of(state, step->c);
    if ((base.label | index.label) != 0) {
        return symbolic_offset(base, index, step->extra, rest);
    }
    return term_constant(64, base.value + (uint64_t)sign_extended(index.value, index.width) * step->extra + rest);
}

static inline term funnel(const struct group_state *state, unsigned op, unsigned width) {
    return term_funnel(operand(state, 0, width), operand(state, 1, width), operand(state, 2, width), op & 1);
}

static inline term select_term(const struct group_state *state, unsigned width) {
    return term_ite(operand(state, 0, 1), operand(state, 1, width), operand(state, 2, width));
}

static bool shifted_too_far(const struct group_state *state, unsigned op, unsigned width) {
    bool shift = (op >= UNTAKEN_OP_SHL && op <= UNTAKEN_OP_ASHR) || op == UNTAKEN_OP_SSHL_SAT ||
                 op == UNTAKEN_OP_USHL_SAT;
    return shift && (value_of(state, state->step->b) & width_mask(width)) >= width;
}

/* Whether a division would end the program is a decision as well: the processor refuses to divide by zero, and to
 * find a quotient that is too large. A run that comes to this point has divided, so it was decided against. */
static void decide_division(unsigned op, term a, term b) {
    untaken_decide(UNTAKEN_LIBRARY, term_binary(UNTAKEN_OP_EQ, b, term_constant(b.width, 0)), 0);
    if (op == UNTAKEN_OP_SDIV || op == UNTAKEN_OP_SREM) {
        term smallest = term_constant(a.width, 1ull << (a.width - 1)), minus_one = term_constant(b.width, width_mask(b.width));
        term too_large = term_and(term_binary(UNTAKEN_OP_EQ, a, smallest), term_binary(UNTAKEN_OP_EQ, b, minus_one));
        untaken_decide(UNTAKEN_LIBRARY, too_large, 0);
    }
}

static inline term binary(const struct group_state *state) {
    unsigned op = state->step->descriptor & 0xff, width = state->step->descriptor >> 8 & 0xff;
    term a = operand(state, 0, width), b = operand(state, 1, width);
    if (shifted_too_far(state, op, width) && (a.label | b.label) != 0) {
        untaken_count_concretised(UNTAKEN_BY_UNDEFINED);
        a.label = b.label = 0;
    }
    if (op >= UNTAKEN_OP_UDIV && op <= UNTAKEN_OP_SREM && b.label != 0) {
        decide_division(op, a, b);
    }
    return term_binary(op, a, b);
}

static inline term chosen(const struct group_state *state) {
    const struct untaken_step *step = state->step;
    bool first = value_of(state, step->a) != 0;
    uint8_t which = first ? step->b : step->c;
    untaken_label label = label_of(state, which, first ? 1 : 2);
    return term_believed(label, label < untaken_shared->node_count ? node_of(label)->width : 64, value_of(state, which));
}

static inline term cast(const struct group_state *state, unsigned op, unsigned width) {
    term a = operand(state, 0, width);
    uint8_t to = (uint8_t)(state->step->descriptor >> 16);
    return is_float_operation(op) ? term_float_cast(op, a, to) : term_extend(op, a, to);
}

/* Of what is not a number, the program has one, and the expression maybe another. */
static inline void take_over_nan(const struct group_state *state, term result) {
    uint64_t own = state->values[state->step->result];
    if (result.label != 0 && result.width >= 32 && untaken_is_nan(result.width, result.value) &&
        untaken_is_nan(result.width, own)) {
        known_node(result.label, own);
    }
}

static inline void put_result(const struct group_state *state, term result) {
    uint8_t slot = state->step->result;
    if ((state->step->symbolic & UNTAKEN_GIVEN) == 0) {
        state->values[slot] = result.value;
    } else if (result.label != 0 &&
               node_of(result.label)->value != (state->values[slot] & width_mask(node_of(result.label)->width))) {
        untaken_count_concretised(UNTAKEN_BY_UNDEFINED);
        result.label = 0;
    }
    state->labels[slot] = result.label;
}

static inline void put_number(const struct group_state *state, unsigned op, term result) {
    if (is_float_operation(op) && op != UNTAKEN_OP_TO_SIGNED && op != UNTAKEN_OP_TO_UNSIGNED) {
        take_over_nan(state, result);
    }
    if (result.label != 0 && is_float_operation(op) && !untaken_rounds_as_usual()) {
        untaken_count_concretised(UNTAKEN_BY_FLOAT);
        result.label = 0;
    }
    put_result(state, result);
}

static inline void load(const struct group_state *state) {
    const struct untaken_step *step = state->step;
    term address = address_of(state, step->b);
    if (step->descriptor > 8) {
        load_concrete(address, step->extra >> 8, step->extra & 0xff);
        state->labels[step->result] = 0;
    } else {
        put_result(state, (term){load_label(state, address), 64, state->values[step->result]});
    }
}

static inline void branch(const struct group_state *state) {
    uint32_t id = (uint32_t)value_of(state, state->step->b);
    untaken_decide(id != 0 ? UNTAKEN_BRANCH : UNTAKEN_LIBRARY, operand(state, 0, 1), id);
}

static inline void pin(const struct group_state *state) {
    untaken_label label = label_of(state, state->step->a, 0);
    if (label != 0) {
        term value = operand(state, 0, node_of(label)->width);
        switch (state->step->extra) {
        case 1: untaken_refuse_targets(value); untaken_pin_term(value); break;
        case 2: untaken_bound_size(value); untaken_pin_term(value); break;
        default: untaken_pin_term(value);
        }
    }
}

static inline void concretise(const struct group_state *state) {
    if (label_of(state, state->step->a, 0) != 0) {
        untaken_count_concretised_at(state->step->descriptor, state->step->extra);
    }
}

void untaken_take_step(const uint64_t *constants, const struct untaken_step *step, uint64_t *values,
                       untaken_label *labels) {
    const struct group_state *state = &(struct group_state){constants, step, values, labels};
    unsigned op = step->descriptor & 0xff, width = step->descriptor >> 8 & 0xff;
    switch (step->kind) {
    case UNTAKEN_STEP_BINARY: put_number(state, op, binary(state)); break;
    case UNTAKEN_STEP_UNARY: put_number(state, op, term_unary(op, operand(state, 0, width))); break;
    case UNTAKEN_STEP_CAST: put_number(state, op, cast(state, op, width)); break;
    case UNTAKEN_STEP_SELECT: put_result(state, select_term(state, step->descriptor)); break;
    case UNTAKEN_STEP_FUNNEL: put_result(state, funnel(state, op, width)); break;
    case UNTAKEN_STEP_OFFSET: put_result(state, offset(state)); break;
    case UNTAKEN_STEP_LOAD: load(state); break;
    case UNTAKEN_STEP_CHOOSE: put_result(state, chosen(state)); break;
    case UNTAKEN_STEP_STORE: store(state); break;
    case UNTAKEN_STEP_COPIED: copy(state); break;
    case UNTAKEN_STEP_FILLED: fill(state); break;
    case UNTAKEN_STEP_BRANCH: branch(state); break;
    case UNTAKEN_STEP_PIN: pin(state); break;
    case UNTAKEN_STEP_WIDE: untaken_take_wide_step(state); break;
    default: concretise(state);
    }
}
