/* Groups of label work: what one cold block of instrumented code asks for, step by step.
 *
 * What most steps are is done here, without building terms: concrete addresses, labels that fit their values, operators
 * of the node table. Each of these functions says whether it was such a step; steps.c takes the others. */
#include "constraints.h"
#include "group.h"
#include "shadow.h"
#include "terms.h"

#define INLINE __attribute__((always_inline)) static inline

/* Without it compilers do the same when they optimise, and groups are short. */
#ifdef __has_attribute
#if __has_attribute(musttail)
#define MUST_TAIL __attribute__((musttail))
#endif
#endif
#ifndef MUST_TAIL
#define MUST_TAIL
#endif

/* Whether an operand is what its label says: nearly always it is. */
INLINE bool is_plain(const struct group_state *state, unsigned number, untaken_label label, unsigned width,
                            uint64_t value) {
    return label == 0 || made_here(state, number) || has_value(label, width, value);
}

/* False if the program's own value is another. */
INLINE bool put_plain(const struct group_state *state, untaken_label label, uint64_t value) {
    const struct untaken_step *step = state->step;
    if (step->symbolic & UNTAKEN_GIVEN && state->values[step->result] != value) {
        return false;
    }
    state->values[step->result] = value;
    state->labels[step->result] = label;
    return true;
}

INLINE bool shifts_all_out(unsigned op, unsigned width, uint64_t b) {
    return op - UNTAKEN_OP_SHL <= UNTAKEN_OP_ASHR - UNTAKEN_OP_SHL && b >= width;
}

struct label_request {
    unsigned op, width;
    untaken_label la, lb;
    uint64_t a, b;
};

/* A comparison of extended values, or of one with a constant that is narrow enough, is one of the values themselves. */
INLINE struct label_request narrowed(struct label_request ask) {
    unsigned width = width_before(ask.la);
    bool both = ask.lb != 0 && ask.lb != ask.la && width_before(ask.lb) == width;
    if (width == 0 || !(both || (ask.lb == 0 && ask.b <= width_mask(width)))) {
        return ask;
    }
    untaken_label lb = both ? node_of(ask.lb)->a : 0;
    return (struct label_request){unsigned_comparison(ask.op), width, node_of(ask.la)->a, lb, ask.a, ask.b};
}

/* The label of an operation, at least one of whose operands has one; 0 if that is not simple. */
INLINE untaken_label label_for(struct label_request ask, uint64_t value) {
    unsigned width = is_comparison(ask.op) ? 1 : ask.width;
    if (is_comparison(ask.op) && ask.la != 0) {
        ask = narrowed(ask);
    }
    if (commutes(ask.op) && (ask.la == 0 || (ask.lb != 0 && ask.lb < ask.la))) {
        ask = (struct label_request){ask.op, ask.width, ask.lb, ask.la, ask.b, ask.a};
    }
    term a = {ask.la, (uint8_t)ask.width, ask.a}, b = {ask.lb, (uint8_t)ask.width, ask.b};
    if (may_simplify(ask.op, a, b)) {
        return 0;
    }
    uint32_t left = operand_label(a), right = operand_label(b);
    if (left == 0 || right == 0) {
        return 0;
    }
    struct key key = key_for(ask.op, width, left, right, 0);
    return is_comparison(ask.op) ? stray_in_short(key, value)
                                 : child_in_short(key, ask.la > ask.lb ? ask.la : ask.lb, value);
}

/* The negation of an equality that is a node of its own; 0 if that is not simple. */
INLINE untaken_label negated(untaken_label label, uint64_t value) {
    if (label == 0 || node_of(label)->op != UNTAKEN_OP_EQ) {
        return 0;
    }
    uint32_t one = operand_label(term_constant(1, 1));
    if (one == 0) {
        return 0;
    }
    struct key key = key_for(UNTAKEN_OP_XOR, 1, label, one, 0);
    return child_in_short(key, label, value);
}

INLINE untaken_label label_of_operation(struct label_request ask, uint64_t value) {
    if (ask.op == UNTAKEN_OP_NE) {
        ask.op = UNTAKEN_OP_EQ;
        return negated(label_for(ask, !value), value);
    }
    return label_for(ask, value);
}

INLINE uint64_t value_of_operation(struct label_request ask) {
    return ask.op == UNTAKEN_OP_NE ? ask.a != ask.b : evaluate(ask.op, ask.width, ask.a, ask.b);
}

INLINE bool computed(const struct group_state *state, unsigned op, bool constant, term *result) {
    const struct untaken_step *step = state->step;
    struct label_request ask = {.op = op, .width = step->descriptor >> 8 & 0xff};
    ask.a = constant ? state->values[step->a] : value_of(state, step->a);
    ask.la = constant ? state->labels[step->a] : label_of(state, step->a, 0);
    ask.b = constant ? constant_of(state, step->b) : state->values[step->b];
    ask.lb = constant ? 0 : label_of(state, step->b, 1);
    if (shifts_all_out(op, ask.width, ask.b) || !is_plain(state, 0, ask.la, ask.width, ask.a) ||
        !is_plain(state, 1, ask.lb, ask.width, ask.b)) {
        return false;
    }
    result->value = value_of_operation(ask);
    result->label = (ask.la | ask.lb) == 0 ? 0 : label_of_operation(ask, result->value);
    return (ask.la | ask.lb) == 0 || result->label != 0;
}

INLINE bool binary_in_short(const struct group_state *state, unsigned op, bool constant) {
    term result;
    return computed(state, op, constant, &result) && put_plain(state, result.label, result.value);
}

/* Of what is widened already the narrow value is widened further, unless its sign has to be kept apart. */
INLINE bool widening_in_short(const struct group_state *state, unsigned op) {
    const struct untaken_step *step = state->step;
    unsigned from = step->descriptor >> 8 & 0xff, to = step->descriptor >> 16;
    uint64_t value = value_of(state, step->a);
    untaken_label inner = label_of(state, step->a, 0), label = 0;
    if (to <= from || !is_plain(state, 0, inner, from, value) || node_of(inner)->op == UNTAKEN_OP_SEXT) {
        return false;
    }
    if (op == UNTAKEN_OP_SEXT) {
        value = (uint64_t)sign_extended(value, from) & width_mask(to);
    }
    if (inner != 0) {
        bool widened = node_of(inner)->op == UNTAKEN_OP_ZEXT;
        inner = widened ? node_of(inner)->a : inner;
        struct key key = key_for(widened ? UNTAKEN_OP_ZEXT : op, to, inner, 0, 0);
        label = child_in_short(key, inner, value);
        if (label == 0) {
            return false;
        }
    }
    return put_plain(state, label, value);
}

/* An address that is not symbolic. */
INLINE bool offset_in_short(const struct group_state *state) {
    const struct untaken_step *step = state->step;
    if ((label_of(state, step->a, 0) | label_of(state, step->b, 1)) != 0) {
        return false;
    }
    int64_t index = sign_extended(value_of(state, step->b), step->descriptor);
    uint64_t value = value_of(state, step->a) + (uint64_t)index * step->extra + value_of(state, step->c);
    return put_plain(state, 0, value);
}

INLINE bool load_in_short(const struct group_state *state, uint32_t size, bool constant) {
    const struct untaken_step *step = state->step;
    uint64_t distance = constant ? constant_of(state, step->b) : state->values[step->b];
    uint64_t address = state->values[step->a] + distance;
    untaken_label *label = &state->labels[step->result];
    return label_of(state, step->a, 0) == 0 && loaded_in_short(address, size, state->values[step->result], label);
}

INLINE bool store_in_short(const struct group_state *state, uint32_t size, bool constant) {
    const struct untaken_step *step = state->step;
    uint64_t distance = constant ? constant_of(state, step->c) : state->values[step->c];
    uint64_t address = state->values[step->a] + distance;
    return label_of(state, step->a, 0) == 0 && stored_in_short(address, size, label_of(state, step->b, 1));
}

INLINE bool decision_in_short(const struct group_state *state, term condition) {
    uint32_t id = (uint32_t)value_of(state, state->step->b);
    return condition.label == 0 || decided(id != 0 ? UNTAKEN_BRANCH : UNTAKEN_LIBRARY, condition, id);
}

INLINE bool branch_in_short(const struct group_state *state) {
    const struct untaken_step *step = state->step;
    term condition = {label_of(state, step->a, 0), 1, value_of(state, step->a)};
    return is_plain(state, 0, condition.label, 1, condition.value) && decision_in_short(state, condition);
}

/* ---- One function for each form: it takes the step, and goes on to the function of the next. ---- */

#define STATE const uint64_t *constants, const struct untaken_step *step, uint64_t *values, untaken_label *labels
#define GO_ON(taker) MUST_TAIL return (taker)(constants, step, values, labels)

typedef void taker(STATE);
static taker *const takers[UNTAKEN_FORMS];

__attribute__((noinline)) static void take_in_full(STATE) {
    untaken_take_step(constants, step, values, labels);
    step++;
    GO_ON(takers[step->form]);
}

static void take_none(STATE) {
    (void)constants, (void)step, (void)values, (void)labels;
    core_leave();
}

#define TAKER(name, in_short, ...)                                          \
    static void take_##name(STATE) {                                        \
        const struct group_state state = {constants, step, values, labels}; \
        if (!in_short(&state __VA_OPT__(, ) __VA_ARGS__)) {                 \
            GO_ON(take_in_full);                                            \
        }                                                                   \
        step++;                                                             \
        GO_ON(takers[step->form]);                                          \
    }

/* A comparison, and the branch that it is for: the step behind. */
#define DECIDER(name, op, constant)                                            \
    static void decide_##name(STATE) {                                         \
        const struct group_state state = {constants, step, values, labels};    \
        term condition = {.width = 1};                                         \
        if (!computed(&state, op, constant, &condition) ||                     \
            !put_plain(&state, condition.label, condition.value)) {            \
            GO_ON(take_in_full);                                               \
        }                                                                      \
        step++;                                                                \
        const struct group_state deciding = {constants, step, values, labels}; \
        if (!decision_in_short(&deciding, condition)) {                        \
            GO_ON(take_in_full);                                               \
        }                                                                      \
        step++;                                                                \
        GO_ON(takers[step->form]);                                             \
    }

#define COMPARISONS(of) of(EQ) of(ULT) of(ULE) of(SLT) of(SLE) of(NE)
#define OPERATIONS(of) of(ADD) of(SUB) of(MUL) of(SHL) of(LSHR) of(ASHR) of(AND) of(OR) of(XOR) COMPARISONS(of)

#define OPERATION_TAKERS(op)                                    \
    TAKER(op##_of_slots, binary_in_short, UNTAKEN_OP_##op, false) \
    TAKER(op##_with_constant, binary_in_short, UNTAKEN_OP_##op, true)
#define COMPARISON_DECIDERS(op)                    \
    DECIDER(op##_of_slots, UNTAKEN_OP_##op, false) \
    DECIDER(op##_with_constant, UNTAKEN_OP_##op, true)

#define LOADS(of) of(load, 1) of(load, 2) of(load, 4) of(load, 8)
#define STORES(of) of(store, 1) of(store, 4) of(store, 8)
#define ACCESSES(of) LOADS(of) STORES(of)
#define ACCESS_TAKERS(access, size)                                          \
    TAKER(access##_##size##_at_slot, access##_in_short, size, false) \
    TAKER(access##_##size##_at_constant, access##_in_short, size, true)

OPERATIONS(OPERATION_TAKERS)
COMPARISONS(COMPARISON_DECIDERS)
TAKER(zext, widening_in_short, UNTAKEN_OP_ZEXT)
TAKER(sext, widening_in_short, UNTAKEN_OP_SEXT)
TAKER(offset, offset_in_short)
TAKER(branch, branch_in_short)
ACCESSES(ACCESS_TAKERS)

#define FORM_OF(op) (UNTAKEN_OP_##op == UNTAKEN_OP_NE ? UNTAKEN_FORM_DIFFERENT : UNTAKEN_OP_##op)
#define OPERATION_ENTRIES(op)            \
    [FORM_OF(op)] = take_##op##_of_slots, \
    [FORM_OF(op) + UNTAKEN_FORM_CONSTANT] = take_##op##_with_constant,
#define COMPARISON_ENTRIES(op)                                        \
    [FORM_OF(op) + UNTAKEN_FORM_DECIDING] = decide_##op##_of_slots,    \
    [FORM_OF(op) + UNTAKEN_FORM_DECIDING + UNTAKEN_FORM_CONSTANT] = decide_##op##_with_constant,

#define ACCESS_ENTRIES(form, name)    \
    [form] = take_##name##_at_slot, \
    [form + UNTAKEN_FORM_CONSTANT] = take_##name##_at_constant,
#define LOAD_ENTRIES(access, size) ACCESS_ENTRIES(UNTAKEN_FORM_LOAD + size, access##_##size)
#define STORE_ENTRIES(access, size) ACCESS_ENTRIES(UNTAKEN_FORM_STORE + size, access##_##size)

static taker *const takers[UNTAKEN_FORMS] = {
    OPERATIONS(OPERATION_ENTRIES)
    COMPARISONS(COMPARISON_ENTRIES)
    [UNTAKEN_FORM_GENERAL] = take_in_full,
    [UNTAKEN_FORM_END] = take_none,
    [UNTAKEN_OP_ZEXT] = take_zext,
    [UNTAKEN_OP_SEXT] = take_sext,
    [UNTAKEN_FORM_OFFSET] = take_offset,
    [UNTAKEN_FORM_BRANCH] = take_branch,
    LOADS(LOAD_ENTRIES)
    STORES(STORE_ENTRIES)
};

static void no_labels(const struct untaken_step *step, untaken_label *labels) {
    for (; step->form != UNTAKEN_FORM_END; step++) {
        if (step->kind <= UNTAKEN_STEP_LOAD || step->kind == UNTAKEN_STEP_CHOOSE) {
            labels[step->result] = 0;
        }
    }
}

void __untaken_group(const struct untaken_group *group, uint64_t *values, untaken_label *labels) {
    const struct untaken_step *step = (const struct untaken_step *)(group->constants + group->constant_count);
    if (!core_begin()) {
        no_labels(step, labels);
        return;
    }
    takers[step->form](group->constants, step, values, labels);
}
