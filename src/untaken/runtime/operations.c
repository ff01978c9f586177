/* What instrumented code asks for: one expression for each of its instructions. */
#include "core.h"

static bool too_far(unsigned op, unsigned width, uint64_t amount) {
    bool shift = (op >= UNTAKEN_OP_SHL && op <= UNTAKEN_OP_ASHR) || op == UNTAKEN_OP_SSHL_SAT ||
                 op == UNTAKEN_OP_USHL_SAT;
    return shift && amount >= width;
}

untaken_label __untaken_binary(uint32_t descriptor, untaken_label la, untaken_label lb, uint64_t a, uint64_t b,
                               uint64_t result) {
    unsigned op = descriptor & 0xff, width = descriptor >> 8 & 0xff;
    (void)result;
    if (!core_begin()) {
        return 0;
    }
    untaken_label label = 0;
    if (too_far(op, width, b & width_mask(width))) {
        untaken_count_concretised(UNTAKEN_BY_UNDEFINED);
    } else {
        label = term_binary(op, term_believed(la, width, a), term_believed(lb, width, b)).label;
    }
    core_leave();
    return label;
}

untaken_label __untaken_unary(uint32_t descriptor, untaken_label la, uint64_t a, uint64_t result) {
    (void)result;
    if (!core_begin()) {
        return 0;
    }
    untaken_label label = term_unary(descriptor & 0xff, term_believed(la, descriptor >> 8 & 0xff, a)).label;
    core_leave();
    return label;
}

untaken_label __untaken_cast(uint32_t descriptor, untaken_label la, uint64_t a, uint64_t result) {
    (void)result;
    if (!core_begin()) {
        return 0;
    }
    term from = term_believed(la, descriptor >> 8 & 0xff, a);
    untaken_label label = term_extend(descriptor & 0xff, from, (uint8_t)(descriptor >> 16 & 0xff)).label;
    core_leave();
    return label;
}

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

untaken_label __untaken_select(uint32_t width, untaken_label lcondition, untaken_label la, untaken_label lb,
                               uint64_t condition, uint64_t a, uint64_t b) {
    if (!core_begin()) {
        return 0;
    }
    untaken_label label =
        term_ite(term_believed(lcondition, 1, condition), term_believed(la, width, a), term_believed(lb, width, b))
            .label;
    core_leave();
    return label;
}

untaken_label __untaken_offset(untaken_label lbase, untaken_label lindex, uint64_t base, uint64_t index,
                               uint64_t scale, uint64_t result) {
    (void)result;
    if (!core_begin()) {
        return 0;
    }
    term scaled = term_binary(UNTAKEN_OP_MUL, term_believed(lindex, 64, index), term_constant(64, scale));
    untaken_label label = term_binary(UNTAKEN_OP_ADD, term_believed(lbase, 64, base), scaled).label;
    core_leave();
    return label;
}
