/* Wide terms: their values, and how they are put together from narrow ones and taken apart. */
#include "expressions/wide.h"

#include "expressions/nodes.h"

/* ---- Nodes ---- */

static untaken_label companion_of(untaken_label label) {
    unsigned rest = node_of(label)->width - LOW_BITS;
    return untaken_known_node(key_for(UNTAKEN_OP_EXTRACT | UNTAKEN_WIDE, rest, label, LOW_BITS, 0), label);
}

static wide_bits value_of_node(untaken_label label) {
    const struct untaken_node *node = node_of(label);
    if (node->width <= LOW_BITS) {
        return node->value;
    }
    switch (node->op) {
    case UNTAKEN_OP_CONCAT | UNTAKEN_WIDE: return wide_of_halves(node->value, node_of(node->a)->value);
    case UNTAKEN_OP_ZEXT | UNTAKEN_WIDE: return value_of_node(node->a);
    case UNTAKEN_OP_SEXT | UNTAKEN_WIDE:
        return (wide_bits)wide_signed(value_of_node(node->a), node_of(node->a)->width) & wide_mask(node->width);
    default: return wide_of_halves(node->value, node_of(companion_of(label))->value);
    }
}

wide wide_of_label(untaken_label label) { return (wide){label, node_of(label)->width, value_of_node(label)}; }

bool wide_is_constant(untaken_label label) {
    const struct untaken_node *node = node_of(label);
    bool is_pair = node->op == (UNTAKEN_OP_CONCAT | UNTAKEN_WIDE);
    return is_pair ? is_constant_node(node->a) && is_constant_node(node->b) : node->op == UNTAKEN_OP_CONST;
}

wide wide_believed(untaken_label label, unsigned width, wide_bits value) {
    value &= wide_mask(width);
    if (width <= LOW_BITS) {
        return widened(term_believed(label, width, (uint64_t)value));
    }
    bool fits = label < untaken_shared->node_count && node_of(label)->width == width;
    if (label != 0 && (!fits || value_of_node(label) != value)) {
        untaken_count_concretised(UNTAKEN_BY_OTHER);
        label = 0;
    }
    return (wide){label, width, value};
}

static untaken_label flagged_node(unsigned op, unsigned width, const uint32_t operands[3], wide_bits value) {
    return untaken_node((uint8_t)(op | UNTAKEN_WIDE), (uint8_t)width, operands[0], operands[1], operands[2],
                        (uint64_t)value);
}

wide wide_node(unsigned op, unsigned width, const uint32_t operands[3], wide_bits value) {
    untaken_label label = flagged_node(op, width, operands, value);
    if (label != 0 && width > LOW_BITS) {
        uint32_t rest[3] = {label, LOW_BITS, 0};
        label = flagged_node(UNTAKEN_OP_EXTRACT, width - LOW_BITS, rest, value >> LOW_BITS) != 0 ? label : 0;
    }
    return (wide){label, width, value};
}

uint32_t wide_operand_label(wide a) {
    if (a.label != 0 || a.width <= LOW_BITS) {
        return operand_label(narrowed_term(a));
    }
    uint32_t halves[3] = {untaken_constant((uint8_t)(a.width - LOW_BITS), (uint64_t)(a.value >> LOW_BITS)),
                          untaken_constant(LOW_BITS, (uint64_t)a.value), 0};
    return halves[0] == 0 || halves[1] == 0 ? 0 : flagged_node(UNTAKEN_OP_CONCAT, a.width, halves, a.value);
}

/* ---- Putting together ---- */

/* The wide node that the two are the upper and lower half of; 0 if there is none. */
static untaken_label whole_of(term high, term low) {
    const struct untaken_node *upper = node_of(high.label);
    bool is_upper = upper->op == (UNTAKEN_OP_EXTRACT | UNTAKEN_WIDE) && upper->b == LOW_BITS;
    if (!is_upper || low.label == 0 || node_of(upper->a)->width != LOW_BITS + high.width) {
        return 0;
    }
    return wide_extract(wide_of_label(upper->a), 0, LOW_BITS).label == low.label ? upper->a : 0;
}

wide wide_join(term high, term low) {
    unsigned width = high.width + LOW_BITS;
    wide_bits value = wide_of_halves(low.value, high.value);
    if ((high.label | low.label) == 0) {
        return wide_constant(width, value);
    }
    if ((high.label | high.value) == 0) {
        return wide_extend(UNTAKEN_OP_ZEXT, widened(low), width);
    }
    untaken_label whole = whole_of(high, low);
    if (whole == 0) {
        uint32_t halves[3] = {operand_label(high), operand_label(low), 0};
        whole = halves[0] == 0 || halves[1] == 0 ? 0 : flagged_node(UNTAKEN_OP_CONCAT, width, halves, value);
    }
    return (wide){whole, width, value};
}

/* What an extension extends, if it does so in this way. */
static wide unextended(unsigned op, wide a) {
    const struct untaken_node *node = node_of(a.label);
    while (a.label != 0 && (node->op & ~UNTAKEN_WIDE) == op) {
        a = wide_of_label(node->a);
        node = node_of(a.label);
    }
    return a;
}

wide wide_extend(unsigned op, wide a, unsigned width) {
    if (width <= a.width) {
        return wide_extract(a, 0, width);
    }
    if (width <= LOW_BITS) {
        return widened(term_extend(op, narrowed_term(a), (uint8_t)width));
    }
    wide_bits value = op == UNTAKEN_OP_SEXT ? (wide_bits)wide_signed(a.value, a.width) & wide_mask(width) : a.value;
    if (a.label == 0) {
        return wide_constant(width, value);
    }
    if (unextended(UNTAKEN_OP_ZEXT, a).label != a.label) {
        op = UNTAKEN_OP_ZEXT; /* what is not negative has no sign to keep */
    }
    uint32_t operands[3] = {unextended(op, a).label, 0, 0};
    return (wide){flagged_node(op, width, operands, value), width, value};
}

wide wide_ite(term condition, wide then_value, wide else_value) {
    wide chosen = condition.value ? then_value : else_value;
    if (condition.label == 0 || (then_value.label == else_value.label && then_value.value == else_value.value)) {
        return chosen;
    }
    if (chosen.width <= LOW_BITS) {
        return widened(term_ite(condition, narrowed_term(then_value), narrowed_term(else_value)));
    }
    uint32_t operands[3] = {condition.label, wide_operand_label(then_value), wide_operand_label(else_value)};
    return operands[1] == 0 || operands[2] == 0 ? wide_constant(chosen.width, chosen.value)
                                                : wide_node(UNTAKEN_OP_ITE, chosen.width, operands, chosen.value);
}

/* ---- Taking apart ---- */

static wide raw_extract(wide a, unsigned low, unsigned width) {
    uint32_t operands[3] = {a.label, low, 0};
    return wide_node(UNTAKEN_OP_EXTRACT, width, operands, a.value >> low & wide_mask(width));
}

static wide from_halves(wide a, unsigned low, unsigned width) {
    const struct untaken_node *node = node_of(a.label);
    wide upper = widened(term_of_operand(node->a)), lower = widened(term_of_operand(node->b));
    if (low >= LOW_BITS) {
        return wide_extract(upper, low - LOW_BITS, width);
    }
    if (low + width <= LOW_BITS) {
        return wide_extract(lower, low, width);
    }
    term first = narrowed_term(wide_extract(upper, 0, low + width - LOW_BITS));
    if (low == 0) {
        return wide_join(first, narrowed_term(lower));
    }
    if (width > LOW_BITS) {
        return raw_extract(a, low, width);
    }
    return widened(term_concat(first, narrowed_term(wide_extract(lower, low, LOW_BITS - low))));
}

static wide from_extended(wide a, unsigned low, unsigned width) {
    const struct untaken_node *node = node_of(a.label);
    unsigned op = node->op & ~UNTAKEN_WIDE;
    wide inner = wide_of_label(node->a);
    if (low + width <= inner.width) {
        return wide_extract(inner, low, width);
    }
    if (op == UNTAKEN_OP_ZEXT && low >= inner.width) {
        return wide_constant(width, 0);
    }
    if (low < inner.width && (low == 0 || op == UNTAKEN_OP_ZEXT)) {
        return wide_extend(op, wide_extract(inner, low, inner.width - low), width);
    }
    return raw_extract(a, low, width);
}

wide wide_extract(wide a, unsigned low, unsigned width) {
    if (width == a.width) {
        return a;
    }
    if (a.label == 0) {
        return wide_constant(width, a.value >> low);
    }
    if (a.width <= LOW_BITS) {
        return widened(term_extract(narrowed_term(a), (uint8_t)low, (uint8_t)width));
    }
    const struct untaken_node *node = node_of(a.label);
    switch (node->op) {
    case UNTAKEN_OP_CONCAT | UNTAKEN_WIDE: return from_halves(a, low, width);
    case UNTAKEN_OP_ZEXT | UNTAKEN_WIDE:
    case UNTAKEN_OP_SEXT | UNTAKEN_WIDE: return from_extended(a, low, width);
    case UNTAKEN_OP_EXTRACT | UNTAKEN_WIDE: return wide_extract(wide_of_label(node->a), low + node->b, width);
    default: return raw_extract(a, low, width);
    }
}
