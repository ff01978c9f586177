/* Funnel shifts, which rotates are made of. */
#include "expressions/expressions.h"

/* The upper `width` bits of high:low after a shift to the left by the constant `shift`, less than width. */
static term upper_part(term high, term low, unsigned shift) {
    unsigned width = high.width;
    if (shift == 0) {
        return high;
    }
    return term_concat(term_extract(high, 0, (uint8_t)(width - shift)),
                       term_extract(low, (uint8_t)(width - shift), (uint8_t)shift));
}

static term funnel_by_constant(term high, term low, unsigned shift, bool right) {
    if (!right) {
        return upper_part(high, low, shift);
    }
    return shift == 0 ? low : upper_part(high, low, high.width - shift);
}

static term funnel_by_term(term high, term low, term shift, bool right) {
    unsigned width = high.width;
    term one = term_constant((uint8_t)width, 1);
    term amount = term_binary(UNTAKEN_OP_UREM, shift, term_constant((uint8_t)width, width));
    term rest = term_binary(UNTAKEN_OP_SUB, term_constant((uint8_t)width, width - 1), amount);
    if (right) {
        high = term_binary(UNTAKEN_OP_SHL, term_binary(UNTAKEN_OP_SHL, high, one), rest);
        return term_or(high, term_binary(UNTAKEN_OP_LSHR, low, amount));
    }
    low = term_binary(UNTAKEN_OP_LSHR, term_binary(UNTAKEN_OP_LSHR, low, one), rest);
    return term_or(term_binary(UNTAKEN_OP_SHL, high, amount), low);
}

term term_funnel(term high, term low, term shift, bool right) {
    if (shift.label == 0 || high.width == 1) {
        return funnel_by_constant(high, low, (unsigned)(shift.value % high.width), right);
    }
    return funnel_by_term(high, low, shift, right);
}
