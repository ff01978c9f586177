/* Operations on wide integers. Where their operands are put together from narrow ones, so is the result. */
#include "expressions/terms.h"
#include "expressions/wide.h"

static bool is_shift(unsigned op) { return op >= UNTAKEN_OP_SHL && op <= UNTAKEN_OP_ASHR; }

/* ---- What operators mean; as expressions/evaluate.h says of narrow ones ---- */

static wide_bits signed_division(unsigned op, unsigned width, wide_bits a, wide_bits b) {
    wide_number dividend = wide_signed(a, width), divisor = wide_signed(b, width);
    bool quotient = op == UNTAKEN_OP_SDIV;
    if (divisor == 0) {
        return !quotient ? a : dividend < 0 ? 1 : ~(wide_bits)0;
    }
    if (divisor == -1) {
        return quotient ? 0 - a : 0;
    }
    return (wide_bits)(quotient ? dividend / divisor : dividend % divisor);
}

static wide_bits shifted(unsigned op, unsigned width, wide_bits a, wide_bits b) {
    if (op == UNTAKEN_OP_ASHR) {
        return (wide_bits)(wide_signed(a, width) >> (b >= width ? width - 1 : (unsigned)b));
    }
    return b >= width ? 0 : op == UNTAKEN_OP_SHL ? a << (unsigned)b : a >> (unsigned)b;
}

static bool compared(unsigned op, unsigned width, wide_bits a, wide_bits b) {
    switch (op) {
    case UNTAKEN_OP_EQ: return a == b;
    case UNTAKEN_OP_ULT: return a < b;
    case UNTAKEN_OP_ULE: return a <= b;
    case UNTAKEN_OP_SLT: return wide_signed(a, width) < wide_signed(b, width);
    default: return wide_signed(a, width) <= wide_signed(b, width);
    }
}

static wide_bits value_of_operation(unsigned op, unsigned width, wide_bits a, wide_bits b) {
    switch (op) {
    case UNTAKEN_OP_ADD: return a + b;
    case UNTAKEN_OP_SUB: return a - b;
    case UNTAKEN_OP_MUL: return a * b;
    case UNTAKEN_OP_UDIV: return b == 0 ? ~(wide_bits)0 : a / b;
    case UNTAKEN_OP_UREM: return b == 0 ? a : a % b;
    case UNTAKEN_OP_SDIV:
    case UNTAKEN_OP_SREM: return signed_division(op, width, a, b);
    case UNTAKEN_OP_AND: return a & b;
    case UNTAKEN_OP_OR: return a | b;
    case UNTAKEN_OP_XOR: return a ^ b;
    default: return is_shift(op) ? shifted(op, width, a, b) : compared(op, width, a, b);
    }
}

/* ---- By halves ---- */

static term upper(wide a) { return narrowed_term(wide_extract(a, LOW_BITS, a.width - LOW_BITS)); }

static term lower(wide a) { return narrowed_term(wide_extract(a, 0, LOW_BITS)); }

/* Whether it is put together from narrow terms, or is a constant. */
static bool has_halves(wide a) {
    unsigned op = node_of(a.label)->op;
    return a.label == 0 || op == (UNTAKEN_OP_CONCAT | UNTAKEN_WIDE) || op == (UNTAKEN_OP_ZEXT | UNTAKEN_WIDE);
}

/* Of 64 bits at most, then extended in this way. */
static bool was_narrow(unsigned op, wide a) {
    if (a.label == 0) {
        wide_bits low = op == UNTAKEN_OP_ZEXT ? (uint64_t)a.value : (wide_bits)(wide_number)(int64_t)a.value;
        return (low & wide_mask(a.width)) == a.value;
    }
    const struct untaken_node *node = node_of(a.label);
    return node->op == (op | UNTAKEN_WIDE) && node_of(node->a)->width <= LOW_BITS;
}

static bool bitwise_by_halves(unsigned op, wide a, wide b, wide *result) {
    bool masks = op == UNTAKEN_OP_AND && (was_narrow(UNTAKEN_OP_ZEXT, a) || was_narrow(UNTAKEN_OP_ZEXT, b));
    if (masks) {
        *result = wide_extend(UNTAKEN_OP_ZEXT, widened(term_binary(op, lower(a), lower(b))), a.width);
        return true;
    }
    if (!has_halves(a) || !has_halves(b)) {
        return false;
    }
    *result = wide_join(term_binary(op, upper(a), upper(b)), term_binary(op, lower(a), lower(b)));
    return true;
}

static wide shifted_up(wide a, unsigned by) {
    unsigned rest = a.width - LOW_BITS;
    term zero = term_constant(LOW_BITS, 0);
    if (by <= LOW_BITS) {
        term low = by == LOW_BITS ? zero : term_binary(UNTAKEN_OP_SHL, lower(a), term_constant(LOW_BITS, by));
        return wide_join(narrowed_term(wide_extract(a, LOW_BITS - by, rest)), low);
    }
    term high = narrowed_term(wide_extract(a, 0, rest));
    return wide_join(term_binary(UNTAKEN_OP_SHL, high, term_constant(high.width, by - LOW_BITS)), zero);
}

static wide shifted_down(wide a, unsigned by) {
    unsigned left = a.width - by;
    return wide_extend(UNTAKEN_OP_ZEXT, wide_extract(a, by, left), a.width);
}

/* A shift by a constant, as shifts of the two halves; false if that would be no simpler. */
static bool shift_by_halves(unsigned op, wide a, wide b, wide *result) {
    bool simple = op == UNTAKEN_OP_LSHR || (op == UNTAKEN_OP_SHL && has_halves(a));
    if (b.label != 0 || b.value >= a.width || !simple) {
        return false;
    }
    *result = op == UNTAKEN_OP_SHL ? shifted_up(a, (unsigned)b.value) : shifted_down(a, (unsigned)b.value);
    return true;
}

static bool compare_by_halves(unsigned op, wide a, wide b, wide *result) {
    bool both_plain = was_narrow(UNTAKEN_OP_ZEXT, a) && was_narrow(UNTAKEN_OP_ZEXT, b);
    bool both_signed = was_narrow(UNTAKEN_OP_SEXT, a) && was_narrow(UNTAKEN_OP_SEXT, b);
    bool by_sign = op == UNTAKEN_OP_SLT || op == UNTAKEN_OP_SLE;
    if (both_plain) {
        *result = widened(term_binary(unsigned_comparison(op), lower(a), lower(b)));
    } else if (both_signed && (by_sign || op == UNTAKEN_OP_EQ)) {
        *result = widened(term_binary(op, lower(a), lower(b)));
    } else if (op == UNTAKEN_OP_EQ && has_halves(a) && has_halves(b)) {
        *result = widened(term_and(term_binary(op, upper(a), upper(b)), term_binary(op, lower(a), lower(b))));
    } else {
        return false;
    }
    return true;
}

/* ---- Operators of the node table ---- */

static bool is_neutral(unsigned op, wide b) {
    bool with_zero = op == UNTAKEN_OP_ADD || op == UNTAKEN_OP_SUB || op == UNTAKEN_OP_OR || op == UNTAKEN_OP_XOR ||
                     is_shift(op);
    bool with_one = op == UNTAKEN_OP_MUL || op == UNTAKEN_OP_UDIV || op == UNTAKEN_OP_SDIV;
    return b.label == 0 && ((with_zero && b.value == 0) || (with_one && b.value == 1) ||
                            (op == UNTAKEN_OP_AND && b.value == wide_mask(b.width)));
}

static bool simplified(unsigned op, wide a, wide b, wide *result) {
    if (is_neutral(op, b)) {
        *result = a;
        return true;
    }
    if (is_comparison(op)) {
        return compare_by_halves(op, a, b, result);
    }
    return is_shift(op) ? shift_by_halves(op, a, b, result)
                        : op >= UNTAKEN_OP_AND && op <= UNTAKEN_OP_XOR && bitwise_by_halves(op, a, b, result);
}

static wide plain(unsigned op, wide a, wide b) {
    if (a.width <= LOW_BITS) {
        return widened(term_binary(op, narrowed_term(a), narrowed_term(b)));
    }
    unsigned width = is_comparison(op) ? 1 : a.width;
    wide_bits value = value_of_operation(op, a.width, a.value, b.value) & wide_mask(width);
    if ((a.label | b.label) == 0) {
        return wide_constant(width, value);
    }
    if (commutes(op) && (a.label == 0 || (b.label != 0 && b.label < a.label))) {
        wide swap = a;
        a = b;
        b = swap;
    }
    wide result;
    if (simplified(op, a, b, &result)) {
        return result;
    }
    uint32_t operands[3] = {wide_operand_label(a), wide_operand_label(b), 0};
    return operands[0] == 0 || operands[1] == 0 ? wide_constant(width, value) : wide_node(op, width, operands, value);
}

/* ---- Requests ---- */

static wide negation(wide a) { return widened(term_not(narrowed_term(a))); }

static wide conjunction(wide a, wide b) { return widened(term_and(narrowed_term(a), narrowed_term(b))); }

static term is_less(unsigned op, wide a, wide b) { return narrowed_term(plain(op, a, b)); }

static wide sum_overflow(unsigned op, wide a, wide b) {
    bool subtracts = op == UNTAKEN_OP_SSUB_OVERFLOW;
    wide result = plain(subtracts ? UNTAKEN_OP_SUB : UNTAKEN_OP_ADD, a, b);
    wide left = plain(UNTAKEN_OP_XOR, a, subtracts ? b : result);
    wide right = plain(UNTAKEN_OP_XOR, subtracts ? a : b, result);
    return wide_extract(plain(UNTAKEN_OP_AND, left, right), a.width - 1, 1);
}

static wide unsigned_product_overflow(wide a, wide b) {
    wide limit = plain(UNTAKEN_OP_UDIV, wide_constant(a.width, wide_mask(a.width)), a);
    return plain(UNTAKEN_OP_ULT, limit, b);
}

static wide signed_product_overflow(wide a, wide b) {
    wide zero = wide_constant(a.width, 0), minus_one = wide_constant(a.width, wide_mask(a.width));
    wide smallest = wide_constant(a.width, (wide_bits)1 << (a.width - 1));
    wide quotient = plain(UNTAKEN_OP_SDIV, plain(UNTAKEN_OP_MUL, a, b), a);
    wide right = conjunction(negation(plain(UNTAKEN_OP_EQ, a, zero)), negation(plain(UNTAKEN_OP_EQ, quotient, b)));
    wide edge = conjunction(plain(UNTAKEN_OP_EQ, a, minus_one), plain(UNTAKEN_OP_EQ, b, smallest));
    return widened(term_or(narrowed_term(right), narrowed_term(edge)));
}

wide wide_binary(unsigned op, wide a, wide b) {
    switch (op) {
    case UNTAKEN_OP_NE: return negation(plain(UNTAKEN_OP_EQ, a, b));
    case UNTAKEN_OP_SMIN: return wide_ite(is_less(UNTAKEN_OP_SLT, a, b), a, b);
    case UNTAKEN_OP_SMAX: return wide_ite(is_less(UNTAKEN_OP_SLT, b, a), a, b);
    case UNTAKEN_OP_UMIN: return wide_ite(is_less(UNTAKEN_OP_ULT, a, b), a, b);
    case UNTAKEN_OP_UMAX: return wide_ite(is_less(UNTAKEN_OP_ULT, b, a), a, b);
    case UNTAKEN_OP_SADD_OVERFLOW:
    case UNTAKEN_OP_SSUB_OVERFLOW: return sum_overflow(op, a, b);
    case UNTAKEN_OP_UADD_OVERFLOW: return plain(UNTAKEN_OP_ULT, plain(UNTAKEN_OP_ADD, a, b), a);
    case UNTAKEN_OP_USUB_OVERFLOW: return plain(UNTAKEN_OP_ULT, a, b);
    case UNTAKEN_OP_UMUL_OVERFLOW: return unsigned_product_overflow(a, b);
    case UNTAKEN_OP_SMUL_OVERFLOW: return signed_product_overflow(a, b);
    default: return plain(op, a, b);
    }
}

/* ---- One operand ---- */

static wide_bits counted(unsigned op, unsigned width, wide_bits a) {
    wide_bits counts = 0;
    for (unsigned i = 0; i < width; i++) {
        unsigned place = op == UNTAKEN_OP_CTLZ ? width - 1 - i : i;
        bool is_set = (a >> place & 1) != 0;
        if (op != UNTAKEN_OP_CTPOP && is_set) {
            break;
        }
        counts += op != UNTAKEN_OP_CTPOP || is_set;
    }
    return counts;
}

static wide count_of(unsigned op, wide a) {
    uint32_t operands[3] = {a.label, 0, 0};
    wide_bits value = counted(op, a.width, a.value);
    return a.label == 0 ? wide_constant(a.width, value) : wide_node(op, a.width, operands, value);
}

bool wide_unary(unsigned op, wide a, wide *result) {
    wide zero = wide_constant(a.width, 0);
    switch (op) {
    case UNTAKEN_OP_CTPOP:
    case UNTAKEN_OP_CTLZ:
    case UNTAKEN_OP_CTTZ: *result = count_of(op, a); return true;
    case UNTAKEN_OP_ABS:
        *result = wide_ite(is_less(UNTAKEN_OP_SLT, a, zero), plain(UNTAKEN_OP_SUB, zero, a), a);
        return true;
    default: /* BSWAP, BITREVERSE */
        if (a.width == WIDEST) {
            *result = wide_join(term_unary(op, lower(a)), term_unary(op, upper(a)));
        }
        return a.width == WIDEST;
    }
}
