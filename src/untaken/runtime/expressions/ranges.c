/* What can be said of an address expression without a solver: an interval that holds all its values, and how
 * many of its low bits never change. Both look at most DEPTH nodes deep. */
#include "expressions/expressions.h"

#define DEPTH 12

static struct untaken_range deep_range(const struct untaken_node *node, int depth);

static struct untaken_range full_range(unsigned width) { return (struct untaken_range){0, width_mask(width)}; }

/* Most operands are constants or bytes of the input: that is seen without a call. */
__attribute__((always_inline)) static inline struct untaken_range range_of(untaken_label label, int depth) {
    const struct untaken_node *node = node_of(label);
    if (node->op == UNTAKEN_OP_CONST) {
        return (struct untaken_range){node->value, node->value};
    }
    return node->op == UNTAKEN_OP_INPUT || depth == 0 ? full_range(node->width) : deep_range(node, depth - 1);
}

/* low + low to high + high, if either neither of them or both of them wrap around. */
static struct untaken_range sum_range(struct untaken_range a, struct untaken_range b, unsigned width) {
    uint64_t mask = width_mask(width);
    bool low_wraps = a.low > mask - b.low, high_wraps = a.high > mask - b.high;
    if (low_wraps != high_wraps) {
        return full_range(width);
    }
    return (struct untaken_range){(a.low + b.low) & mask, (a.high + b.high) & mask};
}

static struct untaken_range product_range(struct untaken_range a, struct untaken_range b, unsigned width) {
    uint64_t high;
    if (__builtin_mul_overflow(a.high, b.high, &high) || high > width_mask(width)) {
        return full_range(width);
    }
    return (struct untaken_range){a.low * b.low, high};
}

static struct untaken_range shift_range(const struct untaken_node *node, int depth) {
    struct untaken_range a = range_of(node->a, depth);
    uint64_t amount = node_of(node->b)->value;
    if (!is_constant_node(node->b) || amount >= node->width) {
        return full_range(node->width);
    }
    if (node->op == UNTAKEN_OP_LSHR) {
        return (struct untaken_range){a.low >> amount, a.high >> amount};
    }
    return product_range(a, (struct untaken_range){1ull << amount, 1ull << amount}, node->width);
}

/* No bit above the highest of the operands can be set. */
static struct untaken_range bitwise_range(const struct untaken_node *node, int depth) {
    struct untaken_range a = range_of(node->a, depth), b = range_of(node->b, depth);
    if (node->op == UNTAKEN_OP_AND) {
        return (struct untaken_range){0, a.high < b.high ? a.high : b.high};
    }
    uint64_t high = a.high | b.high;
    return (struct untaken_range){0, high == 0 ? 0 : ~0ull >> __builtin_clzll(high)};
}

static struct untaken_range piece_range(const struct untaken_node *node, int depth) {
    struct untaken_range a = range_of(node->a, depth);
    if (node->op == UNTAKEN_OP_ZEXT) {
        return a;
    }
    bool fits = node->op == UNTAKEN_OP_SEXT ? a.high <= width_mask(node_of(node->a)->width) >> 1
                                            : node->b == 0 && a.high <= width_mask(node->width);
    return fits ? a : full_range(node->width);
}

static struct untaken_range concat_range(const struct untaken_node *node, int depth) {
    struct untaken_range high = range_of(node->a, depth), low = range_of(node->b, depth);
    unsigned shift = node_of(node->b)->width;
    return (struct untaken_range){high.low << shift | low.low, high.high << shift | low.high};
}

static struct untaken_range division_range(const struct untaken_node *node, int depth) {
    uint64_t divisor = node_of(node->b)->value;
    if (!is_constant_node(node->b) || divisor == 0) {
        return full_range(node->width);
    }
    struct untaken_range a = range_of(node->a, depth);
    if (node->op == UNTAKEN_OP_UDIV) {
        return (struct untaken_range){a.low / divisor, a.high / divisor};
    }
    return a.high < divisor ? a : (struct untaken_range){0, divisor - 1};
}

static struct untaken_range choice_range(const struct untaken_node *node, int depth) {
    struct untaken_range a = range_of(node->b, depth), b = range_of(node->c, depth);
    return (struct untaken_range){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

static struct untaken_range difference_range(const struct untaken_node *node, int depth) {
    struct untaken_range a = range_of(node->a, depth), b = range_of(node->b, depth);
    if (a.low < b.high) {
        return full_range(node->width);
    }
    return (struct untaken_range){a.low - b.high, a.high - b.low};
}

static struct untaken_range deep_range(const struct untaken_node *node, int depth) {
    switch (node->op) {
    case UNTAKEN_OP_ADD: return sum_range(range_of(node->a, depth), range_of(node->b, depth), node->width);
    case UNTAKEN_OP_SUB: return difference_range(node, depth);
    case UNTAKEN_OP_MUL: return product_range(range_of(node->a, depth), range_of(node->b, depth), node->width);
    case UNTAKEN_OP_UDIV:
    case UNTAKEN_OP_UREM: return division_range(node, depth);
    case UNTAKEN_OP_SHL:
    case UNTAKEN_OP_LSHR: return shift_range(node, depth);
    case UNTAKEN_OP_AND:
    case UNTAKEN_OP_OR:
    case UNTAKEN_OP_XOR: return bitwise_range(node, depth);
    case UNTAKEN_OP_CONCAT: return concat_range(node, depth);
    case UNTAKEN_OP_EXTRACT:
    case UNTAKEN_OP_ZEXT:
    case UNTAKEN_OP_SEXT: return piece_range(node, depth);
    case UNTAKEN_OP_ITE: return choice_range(node, depth);
    default: return full_range(node->width);
    }
}

struct untaken_range untaken_range_of(untaken_label label) { return range_of(label, DEPTH); }

/* ---- Low bits that never change ---- */

static unsigned deep_step(const struct untaken_node *node, int depth);

__attribute__((always_inline)) static inline unsigned step_of(untaken_label label, int depth) {
    const struct untaken_node *node = node_of(label);
    if (node->op == UNTAKEN_OP_CONST) {
        return 64;
    }
    return node->op == UNTAKEN_OP_INPUT || depth == 0 ? 0 : deep_step(node, depth - 1);
}

static unsigned smaller(unsigned a, unsigned b) { return a < b ? a : b; }

static unsigned trailing_zeros(uint64_t value) { return value == 0 ? 64 : (unsigned)__builtin_ctzll(value); }

static unsigned scaled_step(const struct untaken_node *node, int depth) {
    if (!is_constant_node(node->b)) {
        return node->op == UNTAKEN_OP_MUL ? smaller(step_of(node->a, depth), step_of(node->b, depth)) : 0;
    }
    uint64_t factor = node_of(node->b)->value;
    unsigned shift = factor < 64 ? (unsigned)factor : 64;
    unsigned bits = node->op == UNTAKEN_OP_SHL ? shift : trailing_zeros(factor);
    return smaller(64, step_of(node->a, depth) + bits);
}

static unsigned masked_step(const struct untaken_node *node, int depth) {
    unsigned both = smaller(step_of(node->a, depth), step_of(node->b, depth));
    if (node->op != UNTAKEN_OP_AND || !is_constant_node(node->b)) {
        return both;
    }
    unsigned zeros = trailing_zeros(node_of(node->b)->value);
    return both > zeros ? both : zeros;
}

static unsigned choice_step(const struct untaken_node *node, int depth) {
    unsigned difference = trailing_zeros(node_of(node->b)->value ^ node_of(node->c)->value);
    return smaller(difference, smaller(step_of(node->b, depth), step_of(node->c, depth)));
}

static unsigned deep_step(const struct untaken_node *node, int depth) {
    switch (node->op) {
    case UNTAKEN_OP_ADD:
    case UNTAKEN_OP_SUB: return smaller(step_of(node->a, depth), step_of(node->b, depth));
    case UNTAKEN_OP_MUL:
    case UNTAKEN_OP_SHL: return scaled_step(node, depth);
    case UNTAKEN_OP_AND:
    case UNTAKEN_OP_OR:
    case UNTAKEN_OP_XOR: return masked_step(node, depth);
    case UNTAKEN_OP_ZEXT:
    case UNTAKEN_OP_SEXT: return step_of(node->a, depth);
    case UNTAKEN_OP_CONCAT:
        return is_constant_node(node->b) ? smaller(64, node_of(node->b)->width + step_of(node->a, depth))
                                         : smaller(node_of(node->b)->width, step_of(node->b, depth));
    case UNTAKEN_OP_ITE: return choice_step(node, depth);
    default: return 0;
    }
}

unsigned untaken_fixed_low_bits(untaken_label label) { return step_of(label, DEPTH); }
