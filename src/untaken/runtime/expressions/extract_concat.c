/* Terms that cut values into pieces and join them: extract, concat, extensions, if-then-else. The rules keep a
 * value that was stored and loaded again, in whatever pieces, the expression that it was. */
#include "expressions/nodes.h"

/* An operation on the node `a` alone: `b` is a detail of it, as the lowest bit of an extract, and no node. */
static term of_node(unsigned op, unsigned width, uint32_t a, uint32_t b, uint64_t value) {
    untaken_label label = untaken_recording ? node_under_parent(key_for(op, width, a, b, 0), a, value) : 0;
    return (term){label, (uint8_t)width, value};
}

/* ---- Extract ---- */

static term extract_from_concat(term a, unsigned low, unsigned width) {
    const struct untaken_node *node = node_of(a.label);
    term high_part = term_of_operand(node->a), low_part = term_of_operand(node->b);
    if (low >= low_part.width) {
        return term_extract(high_part, (uint8_t)(low - low_part.width), (uint8_t)width);
    }
    if (low + width <= low_part.width) {
        return term_extract(low_part, (uint8_t)low, (uint8_t)width);
    }
    unsigned below = low_part.width - low;
    return term_concat(term_extract(high_part, 0, (uint8_t)(width - below)),
                       term_extract(low_part, (uint8_t)low, (uint8_t)below));
}

static bool extract_from_extended(term a, unsigned low, unsigned width, term *result) {
    const struct untaken_node *node = node_of(a.label);
    term inner = term_of_operand(node->a);
    if (low + width <= inner.width) {
        *result = term_extract(inner, (uint8_t)low, (uint8_t)width);
    } else if (node->op == UNTAKEN_OP_ZEXT && low >= inner.width) {
        *result = term_constant((uint8_t)width, 0);
    } else if (low < inner.width) {
        term rest = term_extract(inner, (uint8_t)low, (uint8_t)(inner.width - low));
        *result = term_extend(node->op, rest, (uint8_t)width);
    } else {
        return false;
    }
    return true;
}

static bool extract_from_shift(term a, unsigned low, unsigned width, term *result) {
    const struct untaken_node *node = node_of(a.label);
    if (!is_constant_node(node->b) || node_of(node->b)->value >= a.width) {
        return false;
    }
    unsigned shift = (unsigned)node_of(node->b)->value;
    term inner = term_of_operand(node->a);
    if (node->op == UNTAKEN_OP_LSHR && low + shift + width <= a.width) {
        *result = term_extract(inner, (uint8_t)(low + shift), (uint8_t)width);
    } else if (node->op == UNTAKEN_OP_SHL && low >= shift) {
        *result = term_extract(inner, (uint8_t)(low - shift), (uint8_t)width);
    } else if (node->op == UNTAKEN_OP_SHL && low + width <= shift) {
        *result = term_constant((uint8_t)width, 0);
    } else {
        return false;
    }
    return true;
}

/* AND and OR with a constant that is all zeros or all ones in the piece. */
static bool extract_from_mask(term a, unsigned low, unsigned width, term *result) {
    const struct untaken_node *node = node_of(a.label);
    if (!is_constant_node(node->b)) {
        return false;
    }
    uint64_t piece = node_of(node->b)->value >> low & width_mask(width);
    uint64_t neutral = node->op == UNTAKEN_OP_AND ? width_mask(width) : 0;
    if (piece == neutral) {
        *result = term_extract(term_of_operand(node->a), (uint8_t)low, (uint8_t)width);
    } else if (piece == (neutral ^ width_mask(width))) {
        *result = term_constant((uint8_t)width, piece);
    } else {
        return false;
    }
    return true;
}

static bool extract_from_choice(term a, unsigned low, unsigned width, term *result) {
    const struct untaken_node *node = node_of(a.label);
    if (!is_constant_node(node->b) || !is_constant_node(node->c)) {
        return false;
    }
    *result = term_ite(term_of_operand(node->a), term_extract(term_of_operand(node->b), (uint8_t)low, (uint8_t)width),
                       term_extract(term_of_operand(node->c), (uint8_t)low, (uint8_t)width));
    return true;
}

static bool simplify_extract(term a, unsigned low, unsigned width, term *result) {
    const struct untaken_node *node = node_of(a.label);
    switch (node->op) {
    case UNTAKEN_OP_CONCAT: *result = extract_from_concat(a, low, width); return true;
    case UNTAKEN_OP_EXTRACT:
        *result = term_extract(term_of_operand(node->a), (uint8_t)(node->b + low), (uint8_t)width);
        return true;
    case UNTAKEN_OP_ZEXT:
    case UNTAKEN_OP_SEXT: return extract_from_extended(a, low, width, result);
    case UNTAKEN_OP_SHL:
    case UNTAKEN_OP_LSHR: return extract_from_shift(a, low, width, result);
    case UNTAKEN_OP_AND:
    case UNTAKEN_OP_OR: return extract_from_mask(a, low, width, result);
    case UNTAKEN_OP_ITE: return extract_from_choice(a, low, width, result);
    default: return false;
    }
}

term term_extract(term a, uint8_t low, uint8_t width) {
    uint64_t value = a.value >> low & width_mask(width);
    term result;
    if (a.label == 0) {
        return term_constant(width, value);
    }
    if (low == 0 && width == a.width) {
        return a;
    }
    return simplify_extract(a, low, width, &result) ? result : of_node(UNTAKEN_OP_EXTRACT, width, a.label, low, value);
}

/* ---- Concat ---- */

static bool adjacent(term high, term low) {
    const struct untaken_node *above = node_of(high.label), *below = node_of(low.label);
    return above->op == UNTAKEN_OP_EXTRACT && below->op == UNTAKEN_OP_EXTRACT && above->a == below->a &&
           above->b == below->b + low.width;
}

static bool join_with_first_part(term high, term low, term *result) {
    const struct untaken_node *node = node_of(low.label);
    if (node->op != UNTAKEN_OP_CONCAT) {
        return false;
    }
    term middle = term_of_operand(node->a);
    if (!adjacent(high, middle) && (high.label | middle.label) != 0) {
        return false;
    }
    *result = term_concat(term_concat(high, middle), term_of_operand(node->b));
    return true;
}

static bool simplify_concat(term high, term low, term *result) {
    uint8_t width = (uint8_t)(high.width + low.width);
    const struct untaken_node *above = node_of(high.label);
    if (high.label == 0 && high.value == 0) {
        *result = term_extend(UNTAKEN_OP_ZEXT, low, width);
    } else if (above->op == UNTAKEN_OP_ZEXT) {
        *result = term_extend(UNTAKEN_OP_ZEXT, term_concat(term_of_operand(above->a), low), width);
    } else if (adjacent(high, low)) {
        const struct untaken_node *below = node_of(low.label);
        *result = term_extract(term_of_operand(below->a), (uint8_t)below->b, width);
    } else {
        return join_with_first_part(high, low, result);
    }
    return true;
}

term term_concat(term high, term low) {
    uint8_t width = (uint8_t)(high.width + low.width);
    uint64_t value = high.value << low.width | low.value;
    term result;
    if ((high.label | low.label) == 0) {
        return term_constant(width, value);
    }
    return simplify_concat(high, low, &result) ? result
                                               : term_raw_node(UNTAKEN_OP_CONCAT, width, high, low, value);
}

/* ---- Extensions ---- */

term term_extend(enum untaken_op op, term a, uint8_t width) {
    if (width <= a.width) { /* TRUNC, or nothing to do */
        return term_extract(a, 0, width);
    }
    uint64_t value = (op == UNTAKEN_OP_SEXT ? (uint64_t)sign_extended(a.value, a.width) : a.value) & width_mask(width);
    if (a.label == 0) {
        return term_constant(width, value);
    }
    const struct untaken_node *node = node_of(a.label);
    if (node->op == UNTAKEN_OP_ZEXT || (node->op == UNTAKEN_OP_SEXT && op == UNTAKEN_OP_SEXT)) {
        return term_extend(node->op, term_of_operand(node->a), width);
    }
    return of_node(op, width, a.label, 0, value);
}

/* ---- If-then-else ---- */

static bool is_plain(term a, uint64_t value) { return a.label == 0 && a.value == value; }

static bool choose_bit(term condition, term yes, term no, term *result) {
    if (is_plain(yes, 1)) {
        *result = term_or(condition, no);
    } else if (is_plain(yes, 0)) {
        *result = term_and(term_not(condition), no);
    } else if (is_plain(no, 0)) {
        *result = term_and(condition, yes);
    } else if (is_plain(no, 1)) {
        *result = term_or(term_not(condition), yes);
    } else {
        return false;
    }
    return true;
}

static term choice_node(term condition, term yes, term no) {
    uint64_t value = condition.value ? yes.value : no.value;
    uint32_t then_label = operand_label(yes), else_label = operand_label(no);
    untaken_label label = 0, younger = yes.label > no.label ? yes.label : no.label;
    if (then_label != 0 && else_label != 0 && untaken_recording) {
        struct key key = key_for(UNTAKEN_OP_ITE, yes.width, condition.label, then_label, else_label);
        label = node_under_parent(key, condition.label > younger ? condition.label : younger, value);
    }
    return (term){label, yes.width, value};
}

term term_ite(term condition, term yes, term no) {
    if (condition.label == 0) {
        return condition.value ? yes : no;
    }
    if (yes.label == no.label && (yes.label != 0 || yes.value == no.value)) {
        return yes;
    }
    const struct untaken_node *node = node_of(condition.label);
    if (node->op == UNTAKEN_OP_XOR && is_constant_node(node->b)) { /* a negation */
        return term_ite(term_of_operand(node->a), no, yes);
    }
    term result;
    if (yes.width == 1 && choose_bit(condition, yes, no, &result)) {
        return result;
    }
    return choice_node(condition, yes, no);
}
