/* Floating point: what its operators mean, and the terms that requests for them become.
 *
 * Values are bits, as those of integers are. Programs round to nearest unless they ask for something else; then labels
 * are dropped, and so they are where results differ from the program's own (tracking/steps.c). */
#include "expressions/floats.h"

#include "expressions/terms.h"
#include "expressions/wide.h"

#include <emmintrin.h>

/* From here on a double has no fraction. */
#define WHOLE 4503599627370496.0
#define SMALLEST_64 0x8000000000000000ull

static double double_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t bits_of_double(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of(uint64_t bits) {
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
}

static uint64_t bits_of_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Exact: each float is a double. */
static double number(unsigned width, uint64_t bits) { return width == 32 ? (double)float_of(bits) : double_of(bits); }

static uint64_t bits_of(unsigned width, double value) {
    return width == 32 ? bits_of_float((float)value) : bits_of_double(value);
}

#define UNUSUAL (0x6000u | 0x8000u | 0x0040u) /* of the processor's status: rounding, and two ways to flush */

bool untaken_rounds_as_usual(void) { return (_mm_getcsr() & UNUSUAL) == 0; }

bool untaken_is_nan(unsigned width, uint64_t bits) { return number(width, bits) != number(width, bits); }

/* ---- What operators mean ---- */

static uint64_t float_arithmetic(unsigned op, float a, float b) {
    switch (op) {
    case UNTAKEN_OP_FADD: return bits_of_float(a + b);
    case UNTAKEN_OP_FSUB: return bits_of_float(a - b);
    case UNTAKEN_OP_FMUL: return bits_of_float(a * b);
    default: return bits_of_float(a / b);
    }
}

static uint64_t double_arithmetic(unsigned op, double a, double b) {
    switch (op) {
    case UNTAKEN_OP_FADD: return bits_of_double(a + b);
    case UNTAKEN_OP_FSUB: return bits_of_double(a - b);
    case UNTAKEN_OP_FMUL: return bits_of_double(a * b);
    default: return bits_of_double(a / b);
    }
}

static uint64_t arithmetic(unsigned op, unsigned width, uint64_t a, uint64_t b) {
    return width == 32 ? float_arithmetic(op, float_of(a), float_of(b)) : double_arithmetic(op, double_of(a), double_of(b));
}

static bool comparison(unsigned op, double a, double b) {
    return op == UNTAKEN_OP_FEQ ? a == b : op == UNTAKEN_OP_FLT ? a < b : a <= b;
}

static double root(double value) {
    __m128d operand = _mm_set_sd(value);
    return _mm_cvtsd_f64(_mm_sqrt_sd(operand, operand));
}

/* Whether the whole number is wanted that is farther from zero than `whole`, with which the value begins. What is left
 * of it is exact. */
static bool is_away(enum untaken_rounding rounding, double value, double whole) {
    double rest = __builtin_fabs(value - whole);
    bool odd = ((int64_t)whole & 1) != 0;
    switch (rounding) {
    case UNTAKEN_TO_EVEN: return rest > 0.5 || (rest == 0.5 && odd);
    case UNTAKEN_AWAY: return rest >= 0.5;
    case UNTAKEN_UP: return rest > 0 && value > 0;
    case UNTAKEN_DOWN: return rest > 0 && value < 0;
    default: return false;
    }
}

static double rounded(enum untaken_rounding rounding, double value) {
    if (!(value > -WHOLE && value < WHOLE)) {
        return value == value ? value : value + value; /* what is not a number does not signal any more */
    }
    double whole = (double)(int64_t)value, one = __builtin_copysign(1, value);
    return __builtin_copysign(is_away(rounding, value, whole) ? whole + one : whole, value);
}

/* As the processor converts: what does not fit becomes the smallest number. */
static uint64_t whole(unsigned width, double value) {
    double limit = width == 32 ? 2147483648.0 : 9223372036854775808.0;
    bool fits = value < limit && (width == 32 ? value > -limit - 1 : value >= -limit);
    return (fits ? (uint64_t)(int64_t)value : 1ull << (width - 1)) & width_mask(width);
}

static uint64_t from_integer(unsigned op, unsigned width, term a) {
    int64_t number = sign_extended(a.value, a.width);
    if (width == 32) {
        return bits_of_float(op == UNTAKEN_OP_FROM_SIGNED ? (float)number : (float)a.value);
    }
    return bits_of_double(op == UNTAKEN_OP_FROM_SIGNED ? (double)number : (double)a.value);
}

/* ---- Terms ---- */

static term on_two(unsigned op, term a, term b) {
    bool compares = op >= UNTAKEN_OP_FEQ;
    unsigned width = compares ? 1 : a.width;
    uint64_t value = compares ? comparison(op, number(a.width, a.value), number(b.width, b.value))
                              : arithmetic(op, a.width, a.value, b.value);
    term simple;
    if ((a.label | b.label) == 0) {
        return term_constant((uint8_t)width, value);
    }
    if (compares && wide_float_order(op, widened(a), widened(b), &simple) && simple.value == value) {
        return simple;
    }
    return raw_node(op, width, a, b, value);
}

static term on_one(unsigned op, unsigned width, term a, uint32_t detail, uint64_t value) {
    untaken_label label = a.label == 0 ? 0 : untaken_node(op, width, a.label, detail, 0, value);
    return (term){label, (uint8_t)width, value};
}

static term is_number(term a) { return on_two(UNTAKEN_OP_FEQ, a, a); }

static term less_or_greater(term a, term b) {
    return term_or(on_two(UNTAKEN_OP_FLT, a, b), on_two(UNTAKEN_OP_FLT, b, a));
}

static term negated(term a) { return term_binary(UNTAKEN_OP_XOR, a, term_constant(1, 1)); }

static term both_numbers(term a, term b) {
    return a.label == b.label && a.value == b.value ? is_number(a) : term_and(is_number(a), is_number(b));
}

term term_float_binary(unsigned op, term a, term b) {
    switch (op) {
    case UNTAKEN_OP_FNE: return negated(on_two(UNTAKEN_OP_FEQ, a, b));
    case UNTAKEN_OP_FNLT: return negated(on_two(UNTAKEN_OP_FLT, a, b));
    case UNTAKEN_OP_FNLE: return negated(on_two(UNTAKEN_OP_FLE, a, b));
    case UNTAKEN_OP_FONE: return less_or_greater(a, b);
    case UNTAKEN_OP_FUEQ: return negated(less_or_greater(a, b));
    case UNTAKEN_OP_FORD: return both_numbers(a, b);
    case UNTAKEN_OP_FUNO: return negated(both_numbers(a, b));
    default: return on_two(op, a, b);
    }
}

term term_float_unary(unsigned op, term a) {
    double value = number(a.width, a.value);
    if (op == UNTAKEN_OP_FSQRT) {
        return on_one(op, a.width, a, 0, bits_of(a.width, root(value)));
    }
    enum untaken_rounding rounding = (enum untaken_rounding)(op - UNTAKEN_OP_FROUND_FIRST);
    return on_one(UNTAKEN_OP_FROUND, a.width, a, rounding, bits_of(a.width, rounded(rounding, value)));
}

/* How compilers do it with a processor that only knows signed numbers: of what is too large for them, the upper half of
 * the range is taken off first. */
static term to_unsigned(term a) {
    term half = term_constant(a.width, bits_of(a.width, 9223372036854775808.0));
    term low = term_float_cast(UNTAKEN_OP_TO_SIGNED, a, 64);
    term high = term_float_cast(UNTAKEN_OP_TO_SIGNED, on_two(UNTAKEN_OP_FSUB, a, half), 64);
    return term_ite(on_two(UNTAKEN_OP_FLT, a, half), low,
                    term_binary(UNTAKEN_OP_XOR, high, term_constant(64, SMALLEST_64)));
}

term term_float_cast(unsigned op, term a, unsigned width) {
    switch (op) {
    case UNTAKEN_OP_FCONVERT: return on_one(op, width, a, 0, bits_of(width, number(a.width, a.value)));
    case UNTAKEN_OP_TO_SIGNED: return on_one(op, width, a, 0, whole(width, number(a.width, a.value)));
    case UNTAKEN_OP_TO_UNSIGNED: return to_unsigned(a);
    default: return on_one(op, width, a, 0, from_integer(op, width, a));
    }
}
