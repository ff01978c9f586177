/* The value of a number with a point or an exponent, as an expression: see libc/numbers/digits.h.
 *
 * Its digits as a whole number, times or divided by a power of ten. While both are exact in the type, rounding the one
 * result is what the real function does, too. */
#include "expressions/floats.h"
#include "libc/numbers/digits.h"

#include <ctype.h>
#include <string.h>

/* What is exact: that many digits, and powers of ten up to this one. */
struct exact {
    unsigned digits, power;
};

static struct exact exact_in(uint8_t width) {
    return width == 32 ? (struct exact){7, 10} : (struct exact){15, 22};
}

/* How the text is to be taken: digits up to `end`, of which those behind a point count against the scale. */
struct decimal {
    const char *start, *end;
    unsigned digits;
    int64_t scale;
    bool negative;
};

static void pin_text(const char *from, const char *to) {
    for (const char *at = from; at < to; at++)
        untaken_pin_term(untaken_memory_byte(at));
}

/* As it is, for a power of ten with a symbolic exponent is beyond solvers. */
static bool read_exponent(const char *at, const char *end, int64_t *exponent) {
    if (at == end)
        return true;
    if (tolower((unsigned char)*at) != 'e')
        return false;
    pin_text(at + 1, end);
    bool negative = at[1] == '-';
    for (at += 1 + (negative || at[1] == '+'); at < end; at++)
        *exponent = *exponent < 1000 ? *exponent * 10 + (*at - '0') : 1000;
    *exponent = negative ? -*exponent : *exponent;
    return true;
}

/* False of what is written in another way: hexadecimal, "inf". */
static bool read_decimal(const struct fraction *fraction, struct decimal *decimal) {
    const char *at = fraction->sign;
    decimal->negative = *at == '-';
    at += *at == '-' || *at == '+';
    decimal->start = at;
    bool point = false;
    for (; at < fraction->end && (isdigit((unsigned char)*at) || (*at == '.' && !point)); at++) {
        point |= *at == '.';
        decimal->digits += *at != '.';
        decimal->scale -= point && *at != '.';
    }
    decimal->end = at;
    int64_t exponent = 0;
    bool known = decimal->digits != 0 && read_exponent(at, fraction->end, &exponent);
    decimal->scale += exponent;
    return known;
}

/* With no more bits than the largest of so many digits needs. */
static uint8_t digits_width(const struct decimal *decimal) {
    uint64_t limit = 1;
    for (unsigned digit = 0; digit < decimal->digits; digit++)
        limit *= 10;
    uint8_t width = (uint8_t)(64 - __builtin_clzll(limit));
    return width > 8 ? width : 9;
}

static term digits_term(const struct decimal *decimal) {
    uint8_t width = digits_width(decimal);
    term sum = term_constant(width, 0);
    for (const char *at = decimal->start; at < decimal->end; at++) {
        if (*at == '.')
            continue;
        term digit = term_binary(UNTAKEN_OP_SUB, untaken_memory_byte(at), term_constant(8, '0'));
        sum = term_binary(UNTAKEN_OP_MUL, sum, term_constant(width, 10));
        sum = term_binary(UNTAKEN_OP_ADD, sum, term_extend(UNTAKEN_OP_ZEXT, digit, width));
    }
    return sum;
}

static term power_of_ten(uint64_t power, uint8_t width) {
    double value = 1;
    for (; power > 0; power--)
        value *= 10;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    term exact = term_constant(64, bits);
    return width == 64 ? exact : term_float_cast(UNTAKEN_OP_FCONVERT, exact, width);
}

static bool is_exact(const struct decimal *decimal, uint8_t width) {
    struct exact exact = exact_in(width);
    int64_t power = (int64_t)exact.power;
    return decimal->digits <= exact.digits && decimal->scale <= power && decimal->scale >= -power;
}

bool fraction_term(const struct fraction *fraction, uint8_t width, term *value) {
    struct decimal decimal = {.scale = 0};
    if (!fraction->any)
        return true;
    if (!read_decimal(fraction, &decimal) || !is_exact(&decimal, width)) {
        pin_text(fraction->sign, fraction->end);
        return false;
    }
    *value = term_float_cast(UNTAKEN_OP_FROM_UNSIGNED, digits_term(&decimal), width);
    if (decimal.scale != 0) {
        uint64_t power = (uint64_t)(decimal.scale < 0 ? -decimal.scale : decimal.scale);
        unsigned op = decimal.scale < 0 ? UNTAKEN_OP_FDIV : UNTAKEN_OP_FMUL;
        *value = term_float_binary(op, *value, power_of_ten(power, width));
    }
    if (decimal.negative)
        *value = term_binary(UNTAKEN_OP_XOR, *value, term_constant(width, 1ull << (width - 1)));
    return true;
}
