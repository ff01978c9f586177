/* Groups of label work: what one cold block of instrumented code asks for, step by step.
 *
 * Values of loads, and in checking mode all values, come from the program and are compared with the expression's:
 * where they differ (the program did something that C leaves undefined) the label is dropped. */
#include "shadow.h"
#include "terms.h"

struct group_state {
    const uint64_t *constants;
    const struct untaken_step *step, *end;
    uint64_t *values;
    untaken_label *labels;
};

static inline uint64_t value_of(const struct group_state *state, uint8_t operand) {
    const uint64_t *from = operand < UNTAKEN_FIRST_CONSTANT ? state->values : state->constants;
    return from[operand % UNTAKEN_FIRST_CONSTANT];
}

static inline untaken_label label_of(const struct group_state *state, uint8_t operand, unsigned number) {
    return state->step->symbolic >> number & 1 ? state->labels[operand] : 0;
}

static inline bool made_here(const struct group_state *state, unsigned number) {
    return state->step->symbolic & UNTAKEN_MADE << number;
}

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
    for (later.step++; later.step < later.end; later.step++) {
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

static void load_wide(term address, uint32_t size) {
    untaken_pin_term(address);
    if (untaken_memory_symbolic((const void *)(uintptr_t)address.value, size)) {
        untaken_count_concretised(UNTAKEN_BY_WIDE);
    }
}

/* Takes a copy of the state: that of the others can then stay in registers. */
static untaken_label load_indirect(struct group_state state, term address) {
    const struct untaken_step *step = state.step;
    const void *object = step->extra != 0 ? (const void *)(uintptr_t)value_of(&state, step->c) : NULL;
    return untaken_load_indirect(address, step->descriptor, state.values[step->result], object, step->extra,
                                 changed_later, &state);
}

static inline void store(const struct group_state *state) {
    const struct untaken_step *step = state->step;
    term address = address_of(state, step->c);
    untaken_label label = label_of(state, step->b, 1);
    if (address.label != 0) {
        untaken_pin_term(address);
    }
    if (step->descriptor <= 8) {
        store_label(address.value, step->descriptor, label);
        return;
    }
    if (label != 0) {
        untaken_count_concretised(UNTAKEN_BY_WIDE);
    }
    untaken_memory_clear((void *)(uintptr_t)address.value, step->descriptor);
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

static inline term binary(const struct group_state *state) {
    unsigned op = state->step->descriptor & 0xff, width = state->step->descriptor >> 8 & 0xff;
    term a = operand(state, 0, width), b = operand(state, 1, width);
    if (shifted_too_far(state, op, width) && (a.label | b.label) != 0) {
        untaken_count_concretised(UNTAKEN_BY_UNDEFINED);
        a.label = b.label = 0;
    }
    return op < UNTAKEN_OP_NE ? plain_binary(op, a, b) : term_binary(op, a, b);
}

static inline term chosen(const struct group_state *state) {
    const struct untaken_step *step = state->step;
    bool first = value_of(state, step->a) != 0;
    uint8_t which = first ? step->b : step->c;
    untaken_label label = label_of(state, which, first ? 1 : 2);
    return term_believed(label, label < untaken_shared->node_count ? node_of(label)->width : 64, value_of(state, which));
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

static inline void load(const struct group_state *state) {
    const struct untaken_step *step = state->step;
    term address = address_of(state, step->b);
    if (step->descriptor > 8) {
        load_wide(address, step->descriptor);
        state->labels[step->result] = 0;
    } else {
        put_result(state, (term){load_indirect(*state, address), 64, state->values[step->result]});
    }
}

static inline void branch(const struct group_state *state) {
    uint32_t id = (uint32_t)value_of(state, state->step->b);
    untaken_decide(id != 0 ? UNTAKEN_BRANCH : UNTAKEN_LIBRARY, operand(state, 0, 1), id);
}

static inline void pin(const struct group_state *state) {
    untaken_label label = label_of(state, state->step->a, 0);
    if (label != 0) {
        untaken_pin_term(operand(state, 0, node_of(label)->width));
    }
}

static inline void concretise(const struct group_state *state) {
    if (label_of(state, state->step->a, 0) != 0) {
        untaken_count_concretised(state->step->descriptor);
    }
}

/* Any step. Gets the state in pieces: that of the loop can then stay in registers. */
__attribute__((noinline)) static void take_any(const uint64_t *constants, const struct untaken_step *step,
                                               const struct untaken_step *end, uint64_t *values,
                                               untaken_label *labels) {
    const struct group_state *state = &(struct group_state){constants, step, end, values, labels};
    unsigned op = step->descriptor & 0xff, width = step->descriptor >> 8 & 0xff;
    switch (step->kind) {
    case UNTAKEN_STEP_BINARY: put_result(state, binary(state)); break;
    case UNTAKEN_STEP_UNARY: put_result(state, term_unary(op, operand(state, 0, width))); break;
    case UNTAKEN_STEP_CAST:
        put_result(state, term_extend(op, operand(state, 0, width), (uint8_t)(step->descriptor >> 16)));
        break;
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
    default: concretise(state);
    }
}

/* ---- The same in short, for what most steps are. Each of these says whether it was such a one. ---- */

/* Whether an operand is what its label says: nearly always it is. */
static inline bool is_plain(const struct group_state *state, unsigned number, untaken_label label, unsigned width,
                            uint64_t value) {
    return label == 0 || made_here(state, number) || has_value(label, width, value);
}

static inline void put_plain(const struct group_state *state, untaken_label label, uint64_t value) {
    state->values[state->step->result] = value;
    state->labels[state->step->result] = label;
}

static inline bool is_given(const struct group_state *state) { return state->step->symbolic & UNTAKEN_GIVEN; }

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
    if (is_given(state) || op > UNTAKEN_OP_NE || shifts_all_out(op, width, b) || !is_plain(state, 0, la, width, a) ||
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
    put_plain(state, label, value);
    return true;
}

/* A widening of what is not widened yet. */
static inline bool cast_in_short(const struct group_state *state) {
    const struct untaken_step *step = state->step;
    unsigned op = step->descriptor & 0xff, from = step->descriptor >> 8 & 0xff, to = step->descriptor >> 16;
    uint64_t value = value_of(state, step->a);
    untaken_label label = label_of(state, step->a, 0);
    if (is_given(state) || to <= from || !is_plain(state, 0, label, from, value)) {
        return false;
    }
    uint8_t inner = node_of(label)->op;
    if (inner == UNTAKEN_OP_ZEXT || inner == UNTAKEN_OP_SEXT) {
        return false;
    }
    if (op == UNTAKEN_OP_SEXT) {
        value = (uint64_t)sign_extended(value, from) & width_mask(to);
    }
    put_plain(state, label == 0 ? 0 : node_at_home(key_for(op, to, label, 0, 0), label, value), value);
    return true;
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
            take_any(state.constants, state.step, state.end, state.values, state.labels);
        }
    }
    core_leave();
}
