/* Builders of terms: concrete values with their expressions. */
#include "expressions/terms.h"

#include "expressions/floats.h"

term term_of_label(untaken_label label) { return (term){label, node_of(label)->width, node_of(label)->value}; }

static term cut_to(term a, unsigned width) {
    return a.width > width ? term_extract(a, 0, (uint8_t)width) : term_extend(UNTAKEN_OP_ZEXT, a, (uint8_t)width);
}

term term_adapted(untaken_label label, unsigned width, uint64_t value) {
    if (label < untaken_shared->node_count && node_of(label)->width <= 64) {
        term adapted = cut_to(term_of_label(label), width);
        if (adapted.value == value) {
            return adapted;
        }
    }
    untaken_count_concretised(UNTAKEN_BY_OTHER);
    return (term){0, (uint8_t)width, value};
}

term term_raw_node(unsigned op, unsigned width, term a, term b, uint64_t value) {
    return raw_node(op, width, a, b, value);
}

/* ---- Operations that only requests name ---- */

static term top_bit(term a) { return term_extract(a, (uint8_t)(a.width - 1), 1); }

static term smallest_signed(unsigned width) { return term_constant((uint8_t)width, 1ull << (width - 1)); }

static term largest_signed(unsigned width) { return term_constant((uint8_t)width, width_mask(width) >> 1); }

static term choose_if(enum untaken_op comparison, term a, term b) {
    return term_ite(term_binary(comparison, a, b), a, b);
}

static term signed_sum_overflow(term a, term b, term result, bool subtract) {
    term left = term_binary(UNTAKEN_OP_XOR, a, subtract ? b : result);
    term right = term_binary(UNTAKEN_OP_XOR, subtract ? a : b, result);
    return top_bit(term_and(left, right));
}

static term unsigned_product_overflow(term a, term b) {
    if (a.width <= 32) {
        uint8_t twice = (uint8_t)(2 * a.width);
        term product = term_binary(UNTAKEN_OP_MUL, term_extend(UNTAKEN_OP_ZEXT, a, twice),
                                   term_extend(UNTAKEN_OP_ZEXT, b, twice));
        return term_binary(UNTAKEN_OP_NE, term_extract(product, a.width, a.width), term_constant(a.width, 0));
    }
    /* Division by zero yields the largest value, which nothing exceeds: right for a == 0, too. */
    term limit = term_binary(UNTAKEN_OP_UDIV, term_constant(a.width, width_mask(a.width)), a);
    return term_binary(UNTAKEN_OP_ULT, limit, b);
}

static term signed_product_overflow(term a, term b) {
    term zero = term_constant(a.width, 0), minus_one = term_constant(a.width, width_mask(a.width));
    if (a.width <= 32) {
        uint8_t twice = (uint8_t)(2 * a.width);
        term product = term_binary(UNTAKEN_OP_MUL, term_extend(UNTAKEN_OP_SEXT, a, twice),
                                   term_extend(UNTAKEN_OP_SEXT, b, twice));
        term low = term_extend(UNTAKEN_OP_SEXT, term_extract(product, 0, a.width), twice);
        return term_binary(UNTAKEN_OP_NE, product, low);
    }
    term quotient = term_binary(UNTAKEN_OP_SDIV, term_binary(UNTAKEN_OP_MUL, a, b), a);
    term wrong = term_and(term_binary(UNTAKEN_OP_NE, a, zero), term_binary(UNTAKEN_OP_NE, quotient, b));
    term edge = term_and(term_binary(UNTAKEN_OP_EQ, a, minus_one),
                         term_binary(UNTAKEN_OP_EQ, b, smallest_signed(a.width)));
    return term_or(wrong, edge);
}

static term overflow_of(enum untaken_op op, term a, term b) {
    switch (op) {
    case UNTAKEN_OP_SADD_OVERFLOW: return signed_sum_overflow(a, b, term_binary(UNTAKEN_OP_ADD, a, b), false);
    case UNTAKEN_OP_SSUB_OVERFLOW: return signed_sum_overflow(a, b, term_binary(UNTAKEN_OP_SUB, a, b), true);
    case UNTAKEN_OP_UADD_OVERFLOW: return term_binary(UNTAKEN_OP_ULT, term_binary(UNTAKEN_OP_ADD, a, b), a);
    case UNTAKEN_OP_USUB_OVERFLOW: return term_binary(UNTAKEN_OP_ULT, a, b);
    case UNTAKEN_OP_UMUL_OVERFLOW: return unsigned_product_overflow(a, b);
    default: return signed_product_overflow(a, b);
    }
}

static term signed_limit_of(term a) {
    term negative = term_binary(UNTAKEN_OP_SLT, a, term_constant(a.width, 0));
    return term_ite(negative, smallest_signed(a.width), largest_signed(a.width));
}

static term saturated(enum untaken_op op, term a, term b) {
    term all = term_constant(a.width, width_mask(a.width)), shifted;
    switch (op) {
    case UNTAKEN_OP_SADD_SAT:
        return term_ite(overflow_of(UNTAKEN_OP_SADD_OVERFLOW, a, b), signed_limit_of(a),
                        term_binary(UNTAKEN_OP_ADD, a, b));
    case UNTAKEN_OP_SSUB_SAT:
        return term_ite(overflow_of(UNTAKEN_OP_SSUB_OVERFLOW, a, b), signed_limit_of(a),
                        term_binary(UNTAKEN_OP_SUB, a, b));
    case UNTAKEN_OP_UADD_SAT:
        return term_ite(overflow_of(UNTAKEN_OP_UADD_OVERFLOW, a, b), all, term_binary(UNTAKEN_OP_ADD, a, b));
    case UNTAKEN_OP_USUB_SAT:
        return term_ite(term_binary(UNTAKEN_OP_ULT, a, b), term_constant(a.width, 0),
                        term_binary(UNTAKEN_OP_SUB, a, b));
    case UNTAKEN_OP_SSHL_SAT:
        shifted = term_binary(UNTAKEN_OP_SHL, a, b);
        return term_ite(term_binary(UNTAKEN_OP_EQ, term_binary(UNTAKEN_OP_ASHR, shifted, b), a), shifted,
                        signed_limit_of(a));
    default:
        shifted = term_binary(UNTAKEN_OP_SHL, a, b);
        return term_ite(term_binary(UNTAKEN_OP_EQ, term_binary(UNTAKEN_OP_LSHR, shifted, b), a), shifted, all);
    }
}

static term requested(enum untaken_op op, term a, term b) {
    switch (op) {
    case UNTAKEN_OP_NE: return term_not(term_binary(UNTAKEN_OP_EQ, a, b));
    case UNTAKEN_OP_UGT: return term_binary(UNTAKEN_OP_ULT, b, a);
    case UNTAKEN_OP_UGE: return term_binary(UNTAKEN_OP_ULE, b, a);
    case UNTAKEN_OP_SGT: return term_binary(UNTAKEN_OP_SLT, b, a);
    case UNTAKEN_OP_SGE: return term_binary(UNTAKEN_OP_SLE, b, a);
    case UNTAKEN_OP_SMIN: return choose_if(UNTAKEN_OP_SLT, a, b);
    case UNTAKEN_OP_SMAX: return choose_if(UNTAKEN_OP_SGT, a, b);
    case UNTAKEN_OP_UMIN: return choose_if(UNTAKEN_OP_ULT, a, b);
    case UNTAKEN_OP_UMAX: return choose_if(UNTAKEN_OP_UGT, a, b);
    default: return op <= UNTAKEN_OP_UMUL_OVERFLOW ? overflow_of(op, a, b) : saturated(op, a, b);
    }
}

/* Each operator by itself, so that the compiler knows what is asked about it. */
term term_binary(enum untaken_op op, term a, term b) {
    switch (op) {
    case UNTAKEN_OP_ADD: return plain_binary(UNTAKEN_OP_ADD, a, b);
    case UNTAKEN_OP_SUB: return plain_binary(UNTAKEN_OP_SUB, a, b);
    case UNTAKEN_OP_MUL: return plain_binary(UNTAKEN_OP_MUL, a, b);
    case UNTAKEN_OP_AND: return plain_binary(UNTAKEN_OP_AND, a, b);
    case UNTAKEN_OP_OR: return plain_binary(UNTAKEN_OP_OR, a, b);
    case UNTAKEN_OP_XOR: return plain_binary(UNTAKEN_OP_XOR, a, b);
    case UNTAKEN_OP_EQ: return plain_binary(UNTAKEN_OP_EQ, a, b);
    case UNTAKEN_OP_ULT: return plain_binary(UNTAKEN_OP_ULT, a, b);
    case UNTAKEN_OP_ULE: return plain_binary(UNTAKEN_OP_ULE, a, b);
    default:
        if (is_float_operation(op)) {
            return term_float_binary(op, a, b);
        }
        return op >= UNTAKEN_OP_NE ? requested(op, a, b) : plain_binary(op, a, b);
    }
}

/* No rule is for the negation of a comparison. */
term term_not(term a) {
    term one = term_constant(1, 1);
    return is_comparison(node_of(a.label)->op) ? raw_node(UNTAKEN_OP_XOR, 1, a, one, !a.value)
                                               : plain_binary(UNTAKEN_OP_XOR, a, one);
}

static bool is_zero(term a) { return (a.label | a.value) == 0; }

term term_and(term a, term b) { return plain_binary(UNTAKEN_OP_AND, a, b); }

term term_or(term a, term b) { return is_zero(a) ? b : is_zero(b) ? a : plain_binary(UNTAKEN_OP_OR, a, b); }

/* ---- One operand ---- */

static term in_pieces(term a, uint8_t piece) {
    term result = term_extract(a, 0, piece);
    for (unsigned low = piece; low < a.width; low += piece) {
        result = term_concat(result, term_extract(a, (uint8_t)low, piece));
    }
    return result;
}

term term_unary(enum untaken_op op, term a) {
    term zero = term_constant(a.width, 0);
    if (is_float_operation(op)) {
        return term_float_unary(op, a);
    }
    if (op == UNTAKEN_OP_ABS) {
        return term_ite(term_binary(UNTAKEN_OP_SLT, a, zero), term_binary(UNTAKEN_OP_SUB, zero, a), a);
    }
    if (op == UNTAKEN_OP_BSWAP || op == UNTAKEN_OP_BITREVERSE) {
        return in_pieces(a, op == UNTAKEN_OP_BSWAP ? 8 : 1);
    }
    uint64_t value = evaluate_unary(op, a.width, a.value);
    untaken_label label = a.label == 0 ? 0 : untaken_node(op, a.width, a.label, 0, 0, value);
    return (term){label, a.width, value};
}
