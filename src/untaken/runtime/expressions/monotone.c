/* Comparisons of a number with a constant, if the number comes from an integer by steps that keep the order or turn
 * it around: scaled, moved, rounded, converted. Then there is one integer from which on the comparison is otherwise,
 * which is looked for here; and the comparison is one of integers, which solvers are much better at. */
#include "expressions/floats.h"
#include "expressions/wide.h"

#define MOST_STEPS 12

/* The steps by which a number was made from an integer: each keeps the order of numbers, or turns it around. */
struct way {
    untaken_label steps[MOST_STEPS]; /* the last one first */
    unsigned count;
    bool is_signed;
    bool is_wide; /* some number on it has more than 64 bits */
    wide integer;
};

/* Of numbers of all widths: the operator, and what is wide or not. */
static unsigned operator_of(const struct untaken_node *node) { return node->op & ~UNTAKEN_WIDE; }

static wide_bits infinite(unsigned width) {
    return width == 32   ? 0x7f800000u
           : width == 64 ? 0x7ff0000000000000ull
                         : wide_of_halves(0, 0x7fff);
}

static bool is_usable(unsigned op, unsigned width, wide_bits constant) {
    wide_bits magnitude = constant & wide_mask(width - 1);
    bool scales = op == UNTAKEN_OP_FMUL || op == UNTAKEN_OP_FDIV;
    return magnitude < infinite(width) && !(scales && magnitude == 0);
}

/* Steps back over an operation with a constant, to its other operand; false if that is no step of a way. */
static bool take_arithmetic(const struct untaken_node *node, untaken_label *next) {
    bool first = wide_is_constant(node->a);
    if (first == wide_is_constant(node->b) || (first && operator_of(node) == UNTAKEN_OP_FDIV) ||
        !is_usable(operator_of(node), node->width, wide_of_label(first ? node->a : node->b).value)) {
        return false;
    }
    *next = first ? node->b : node->a;
    return true;
}

static bool take_sign(const struct untaken_node *node, untaken_label *next) {
    if (!wide_is_constant(node->b) || wide_of_label(node->b).value != (wide_bits)1 << (node->width - 1)) {
        return false;
    }
    *next = node->a;
    return true;
}

/* False if the order may be lost. `next` is 0 behind the step that an integer goes through. */
static bool take_node(struct way *way, const struct untaken_node *node, untaken_label *next) {
    switch (operator_of(node)) {
    case UNTAKEN_OP_FADD:
    case UNTAKEN_OP_FSUB:
    case UNTAKEN_OP_FMUL:
    case UNTAKEN_OP_FDIV: return take_arithmetic(node, next);
    case UNTAKEN_OP_XOR: return take_sign(node, next);
    case UNTAKEN_OP_FSQRT:
    case UNTAKEN_OP_FROUND:
    case UNTAKEN_OP_FCONVERT: *next = node->a; return true;
    case UNTAKEN_OP_FROM_SIGNED:
    case UNTAKEN_OP_FROM_UNSIGNED:
        way->is_signed = operator_of(node) == UNTAKEN_OP_FROM_SIGNED;
        way->integer = wide_of_label(node->a);
        *next = 0;
        return true;
    default: return false;
    }
}

static bool find_way(struct way *way, untaken_label label) {
    while (label != 0) {
        if (way->count == MOST_STEPS) {
            return false;
        }
        way->steps[way->count++] = label;
        way->is_wide |= (node_of(label)->op & UNTAKEN_WIDE) != 0;
        if (!take_node(way, node_of(label), &label)) {
            return false;
        }
    }
    return true;
}

static wide take_wide_step(const struct untaken_node *node, wide value) {
    unsigned op = operator_of(node);
    switch (op) {
    case UNTAKEN_OP_FSQRT: return wide_float_unary(op, value);
    case UNTAKEN_OP_FROUND: return wide_float_unary(UNTAKEN_OP_FROUND_FIRST + node->b, value);
    case UNTAKEN_OP_FCONVERT:
    case UNTAKEN_OP_FROM_SIGNED:
    case UNTAKEN_OP_FROM_UNSIGNED: return wide_float_cast(op, value, node->width);
    default: break;
    }
    bool first = wide_is_constant(node->a);
    wide constant = wide_constant(node->width, wide_of_label(first ? node->a : node->b).value);
    wide a = first ? constant : value, b = first ? value : constant;
    return op == UNTAKEN_OP_XOR ? wide_binary(op, a, b) : wide_float_binary(op, a, b);
}

static term take_step(const struct untaken_node *node, term value) {
    switch (node->op) {
    case UNTAKEN_OP_FSQRT: return term_float_unary(node->op, value);
    case UNTAKEN_OP_FROUND: return term_float_unary(UNTAKEN_OP_FROUND_FIRST + node->b, value);
    case UNTAKEN_OP_FCONVERT:
    case UNTAKEN_OP_FROM_SIGNED:
    case UNTAKEN_OP_FROM_UNSIGNED: return term_float_cast(node->op, value, node->width);
    default: break;
    }
    bool first = is_constant_node(node->a);
    term constant = term_constant(node->width, node_of(first ? node->a : node->b)->value);
    return term_binary(node->op, first ? constant : value, first ? value : constant);
}

static wide take_any_step(const struct untaken_node *node, wide value) {
    return node->op & UNTAKEN_WIDE ? take_wide_step(node, value) : widened(take_step(node, narrowed_term(value)));
}

/* What is asked: how the number compares with a constant. */
struct question {
    const struct way *way;
    unsigned op;
    wide constant;
    bool constant_first;
};

/* The integer that has so many smaller ones. */
static wide integer_at(const struct way *way, wide_bits place) {
    unsigned width = way->integer.width;
    return wide_constant(width, way->is_signed ? place ^ (wide_bits)1 << (width - 1) : place);
}

static wide wide_number_at(const struct way *way, wide_bits place) {
    wide value = integer_at(way, place);
    for (unsigned left = way->count; left > 0; left--) {
        value = take_any_step(node_of(way->steps[left - 1]), value);
    }
    return value;
}

/* The same if nothing on the way is wide, which is much faster. */
static term number_at(const struct way *way, uint64_t place) {
    uint8_t width = (uint8_t)way->integer.width;
    term value = term_constant(width, way->is_signed ? place ^ 1ull << (width - 1) : place);
    for (unsigned left = way->count; left > 0; left--) {
        value = take_step(node_of(way->steps[left - 1]), value);
    }
    return value;
}

/* Of the root of what may be negative the order is lost. */
static bool is_number_at(const struct way *way, wide_bits place) {
    wide value = way->is_wide ? wide_number_at(way, place) : widened(number_at(way, (uint64_t)place));
    return !wide_is_nan(value.width, value.value);
}

static bool wide_answer_at(const struct question *ask, wide_bits place) {
    wide value = wide_number_at(ask->way, place);
    wide first = ask->constant_first ? ask->constant : value, second = ask->constant_first ? value : ask->constant;
    return wide_float_binary(ask->op, first, second).value != 0;
}

static bool answer_at(const struct question *ask, wide_bits place) {
    if (ask->way->is_wide) {
        return wide_answer_at(ask, place);
    }
    term value = number_at(ask->way, (uint64_t)place), constant = narrowed_term(ask->constant);
    term first = ask->constant_first ? constant : value, second = ask->constant_first ? value : constant;
    return term_float_binary(ask->op, first, second).value != 0;
}

/* The first place whose answer is not that of the lowest. */
static wide_bits turning_place(const struct question *ask, bool lowest) {
    wide_bits low = 0, high = wide_mask(ask->way->integer.width);
    while (high - low > 1) {
        wide_bits middle = low + (high - low) / 2;
        if (answer_at(ask, middle) == lowest) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return high;
}

static term answer(const struct question *ask) {
    bool lowest = answer_at(ask, 0);
    if (answer_at(ask, wide_mask(ask->way->integer.width)) == lowest) {
        return term_constant(1, lowest);
    }
    wide turning = integer_at(ask->way, turning_place(ask, lowest));
    enum untaken_op op = ask->way->is_signed ? UNTAKEN_OP_SLT : UNTAKEN_OP_ULT;
    term below = narrowed_term(wide_binary(op, ask->way->integer, turning));
    return lowest ? below : term_binary(UNTAKEN_OP_XOR, below, term_constant(1, 1));
}

bool wide_float_order(unsigned op, wide a, wide b, term *result) {
    struct way way = {.count = 0};
    if ((a.label != 0) == (b.label != 0) || !find_way(&way, a.label | b.label) || !is_number_at(&way, 0) ||
        !is_number_at(&way, wide_mask(way.integer.width))) {
        return false;
    }
    struct question ask = {&way, op, a.label == 0 ? a : b, a.label == 0};
    if (op != UNTAKEN_OP_FEQ) {
        *result = answer(&ask);
        return true;
    }
    struct question below = {&way, UNTAKEN_OP_FLE, ask.constant, true}, above = {&way, UNTAKEN_OP_FLE, ask.constant, false};
    *result = term_and(answer(&below), answer(&above));
    return true;
}
