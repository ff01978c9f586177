/* Comparisons of a number with a constant, if the number comes from an integer by steps that keep the order or turn it
 * around: scaled, moved, rounded, converted. Then there is one integer from which on the comparison is otherwise, which is
 * looked for here; and the comparison is one of integers, which solvers are much better at. */
#include "floats.h"

#include "terms.h"

#define MOST_STEPS 12

/* The way from an integer to a number. */
struct way {
    untaken_label steps[MOST_STEPS]; /* the last one first */
    unsigned count;
    bool is_signed;
    term integer;
};

static bool is_usable(unsigned op, unsigned width, uint64_t constant) {
    uint64_t magnitude = constant & width_mask(width - 1), infinite = width == 32 ? 0x7f800000u : 0x7ff0000000000000ull;
    bool scales = op == UNTAKEN_OP_FMUL || op == UNTAKEN_OP_FDIV;
    return magnitude < infinite && !(scales && magnitude == 0);
}

/* One of the operands is a constant. */
static bool take_arithmetic(const struct untaken_node *node, untaken_label *next) {
    bool first = is_constant_node(node->a);
    uint64_t constant = node_of(first ? node->a : node->b)->value;
    if (first == is_constant_node(node->b) || !is_usable(node->op, node->width, constant) ||
        (first && node->op == UNTAKEN_OP_FDIV)) {
        return false;
    }
    *next = first ? node->b : node->a;
    return true;
}

static bool take_sign(const struct untaken_node *node, untaken_label *next) {
    if (!is_constant_node(node->b) || node_of(node->b)->value != 1ull << (node->width - 1)) {
        return false;
    }
    *next = node->a;
    return true;
}

/* False if the order may be lost. `next` is 0 behind the step that an integer goes through. */
static bool take_node(struct way *way, const struct untaken_node *node, untaken_label *next) {
    switch (node->op) {
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
        way->is_signed = node->op == UNTAKEN_OP_FROM_SIGNED;
        way->integer = term_of_label(node->a);
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
        if (!take_node(way, node_of(label), &label)) {
            return false;
        }
    }
    return true;
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

/* What is asked: how the number compares with a constant. */
struct question {
    const struct way *way;
    unsigned op;
    term constant;
    bool constant_first;
};

/* The number for an integer, by its place in the order of all. */
static term number_at(const struct way *way, uint64_t place) {
    uint8_t width = way->integer.width;
    term value = term_constant(width, way->is_signed ? place ^ 1ull << (width - 1) : place);
    for (unsigned left = way->count; left > 0; left--) {
        value = take_step(node_of(way->steps[left - 1]), value);
    }
    return value;
}

/* Of the root of what may be negative the order is lost. */
static bool is_number_at(const struct way *way, uint64_t place) {
    term value = number_at(way, place);
    return !untaken_is_nan(value.width, value.value);
}

static bool answer_at(const struct question *ask, uint64_t place) {
    term value = number_at(ask->way, place);
    term first = ask->constant_first ? ask->constant : value, second = ask->constant_first ? value : ask->constant;
    return term_float_binary(ask->op, first, second).value != 0;
}

/* The first place whose answer is not that of the lowest. */
static uint64_t turning_place(const struct question *ask, bool lowest) {
    uint64_t low = 0, high = width_mask(ask->way->integer.width);
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (answer_at(ask, middle) == lowest) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return high;
}

static term answer(const struct question *ask) {
    uint8_t width = ask->way->integer.width;
    bool lowest = answer_at(ask, 0);
    if (answer_at(ask, width_mask(width)) == lowest) {
        return term_constant(1, lowest);
    }
    uint64_t place = turning_place(ask, lowest);
    term turning = term_constant(width, ask->way->is_signed ? place ^ 1ull << (width - 1) : place);
    enum untaken_op op = ask->way->is_signed ? UNTAKEN_OP_SLT : UNTAKEN_OP_ULT;
    term below = term_binary(op, ask->way->integer, turning);
    return lowest ? below : term_binary(UNTAKEN_OP_XOR, below, term_constant(1, 1));
}

bool term_float_order(unsigned op, term a, term b, term *result) {
    struct way way = {.count = 0};
    if ((a.label != 0) == (b.label != 0) || !find_way(&way, a.label | b.label) || !is_number_at(&way, 0) ||
        !is_number_at(&way, width_mask(way.integer.width))) {
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
