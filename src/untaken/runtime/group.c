/* Groups of label work: what one cold block of instrumented code asks for, step by step.
 *
 * What most steps are is done here, without building terms: concrete addresses, labels that fit their values, operators
 * of the node table. Each of these functions says whether it was such a step; steps.c takes the others. */
#include "group.h"
#include "shadow.h"
#include "terms.h"

/* Whether an operand is what its label says: nearly always it is. */
static inline bool is_plain(const struct group_state *state, unsigned number, untaken_label label, unsigned width,
                            uint64_t value) {
    return label == 0 || made_here(state, number) || has_value(label, width, value);
}

/* False if the program's own value is another. */
static inline bool put_plain(const struct group_state *state, untaken_label label, uint64_t value) {
    const struct untaken_step *step = state->step;
    if (step->symbolic & UNTAKEN_GIVEN && state->values[step->result] != value) {
        return false;
    }
    state->values[step->result] = value;
    state->labels[step->result] = label;
    return true;
}

static inline bool shifts_all_out(unsigned op, unsigned width, uint64_t b) {
    return op - UNTAKEN_OP_SHL <= UNTAKEN_OP_ASHR - UNTAKEN_OP_SHL && b >= width;
}

struct label_request {
    unsigned op, width;
    untaken_label la, lb;
    uint64_t a, b;
};

/* A comparison of extended values, or of one with a constant that is narrow enough, is one of the values themselves. */
static inline struct label_request narrowed(struct label_request ask) {
    unsigned width = width_before(ask.la);
    bool both = ask.lb != 0 && ask.lb != ask.la && width_before(ask.lb) == width;
    if (width == 0 || !(both || (ask.lb == 0 && ask.b <= width_mask(width)))) {
        return ask;
    }
    unsigned op = unsigned_comparison(ask.op);
    untaken_label lb = both ? node_of(ask.lb)->a : 0;
    return (struct label_request){op, width, node_of(ask.la)->a, lb, ask.a, ask.b};
}

/* The label of an operation, at least one of whose operands has one. */
__attribute__((always_inline)) static inline untaken_label label_for(struct label_request ask, uint64_t value) {
    unsigned width = is_comparison(ask.op) ? 1 : ask.width;
    if (is_comparison(ask.op) && ask.la != 0) {
        ask = narrowed(ask);
    }
    if (commutes(ask.op) && (ask.la == 0 || (ask.lb != 0 && ask.lb < ask.la))) {
        ask = (struct label_request){ask.op, ask.width, ask.lb, ask.la, ask.b, ask.a};
    }
    term a = {ask.la, (uint8_t)ask.width, ask.a}, b = {ask.lb, (uint8_t)ask.width, ask.b}, result;
    if (may_simplify(ask.op, a, b) && untaken_simplify(ask.op, a, b, &result)) {
        return result.label;
    }
    uint32_t left = operand_label(a), right = operand_label(b);
    if (left == 0 || right == 0) {
        return 0;
    }
    uint32_t home = ask.la > ask.lb ? ask.la : ask.lb;
    return binary_node(key_for(ask.op, width, left, right, 0), ask.op, home, value);
}

static inline bool binary_in_short(const struct group_state *state) {
    const struct untaken_step *step = state->step;
    unsigned op = step->descriptor & 0xff, width = step->descriptor >> 8 & 0xff;
    uint64_t a = value_of(state, step->a), b = value_of(state, step->b);
    untaken_label la = label_of(state, step->a, 0), lb = label_of(state, step->b, 1);
    if (op > UNTAKEN_OP_NE || shifts_all_out(op, width, b) || !is_plain(state, 0, la, width, a) ||
        !is_plain(state, 1, lb, width, b)) {
        return false;
    }
    bool different = op == UNTAKEN_OP_NE; /* the negation of EQ */
    op = different ? UNTAKEN_OP_EQ : op;
    uint64_t value = evaluate(op, width, a, b);
    untaken_label label = 0;
    if ((la | lb) != 0) {
        label = label_for((struct label_request){op, width, la, lb, a, b}, value);
    }
    if (different) {
        label = label == 0 ? 0 : term_not((term){label, 1, value}).label;
        value = !value;
    }
    return put_plain(state, label, value);
}

/* A widening of what is not widened yet. */
static inline bool cast_in_short(const struct group_state *state) {
    const struct untaken_step *step = state->step;
    unsigned op = step->descriptor & 0xff, from = step->descriptor >> 8 & 0xff, to = step->descriptor >> 16;
    uint64_t value = value_of(state, step->a);
    untaken_label label = label_of(state, step->a, 0);
    if (to <= from || !is_plain(state, 0, label, from, value)) {
        return false;
    }
    uint8_t inner = node_of(label)->op;
    if (inner == UNTAKEN_OP_ZEXT || inner == UNTAKEN_OP_SEXT) {
        return false;
    }
    if (op == UNTAKEN_OP_SEXT) {
        value = (uint64_t)sign_extended(value, from) & width_mask(to);
    }
    return put_plain(state, label == 0 ? 0 : node_at_home(key_for(op, to, label, 0, 0), label, value), value);
}

static inline bool load_in_short(const struct group_state *state) {
    const struct untaken_step *step = state->step;
    if (label_of(state, step->a, 0) != 0 || step->descriptor > 8) {
        return false;
    }
    uint64_t address = value_of(state, step->a) + value_of(state, step->b);
    state->labels[step->result] = loaded_label(address, step->descriptor, state->values[step->result]);
    return true;
}

static inline bool store_in_short(const struct group_state *state) {
    const struct untaken_step *step = state->step;
    if (label_of(state, step->a, 0) != 0 || step->descriptor > 8) {
        return false;
    }
    uint64_t address = value_of(state, step->a) + value_of(state, step->c);
    store_label(address, step->descriptor, label_of(state, step->b, 1));
    return true;
}

static inline bool branch_in_short(const struct group_state *state) {
    const struct untaken_step *step = state->step;
    untaken_label label = label_of(state, step->a, 0);
    uint64_t value = value_of(state, step->a);
    if (!is_plain(state, 0, label, 1, value)) {
        return false;
    }
    if (label != 0) {
        uint32_t id = (uint32_t)value_of(state, step->b);
        untaken_decide(id != 0 ? UNTAKEN_BRANCH : UNTAKEN_LIBRARY, (term){label, 1, value}, id);
    }
    return true;
}

static inline bool take_in_short(const struct group_state *state) {
    switch (state->step->kind) {
    case UNTAKEN_STEP_BINARY: return binary_in_short(state);
    case UNTAKEN_STEP_CAST: return cast_in_short(state);
    case UNTAKEN_STEP_LOAD: return load_in_short(state);
    case UNTAKEN_STEP_STORE: return store_in_short(state);
    case UNTAKEN_STEP_BRANCH: return branch_in_short(state);
    default: return false;
    }
}

static void no_labels(struct group_state *state) {
    for (; state->step < state->end; state->step++) {
        if (state->step->kind <= UNTAKEN_STEP_LOAD || state->step->kind == UNTAKEN_STEP_CHOOSE) {
            state->labels[state->step->result] = 0;
        }
    }
}

void __untaken_group(const struct untaken_group *group, uint64_t *values, untaken_label *labels) {
    const struct untaken_step *steps = (const struct untaken_step *)(group->constants + group->constant_count);
    struct group_state state = {group->constants, steps, steps + group->step_count, values, labels};
    if (!core_begin()) {
        no_labels(&state);
        return;
    }
    for (; state.step < state.end; state.step++) {
        if (!take_in_short(&state)) {
            untaken_take_step(state.constants, state.step, state.end, state.values, state.labels);
        }
    }
    core_leave();
}
