/* Groups of label work: what one cold block of instrumented code asks for, step by step.
 *
 * What most steps are is done here, without building terms: concrete addresses, labels that fit their values, operators
 * of the node table. Each of these functions says whether it was such a step; tracking/steps.c takes the others. */
#include <stdarg.h>

#include "memory/shadow.h"
#include "tracking/constraints.h"
#include "tracking/operations.h"

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

/* Adds the condition of the branch that the step is; false if that is not simple. */
INLINE bool add_decision(const struct group_state *state, untaken_label node, bool taken) {
    uint32_t id = (uint32_t)value_of(state, state->step->b);
    return add_constraint(id != 0 ? UNTAKEN_BRANCH : UNTAKEN_LIBRARY, node, taken, id, true);
}

INLINE bool branch_in_short(const struct group_state *state) {
    const struct untaken_step *step = state->step;
    term condition = {label_of(state, step->a, 0), 1, value_of(state, step->a)};
    uint32_t id = (uint32_t)value_of(state, step->b);
    return is_plain(state, 0, condition.label, 1, condition.value) &&
           (condition.label == 0 || decided(id != 0 ? UNTAKEN_BRANCH : UNTAKEN_LIBRARY, condition, id, true));
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
    runtime_leave();
}

/* After what is mostly the last: a processor guesses conditions better than where a jump leads to. */
#define GO_ON_OR_LEAVE()                      \
    do {                                      \
        if (step->form == UNTAKEN_FORM_END) { \
            runtime_leave();                     \
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

/* The ends of comparisons: what they have in common, so that it is in the processor's caches once. They get the node,
 * and its value in a bit that is not of the key. */
#define VALUE_SHIFT 16
_Static_assert((KEY_MASK & 1ull << VALUE_SHIFT) == 0, "one that is free");

/* Without labels there is nothing to decide. */
static void put_concrete_bit(STATE, uint64_t value) {
    const struct group_state state = {constants, step, values, labels};
    if (!put_plain(&state, 0, value)) {
        GO_ON(take_in_full);
    }
    step += step->form & UNTAKEN_FORM_DECIDING ? 2 : 1;
    GO_ON_OR_LEAVE();
}

/* Adds what the branch says that a comparison is for, if it is for one: the step behind. */
INLINE void decide(STATE, untaken_label decided, bool taken) {
    uint16_t form = step->form;
    step++;
    if (form & UNTAKEN_FORM_DECIDING) {
        const struct group_state state = {constants, step, values, labels};
        if (!add_decision(&state, decided, taken)) {
            GO_ON(take_in_full);
        }
        step++;
    }
    GO_ON_OR_LEAVE();
}

static void put_comparison(STATE, uint64_t first, uint64_t second) {
    uint64_t value = first >> VALUE_SHIFT & 1;
    const struct group_state state = {constants, step, values, labels};
    untaken_label label = stray_in_short((struct key){first & KEY_MASK, second}, value);
    if (label == 0 || !put_plain(&state, label, value)) {
        GO_ON(take_in_full);
    }
    decide(constants, step, values, labels, label, value);
}

/* Of NE: the negation of an equality. What is decided is the equality. */
static void put_difference(STATE, uint64_t first, uint64_t second) {
    uint64_t value = first >> VALUE_SHIFT & 1;
    const struct group_state state = {constants, step, values, labels};
    untaken_label equality = stray_in_short((struct key){first & KEY_MASK, second}, !value), label = 0, one;
    if (equality != 0 && (one = constant_label(1, 1)) != 0) {
        label = child_in_short(key_for(UNTAKEN_OP_XOR, 1, equality, one, 0), equality, value);
    }
    if (label == 0 || !put_plain(&state, label, value)) {
        GO_ON(take_in_full);
    }
    decide(constants, step, values, labels, equality, !value);
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
            if (key_of_arithmetic(ask, constant, &key)) {                                                   \
                label = child_in_short(key, ask.la > ask.lb ? ask.la : ask.lb, value);                      \
            } else if (adds_nothing(ask)) {                                                                 \
                label = ask.la;                                                                             \
            }                                                                                               \
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

#define ENTRIES(form, name)           \
    [form] = take_##name##_of_slots, \
    [form + UNTAKEN_FORM_CONSTANT] = take_##name##_with_constant,
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

static const struct untaken_step *first_step(const struct untaken_group *group) {
    return (const struct untaken_step *)(group->constants + group->constant_count);
}

/* What is not recorded has no labels; nor has what the handler of a signal does that came while we were at work. */
__attribute__((noinline)) static void take_no_steps(const struct untaken_step *step, untaken_label *labels) {
    if (untaken_inside) {
        __untaken_note_gap(UNTAKEN_GAP_HANDLERS);
    }
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
    const struct untaken_step *step = first_step(group);
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

static bool may_hold_labels(uintptr_t address, unsigned size) {
    uint16_t tag = *tag_of(address);
    return size == 0 ? tag != 0 : (tag & word_bits(address, size)) != 0;
}

/* The arguments from the third on, as a caller of any function of the system leaves them: four in registers, which are
 * saved one behind the other, then those on the stack. */
#define IN_REGISTERS 4
struct arguments {
    const uint64_t *saved, *stacked;
    unsigned left; /* of those in registers */
};

INLINE uint64_t next_argument(struct arguments *arguments) {
    if (arguments->left != 0) {
        arguments->left--;
        return *arguments->saved++;
    }
    return *arguments->stacked++;
}

untaken_label __untaken_handed(const struct untaken_handover *handover, untaken_label *own, ...) {
    uint64_t values[UNTAKEN_FIRST_CONSTANT];
    untaken_label slots[UNTAKEN_FIRST_CONSTANT], *labels = own != NULL ? own : slots, any = 0;
    const struct untaken_handed *entry = handover->entries, *labelled = entry + handover->values;
    const struct untaken_handed *watched = labelled + handover->labels, *end = watched + handover->watched;
    va_list list;
    va_start(list, own);
    struct arguments arguments = {(const uint64_t *)list->reg_save_area + 2, list->overflow_arg_area, IN_REGISTERS};
    for (; entry < labelled; entry++) {
        values[entry->slot] = next_argument(&arguments) & UINT64_MAX >> (64 - entry->size);
    }
    for (; entry < watched; entry++) {
        any |= labels[entry->slot] = (untaken_label)next_argument(&arguments);
    }
    va_end(list);
    while (any == 0 && entry < end) {
        any = may_hold_labels(values[entry->slot], entry->size);
        entry++;
    }
    const void *group = (const uint64_t *)(handover + 1) + handover->words;
    if (any != 0) {
        __untaken_group(group, values, labels);
    } else {
        take_no_steps(first_step(group), labels);
    }
    return labels[handover->result];
}
