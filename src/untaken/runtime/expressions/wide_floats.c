/* Floating point that needs more than 64 bits: long double, and what becomes a wide integer or was one.
 *
 * A long double of the x87 has 80 bits: a sign, 15 bits of exponent, and 64 of significand, of which the first is 1 in
 * every number that the processor makes but zero and the smallest ones. It holds each float and double exactly. */
#include "expressions/floats.h"
#include "expressions/wide.h"

#include <string.h>

#define WHOLE 9223372036854775808.0L /* from here on a long double has no fraction */
#define UNUSUAL_CONTROL 0x0c00u
#define ALL_OF_PRECISION 0x0300u

/* Whether the x87 rounds to nearest, and to all 64 bits. */
static bool x87_rounds_as_usual(void) {
    uint16_t control;
    __asm__ volatile("fnstcw %0" : "=m"(control));
    return (control & UNUSUAL_CONTROL) == 0 && (control & ALL_OF_PRECISION) == ALL_OF_PRECISION;
}

bool wide_rounds_as_usual(void) { return untaken_rounds_as_usual() && x87_rounds_as_usual(); }

/* ---- Bits and numbers ---- */

static long double long_double_of(wide_bits bits) {
    long double value = 0;
    memcpy(&value, &bits, LONG_DOUBLE_BITS / 8);
    return value;
}

static long double number(unsigned width, wide_bits bits) {
    if (width == LONG_DOUBLE_BITS) {
        return long_double_of(bits);
    }
    uint64_t low = (uint64_t)bits;
    double as_double;
    float as_float;
    memcpy(&as_double, &low, sizeof as_double);
    memcpy(&as_float, &low, sizeof as_float);
    return width == 32 ? (long double)as_float : (long double)as_double;
}

static wide_bits bits_of_long_double(long double value) {
    wide_bits bits = 0;
    memcpy(&bits, &value, LONG_DOUBLE_BITS / 8);
    return bits;
}

static wide_bits bits_of_double(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static wide_bits bits_of_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static wide_bits bits_of(unsigned width, long double value) {
    return width == LONG_DOUBLE_BITS ? bits_of_long_double(value)
                                     : width == 64 ? bits_of_double((double)value) : bits_of_float((float)value);
}

bool wide_is_nan(unsigned width, wide_bits bits) { return number(width, bits) != number(width, bits); }

/* ---- What operators mean ---- */

static long double arithmetic(unsigned op, long double a, long double b) {
    switch (op) {
    case UNTAKEN_OP_FADD: return a + b;
    case UNTAKEN_OP_FSUB: return a - b;
    case UNTAKEN_OP_FMUL: return a * b;
    default: return a / b;
    }
}

static bool comparison(unsigned op, long double a, long double b) {
    return op == UNTAKEN_OP_FEQ ? a == b : op == UNTAKEN_OP_FLT ? a < b : a <= b;
}

static long double root(long double value) {
    __asm__("fsqrt" : "+t"(value));
    return value;
}

/* By how much the whole number next to zero is changed; `fraction` is what it leaves of the magnitude. */
static int step_away(enum untaken_rounding rounding, long double fraction, bool odd, bool negative) {
    switch (rounding) {
    case UNTAKEN_TO_EVEN: return fraction > 0.5L || (fraction == 0.5L && odd);
    case UNTAKEN_AWAY: return fraction >= 0.5L;
    case UNTAKEN_UP: return fraction > 0 && !negative;
    case UNTAKEN_DOWN: return fraction > 0 && negative;
    default: return 0;
    }
}

static long double rounded(enum untaken_rounding rounding, long double value) {
    if (!(value > -WHOLE && value < WHOLE)) {
        return value;
    }
    bool negative = value < 0;
    long double magnitude = negative ? -value : value;
    int64_t whole = (int64_t)magnitude;
    long double fraction = magnitude - (long double)whole; /* exact */
    int step = step_away(rounding, fraction, (whole & 1) != 0, negative);
    return __builtin_copysignl((long double)whole + step, value);
}

/* 2 to the power of an integer's width less one. */
static long double limit_of(unsigned width) {
    long double limit = 1;
    for (unsigned i = 1; i < width; i++) {
        limit *= 2;
    }
    return limit;
}

static wide_bits to_whole(unsigned width, long double value) {
    long double limit = limit_of(width);
    bool fits = value < limit && (width == 32 ? value > -limit - 1 : value >= -limit);
    return fits ? (wide_bits)(wide_number)value & wide_mask(width) : (wide_bits)1 << (width - 1);
}

static wide_bits from_whole(unsigned op, unsigned width, wide a) {
    wide_number as_signed = wide_signed(a.value, a.width);
    bool keeps_sign = op == UNTAKEN_OP_FROM_SIGNED;
    switch (width) { /* at once: to round twice would be wrong */
    case 32: return bits_of_float(keeps_sign ? (float)as_signed : (float)a.value);
    case 64: return bits_of_double(keeps_sign ? (double)as_signed : (double)a.value);
    default: return bits_of_long_double(keeps_sign ? (long double)as_signed : (long double)a.value);
    }
}

/* ---- Terms ---- */

static wide on_two(unsigned op, wide a, wide b) {
    if (a.width <= LOW_BITS) {
        return widened(term_float_binary(op, narrowed_term(a), narrowed_term(b)));
    }
    bool compares = op >= UNTAKEN_OP_FEQ;
    long double x = number(a.width, a.value), y = number(b.width, b.value);
    unsigned width = compares ? 1 : a.width;
    wide_bits value = compares ? comparison(op, x, y) : bits_of(a.width, arithmetic(op, x, y));
    term simple;
    if ((a.label | b.label) == 0) {
        return wide_constant(width, value);
    }
    if (compares && wide_float_order(op, a, b, &simple) && simple.value == value) {
        return widened(simple);
    }
    uint32_t operands[3] = {wide_operand_label(a), wide_operand_label(b), 0};
    return operands[0] == 0 || operands[1] == 0 ? wide_constant(width, value) : wide_node(op, width, operands, value);
}

static wide on_one(unsigned op, unsigned width, wide a, uint32_t detail, wide_bits value) {
    uint32_t operands[3] = {a.label, detail, 0};
    return a.label == 0 ? wide_constant(width, value) : wide_node(op, width, operands, value);
}

static wide negation(wide a) { return widened(term_not(narrowed_term(a))); }

static wide less_or_greater(wide a, wide b) {
    return widened(term_or(narrowed_term(on_two(UNTAKEN_OP_FLT, a, b)), narrowed_term(on_two(UNTAKEN_OP_FLT, b, a))));
}

static wide both_numbers(wide a, wide b) {
    return widened(term_and(narrowed_term(on_two(UNTAKEN_OP_FEQ, a, a)), narrowed_term(on_two(UNTAKEN_OP_FEQ, b, b))));
}

wide wide_float_binary(unsigned op, wide a, wide b) {
    switch (op) {
    case UNTAKEN_OP_FNE: return negation(on_two(UNTAKEN_OP_FEQ, a, b));
    case UNTAKEN_OP_FNLT: return negation(on_two(UNTAKEN_OP_FLT, a, b));
    case UNTAKEN_OP_FNLE: return negation(on_two(UNTAKEN_OP_FLE, a, b));
    case UNTAKEN_OP_FONE: return less_or_greater(a, b);
    case UNTAKEN_OP_FUEQ: return negation(less_or_greater(a, b));
    case UNTAKEN_OP_FORD: return both_numbers(a, b);
    case UNTAKEN_OP_FUNO: return negation(both_numbers(a, b));
    default: return on_two(op, a, b);
    }
}

wide wide_float_unary(unsigned op, wide a) {
    long double value = number(a.width, a.value);
    if (op == UNTAKEN_OP_FSQRT) {
        return on_one(op, a.width, a, 0, bits_of(a.width, root(value)));
    }
    enum untaken_rounding rounding = (enum untaken_rounding)(op - UNTAKEN_OP_FROUND_FIRST);
    return on_one(UNTAKEN_OP_FROUND, a.width, a, rounding, bits_of(a.width, rounded(rounding, value)));
}

/* As expressions/floats.c has it: of what is too large for a signed number, half of the range is taken off first. */
static wide to_unsigned(wide a, unsigned width) {
    wide half = wide_constant(a.width, bits_of(a.width, limit_of(width)));
    wide low = wide_float_cast(UNTAKEN_OP_TO_SIGNED, a, width);
    wide high = wide_float_cast(UNTAKEN_OP_TO_SIGNED, on_two(UNTAKEN_OP_FSUB, a, half), width);
    wide flipped = wide_binary(UNTAKEN_OP_XOR, high, wide_constant(width, (wide_bits)1 << (width - 1)));
    return wide_ite(narrowed_term(on_two(UNTAKEN_OP_FLT, a, half)), low, flipped);
}

wide wide_float_cast(unsigned op, wide a, unsigned width) {
    switch (op) {
    case UNTAKEN_OP_FCONVERT: return on_one(op, width, a, 0, bits_of(width, number(a.width, a.value)));
    case UNTAKEN_OP_TO_SIGNED: return on_one(op, width, a, 0, to_whole(width, number(a.width, a.value)));
    case UNTAKEN_OP_TO_UNSIGNED: return to_unsigned(a, width);
    default: return on_one(op, width, a, 0, from_whole(op, width, a));
    }
}
