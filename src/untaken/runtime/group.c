/* Groups of label work: what one cold block of instrumented code asks for, step by step.
 *
 * What most steps are is done here, without building terms: concrete addresses, labels that fit their values, operators
 * of the node table. Each of these functions says whether it was such a step; steps.c takes the others. */
#include "constraints.h"
#include "group.h"
#include "shadow.h"
#include "terms.h"

#define INLINE __attribute__((always_inline)) static inline

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

/* An operation on values; labels are 0 where they have none. */
struct request {
    unsigned op, width;
    untaken_label la, lb;
    uint64_t a, b;
};

/* The node of an operation without a rule that simplifies it; false if there may be one, or that is not simple. */
INLINE bool key_with_constant(struct request ask, unsigned width, struct key *key) {
    term a = {ask.la, (uint8_t)ask.width, ask.a}, b = {0, (uint8_t)ask.width, ask.b};
    uint32_t right;
    if (may_simplify(ask.op, a, b) || (right = constant_label(b.width, b.value)) == 0) {
        return false;
    }
    *key = key_for(ask.op, width, ask.la, right, 0);
    return true;
}

INLINE bool key_after_constant(struct request ask, unsigned width, struct key *key) {
    term a = {0, (uint8_t)ask.width, ask.a}, b = {ask.lb, (uint8_t)ask.width, ask.b};
    uint32_t left;
    if (may_simplify(ask.op, a, b) || (left = constant_label(a.width, a.value)) == 0) {
        return false;
    }
    *key = key_for(ask.op, width, left, ask.lb, 0);
    return true;
}

INLINE bool key_of_two(struct request ask, unsigned width, struct key *key) {
    bool swapped = commutes(ask.op) && ask.lb < ask.la;
    untaken_label left = swapped ? ask.lb : ask.la, right = swapped ? ask.la : ask.lb;
    *key = key_for(ask.op, width, left, right, 0);
    return left != right && (fitting_operands[ask.op].with_node >> node_of(left)->op & 1) == 0;
}

INLINE struct request exchanged(struct request ask) {
    return (struct request){ask.op, ask.width, ask.lb, ask.la, ask.b, ask.a};
}

/* A comparison of an extended value with a constant that is narrow enough is one of the value itself. */
INLINE struct request narrowed(struct request ask) {
    const struct untaken_node *node = node_of(ask.la);
    if (node->op == UNTAKEN_OP_ZEXT) {
        unsigned width = node_of(node->a)->width;
        if (width > 1 && ask.b <= width_mask(width)) {
            return (struct request){unsigned_comparison(ask.op), width, node->a, 0, ask.a, ask.b};
        }
    }
    return ask;
}

/* So is one of two extended values. */
INLINE struct request narrowed_both(struct request ask) {
    const struct untaken_node *a = node_of(ask.la), *b = node_of(ask.lb);
    if (a->op == UNTAKEN_OP_ZEXT && b->op == UNTAKEN_OP_ZEXT && ask.la != ask.lb) {
        unsigned width = node_of(a->a)->width;
        if (width > 1 && node_of(b->a)->width == width) {
            return (struct request){unsigned_comparison(ask.op), width, a->a, b->a, ask.a, ask.b};
        }
    }
    return ask;
}

INLINE bool key_of_comparison(struct request ask, bool constant, struct key *key) {
    if (constant || ask.lb == 0) {
        return key_with_constant(narrowed(ask), 1, key);
    }
    if (ask.la != 0) {
        return key_of_two(narrowed_both(ask), 1, key);
    }
    return commutes(ask.op) ? key_with_constant(exchanged(ask), 1, key) : key_after_constant(ask, 1, key);
}

INLINE bool key_of_arithmetic(struct request ask, bool constant, struct key *key) {
    if (constant || ask.lb == 0) {
        return key_with_constant(ask, ask.width, key);
    }
    if (ask.la != 0) {
        return key_of_two(ask, ask.width, key);
    }
    return commutes(ask.op) ? key_with_constant(exchanged(ask), ask.width, key)
                            : key_after_constant(ask, ask.width, key);
}

/* False if an operand is not what its label says. */
INLINE bool read_operands(const struct group_state *state, unsigned op, bool constant, struct request *ask) {
    const struct untaken_step *step = state->step;
    *ask = (struct request){.op = op, .width = step->descriptor >> 8 & 0xff};
    ask->a = constant ? state->values[step->a] : value_of(state, step->a);
    ask->la = constant ? state->labels[step->a] : label_of(state, step->a, 0);
    ask->b = constant ? constant_of(state, step->b) : state->values[step->b];
    ask->lb = constant ? 0 : label_of(state, step->b, 1);
    return !shifts_all_out(op, ask->width, ask->b) && is_plain(state, 0, ask->la, ask->width, ask->a) &&
           is_plain(state, 1, ask->lb, ask->width, ask->b);
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

/* Adds the condition of the branch that the step is; false if there is no room. */
INLINE bool add_decision(const struct group_state *state, untaken_label node, bool taken) {
    uint32_t id = (uint32_t)value_of(state, state->step->b);
    return add_constraint(id != 0 ? UNTAKEN_BRANCH : UNTAKEN_LIBRARY, node, taken, id);
}

INLINE bool branch_in_short(const struct group_state *state) {
    const struct untaken_step *step = state->step;
    term condition = {label_of(state, step->a, 0), 1, value_of(state, step->a)};
    uint32_t id = (uint32_t)value_of(state, step->b);
    return is_plain(state, 0, condition.label, 1, condition.value) &&
           (condition.label == 0 || decided(id != 0 ? UNTAKEN_BRANCH : UNTAKEN_LIBRARY, condition, id));
}

/* ---- One function for each form: it takes the step, and goes on to the function of the next. ---- */

#define STATE const uint64_t *constants, const struct untaken_step *step, uint64_t *values, untaken_label *labels
/* Compilers that optimise jump there; otherwise the stack holds a frame a step, and groups are short. */
#define GO_ON(taker)                                  \
    do {                                              \
        (taker)(constants, step, values, labels);     \
        return;                                       \
    } while (0)

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

/* After what is mostly the last: a processor guesses conditions better than where a jump leads to. */
#define GO_ON_OR_LEAVE()                      \
    do {                                      \
        if (step->form == UNTAKEN_FORM_END) { \
            core_leave();                     \
            return;                           \
        }                                     \
        GO_ON(takers[step->form]);            \
    } while (0)

#define TAKER(name, in_short, ...)                                          \
    static void take_##name(STATE) {                                        \
        const struct group_state state = {constants, step, values, labels}; \
        if (!in_short(&state __VA_OPT__(, ) __VA_ARGS__)) {                 \
            GO_ON(take_in_full);                                            \
        }                                                                   \
        step++;                                                             \
        GO_ON(takers[step->form]);                                          \
    }

/* The ends of operations: what they have in common, so that it is in the processor's caches once. They get the node, and
 * the value in bits of it that are not used. */
#define VALUE_SHIFT 16
_Static_assert((KEY_MASK & 1ull << VALUE_SHIFT) == 0, "a bit that is not of the key");

/* Without labels there is nothing to decide. */
static void put_concrete_bit(STATE, uint64_t value) {
    const struct group_state state = {constants, step, values, labels};
    if (!put_plain(&state, 0, value)) {
        GO_ON(take_in_full);
    }
    step += step->form & UNTAKEN_FORM_DECIDING ? 2 : 1;
    GO_ON_OR_LEAVE();
}

/* A comparison, and the branch that it is for, if it is for one: the step behind. */
static void put_comparison(STATE, uint64_t first, uint64_t second) {
    struct key key = {first & KEY_MASK, second};
    uint64_t value = first >> VALUE_SHIFT & 1;
    const struct group_state state = {constants, step, values, labels};
    untaken_label label = stray_in_short(key, value);
    if (label == 0 || !put_plain(&state, label, value)) {
        GO_ON(take_in_full);
    }
    uint16_t form = step->form;
    step++;
    if (form & UNTAKEN_FORM_DECIDING) {
        const struct group_state deciding = {constants, step, values, labels};
        if (!add_decision(&deciding, label, value)) {
            GO_ON(take_in_full);
        }
        step++;
    }
    GO_ON_OR_LEAVE();
}

/* The same of NE: the negation of an equality. Decided is the equality. */
static void put_difference(STATE, uint64_t first, uint64_t second) {
    struct key key = {first & KEY_MASK, second};
    uint64_t value = first >> VALUE_SHIFT & 1;
    const struct group_state state = {constants, step, values, labels};
    untaken_label equality = stray_in_short(key, !value), label = 0, one;
    if (equality != 0 && (one = constant_label(1, 1)) != 0) {
        label = child_in_short(key_for(UNTAKEN_OP_XOR, 1, equality, one, 0), equality, value);
    }
    if (label == 0 || !put_plain(&state, label, value)) {
        GO_ON(take_in_full);
    }
    uint16_t form = step->form;
    step++;
    if (form & UNTAKEN_FORM_DECIDING) {
        const struct group_state deciding = {constants, step, values, labels};
        if (!add_decision(&deciding, equality, !value)) {
            GO_ON(take_in_full);
        }
        step++;
    }
    GO_ON_OR_LEAVE();
}

#define COMPARISON_TAKER(name, operator, asked, put, constant)                                              \
    static void take_##name(STATE) {                                                                        \
        const struct group_state state = {constants, step, values, labels};                                 \
        struct request ask;                                                                                 \
        struct key key;                                                                                     \
        if (!read_operands(&state, asked, constant, &ask)) {                                                \
            GO_ON(take_in_full);                                                                            \
        }                                                                                                   \
        uint64_t value = evaluate(asked, ask.width, ask.a, ask.b) ^ (operator!= asked);                     \
        if ((ask.la | ask.lb) == 0) {                                                                       \
            put_concrete_bit(constants, step, values, labels, value);                                       \
            return;                                                                                         \
        }                                                                                                   \
        if (!key_of_comparison(ask, constant, &key)) {                                                      \
            GO_ON(take_in_full);                                                                            \
        }                                                                                                   \
        put(constants, step, values, labels, key.first | value << VALUE_SHIFT, key.second);                 \
    }

#define ARITHMETIC_TAKER(name, op, constant)                                                                \
    static void take_##name(STATE) {                                                                        \
        const struct group_state state = {constants, step, values, labels};                                 \
        struct request ask;                                                                                 \
        struct key key;                                                                                     \
        if (!read_operands(&state, op, constant, &ask)) {                                                   \
            GO_ON(take_in_full);                                                                            \
        }                                                                                                   \
        uint64_t value = evaluate(op, ask.width, ask.a, ask.b);                                             \
        untaken_label label = 0;                                                                            \
        if ((ask.la | ask.lb) != 0) {                                                                       \
            if (!key_of_arithmetic(ask, constant, &key)) {                                                  \
                GO_ON(take_in_full);                                                                        \
            }                                                                                               \
            label = child_in_short(key, ask.la > ask.lb ? ask.la : ask.lb, value);                          \
            if (label == 0) {                                                                               \
                GO_ON(take_in_full);                                                                        \
            }                                                                                               \
        }                                                                                                   \
        if (!put_plain(&state, label, value)) {                                                             \
            GO_ON(take_in_full);                                                                            \
        }                                                                                                   \
        step++;                                                                                             \
        GO_ON(takers[step->form]);                                                                          \
    }

#define COMPARISONS(of) of(EQ) of(ULT) of(ULE) of(SLT) of(SLE)
#define ARITHMETIC(of) of(ADD) of(SUB) of(MUL) of(SHL) of(LSHR) of(ASHR) of(AND) of(OR) of(XOR)

#define ARITHMETIC_TAKERS(op)                              \
    ARITHMETIC_TAKER(op##_of_slots, UNTAKEN_OP_##op, false) \
    ARITHMETIC_TAKER(op##_with_constant, UNTAKEN_OP_##op, true)
#define COMPARISON_TAKERS(op)                                                                        \
    COMPARISON_TAKER(op##_of_slots, UNTAKEN_OP_##op, UNTAKEN_OP_##op, put_comparison, false) \
    COMPARISON_TAKER(op##_with_constant, UNTAKEN_OP_##op, UNTAKEN_OP_##op, put_comparison, true)

#define LOADS(of) of(load, 1) of(load, 2) of(load, 4) of(load, 8)
#define STORES(of) of(store, 1) of(store, 4) of(store, 8)
#define ACCESSES(of) LOADS(of) STORES(of)
#define ACCESS_TAKERS(access, size)                                          \
    TAKER(access##_##size##_at_slot, access##_in_short, size, false) \
    TAKER(access##_##size##_at_constant, access##_in_short, size, true)

ARITHMETIC(ARITHMETIC_TAKERS)
COMPARISONS(COMPARISON_TAKERS)
COMPARISON_TAKER(NE_of_slots, UNTAKEN_OP_NE, UNTAKEN_OP_EQ, put_difference, false)
COMPARISON_TAKER(NE_with_constant, UNTAKEN_OP_NE, UNTAKEN_OP_EQ, put_difference, true)
TAKER(zext, widening_in_short, UNTAKEN_OP_ZEXT)
TAKER(sext, widening_in_short, UNTAKEN_OP_SEXT)
TAKER(offset, offset_in_short)
TAKER(branch, branch_in_short)
ACCESSES(ACCESS_TAKERS)

#define ENTRIES(form, name) [form] = take_##name##_of_slots, [form + UNTAKEN_FORM_CONSTANT] = take_##name##_with_constant,
#define ARITHMETIC_ENTRIES(op) ENTRIES(UNTAKEN_OP_##op, op)
#define COMPARISON_ENTRIES(op) ENTRIES(UNTAKEN_OP_##op, op) ENTRIES(UNTAKEN_OP_##op + UNTAKEN_FORM_DECIDING, op)

#define ACCESS_ENTRIES(form, name)    \
    [form] = take_##name##_at_slot, \
    [form + UNTAKEN_FORM_CONSTANT] = take_##name##_at_constant,
#define LOAD_ENTRIES(access, size) ACCESS_ENTRIES(UNTAKEN_FORM_LOAD + size, access##_##size)
#define STORE_ENTRIES(access, size) ACCESS_ENTRIES(UNTAKEN_FORM_STORE + size, access##_##size)

static taker *const takers[UNTAKEN_FORMS] = {
    ARITHMETIC(ARITHMETIC_ENTRIES)
    COMPARISONS(COMPARISON_ENTRIES)
    ENTRIES(UNTAKEN_FORM_DIFFERENT, NE)
    ENTRIES(UNTAKEN_FORM_DIFFERENT + UNTAKEN_FORM_DECIDING, NE)
    [UNTAKEN_FORM_GENERAL] = take_in_full,
    [UNTAKEN_FORM_END] = take_none,
    [UNTAKEN_OP_ZEXT] = take_zext,
    [UNTAKEN_OP_SEXT] = take_sext,
    [UNTAKEN_FORM_OFFSET] = take_offset,
    [UNTAKEN_FORM_BRANCH] = take_branch,
    LOADS(LOAD_ENTRIES)
    STORES(STORE_ENTRIES)
};

/* What is not recorded has no labels. */
__attribute__((noinline)) static void take_no_steps(const struct untaken_step *step, untaken_label *labels) {
    for (; step->form != UNTAKEN_FORM_END; step++) {
        if (step->kind <= UNTAKEN_STEP_LOAD || step->kind == UNTAKEN_STEP_CHOOSE) {
            labels[step->result] = 0;
        }
    }
}

__attribute__((noinline)) static void take_when_alone(STATE) {
    untaken_lock_slow();
    GO_ON(takers[step->form]);
}

void __untaken_group(const struct untaken_group *group, uint64_t *values, untaken_label *labels) {
    const uint64_t *constants = group->constants;
    const struct untaken_step *step = (const struct untaken_step *)(constants + group->constant_count);
    if (!untaken_recording || untaken_inside) {
        take_no_steps(step, labels);
        return;
    }
    untaken_inside = true;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (!untaken_one_thread()) {
        take_when_alone(constants, step, values, labels);
        return;
    }
    takers[step->form](constants, step, values, labels);
}
