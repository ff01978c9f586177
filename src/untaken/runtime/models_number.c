/* Models of number parsing and of small integer functions.
 *
 * The shape of the text (blanks, sign, prefix, how many digits) is decided at once; under that the
 * value is a sum over the digits.
 */
#define _GNU_SOURCE
#include "models.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Newer libcs have these beside strtol and its like; they also read binary numbers. */
long __isoc23_strtol(const char *, char **, int) __attribute__((weak));
unsigned long __isoc23_strtoul(const char *, char **, int) __attribute__((weak));
long long __isoc23_strtoll(const char *, char **, int) __attribute__((weak));
unsigned long long __isoc23_strtoull(const char *, char **, int) __attribute__((weak));
intmax_t __isoc23_strtoimax(const char *, char **, int) __attribute__((weak));
uintmax_t __isoc23_strtoumax(const char *, char **, int) __attribute__((weak));

/* How a number was read. */
struct number {
    const char *text;
    const char *sign;   /* after the blanks: where a sign would be */
    const char *digits; /* after sign and prefix */
    const char *end;    /* after the last digit; digits == end: no number (or a prefix without digits) */
    const char *prefix; /* where "0x" would be, or null if the base has no prefix */
    unsigned base;
    bool negative;
    bool prefixed;
};

static bool has_sign(const struct number *number) { return *number->sign == '+' || *number->sign == '-'; }

static unsigned digit_value(unsigned char character) {
    if (character >= '0' && character <= '9')
        return character - '0';
    if (character >= 'a' && character <= 'z')
        return character - 'a' + 10u;
    if (character >= 'A' && character <= 'Z')
        return character - 'A' + 10u;
    return 255;
}

static bool is_prefix(const char *at, char letter) { return at[0] == '0' && tolower((unsigned char)at[1]) == letter; }

/* The same steps as the real function; false for a base that does not exist. */
static bool read_number(struct number *number, const char *text, int base, bool binary) {
    if (base < 0 || base == 1 || base > 36)
        return false;
    const char *at = text;
    while (isspace((unsigned char)*at))
        at++;
    *number = (struct number){.text = text, .sign = at, .base = (unsigned)base, .negative = *at == '-'};
    at += has_sign(number);
    if (base == 0 || base == 16 || (binary && base == 2))
        number->prefix = at;
    if ((base == 0 || base == 16) && is_prefix(at, 'x')) {
        number->prefixed = true;
        number->base = 16;
    } else if (binary && (base == 0 || base == 2) && is_prefix(at, 'b')) {
        number->prefixed = true;
        number->base = 2;
    } else if (base == 0) {
        number->base = *at == '0' ? 8 : 10;
    }
    at += number->prefixed ? 2 : 0;
    number->digits = at;
    while (digit_value((unsigned char)*at) < number->base)
        at++;
    number->end = at;
    return true;
}

static term is_digit(term character, unsigned base) {
    term member = term_between(character, '0', '0' + (base < 10 ? base : 10) - 1);
    if (base <= 10)
        return member;
    member = term_or(member, term_between(character, 'a', 'a' + base - 11));
    return term_or(member, term_between(character, 'A', 'A' + base - 11));
}

static term is_sign(term character) { return term_or(term_equals(character, '+'), term_equals(character, '-')); }

static term is_letter(term character, char letter) {
    return term_or(term_equals(character, (uint8_t)letter), term_equals(character, (uint8_t)toupper(letter)));
}

/* What decides the base and where the digits start. */
static term prefix_shape(const struct number *number, bool any_base, bool binary) {
    if (!number->prefix)
        return term_true();
    term zero = term_equals(untaken_memory_byte(number->prefix), '0');
    if (*number->prefix != '0')
        return term_not(zero);
    term letter = untaken_memory_byte(number->prefix + 1), shape = zero;
    bool hex = any_base || number->base == 16, two = binary && (any_base || number->base == 2);
    if (hex)
        shape = term_and(shape, number->prefixed && number->base == 16 ? is_letter(letter, 'x')
                                                                       : term_not(is_letter(letter, 'x')));
    if (two)
        shape = term_and(shape, number->prefixed && number->base == 2 ? is_letter(letter, 'b')
                                                                      : term_not(is_letter(letter, 'b')));
    return shape;
}

/* Which kind of digit it is, so that its value is one subtraction. */
static term digit_shape(term character, unsigned base) {
    unsigned char value = (unsigned char)character.value;
    unsigned letters = base - 11;
    if (isdigit(value))
        return term_between(character, '0', '0' + (base < 10 ? base : 10) - 1);
    return value >= 'a' ? term_between(character, 'a', 'a' + letters) : term_between(character, 'A', 'A' + letters);
}

static term number_shape(const struct number *number, int base, bool binary) {
    term shape = term_true();
    for (const char *at = number->text; at < number->sign; at++)
        shape = term_and(shape, character_in_class(CLASS_SPACE, untaken_memory_byte(at)));
    term first = untaken_memory_byte(number->sign);
    if (has_sign(number)) {
        shape = term_and(shape, term_equals(first, (uint8_t)*number->sign));
    } else if (number->digits == number->end && !number->prefixed) {
        shape = term_and(shape, term_not(is_sign(first)));
        shape = term_and(shape, term_not(character_in_class(CLASS_SPACE, first)));
    }
    shape = term_and(shape, prefix_shape(number, base == 0, binary));
    for (const char *at = number->digits; at < number->end; at++)
        shape = term_and(shape, digit_shape(untaken_memory_byte(at), number->base));
    return shape;
}

/* That there is not one digit more is a decision of its own: taken the other way, the number begins, or goes on. */
static void decide_shape(const struct number *number, int base, bool binary) {
    untaken_decide(UNTAKEN_LIBRARY, is_digit(untaken_memory_byte(number->end), number->base), 0);
    untaken_decide(UNTAKEN_LIBRARY, number_shape(number, base, binary), 0);
}

static term digit_term(const char *at) {
    unsigned char character = (unsigned char)*at;
    unsigned zero = character - digit_value(character);
    return term_binary(UNTAKEN_OP_SUB, term_wide(untaken_memory_byte(at)), term_constant(64, zero));
}

/* True if no number of that many digits overflows. */
static bool fits(const struct number *number) {
    uint64_t largest = 0;
    for (const char *at = number->digits; at < number->end; at++) {
        unsigned digit = untaken_memory_symbolic(at, 1) ? number->base - 1 : digit_value((unsigned char)*at);
        if (__builtin_mul_overflow(largest, number->base, &largest) ||
            __builtin_add_overflow(largest, digit, &largest) || largest > INT64_MAX)
            return false;
    }
    return true;
}

static term number_value(const struct number *number) {
    term value = term_constant(64, 0);
    for (const char *at = number->digits; at < number->end; at++) {
        value = term_binary(UNTAKEN_OP_MUL, value, term_constant(64, number->base));
        value = term_binary(UNTAKEN_OP_ADD, value, digit_term(at));
    }
    return number->negative ? term_binary(UNTAKEN_OP_SUB, term_constant(64, 0), value) : value;
}

/* Digits that might overflow are pinned, and the value is concrete. */
static void pin_digits(const struct number *number) {
    for (const char *at = number->digits; at < number->end; at++)
        untaken_pin_term(untaken_memory_byte(at));
    untaken_count_concretised(UNTAKEN_BY_OTHER);
}

static bool number_symbolic(const struct number *number) {
    return untaken_memory_symbolic(number->text, (uint64_t)(number->end - number->text) + 1);
}

/* The value as a term of 64 bits: what the real function returned was `concrete`. */
static term parse(const char *text, int base, bool binary, uint64_t concrete) {
    struct number number;
    term value = term_constant(64, concrete);
    if (!read_number(&number, text, base, binary) || !number_symbolic(&number))
        return value;
    decide_shape(&number, base, binary);
    if (fits(&number))
        return number_value(&number);
    pin_digits(&number);
    return value;
}

static void record_number(void *self, const char *text, char **end, int base, bool binary, uint64_t concrete) {
    untaken_label labels[3];
    if (!model_begin(self, labels, 3))
        return;
    int saved = errno;
    model_pin_pointer(labels[0], text);
    model_pin_pointer(labels[1], end);
    if (labels[2])
        untaken_pin_term(model_argument(labels[2], 32, (uint32_t)base));
    if (end)
        untaken_memory_clear(end, sizeof *end);
    model_end(self, parse(text, base, binary, concrete), concrete);
    errno = saved;
}

#define NUMBER_MODEL(type, function, binary)                                                                       \
    type untaken_model_##function(const char *text, char **end, int base) {                                        \
        type value = function(text, end, base);                                                                    \
        record_number(SELF(function), text, end, base, binary, (uint64_t)value);                                   \
        return value;                                                                                              \
    }

/* The headers of newer libcs call strtol by its new name: these are the old ones, whatever the headers say. */
long plain_strtol(const char *, char **, int) __asm__("strtol");
unsigned long plain_strtoul(const char *, char **, int) __asm__("strtoul");
long long plain_strtoll(const char *, char **, int) __asm__("strtoll");
unsigned long long plain_strtoull(const char *, char **, int) __asm__("strtoull");
intmax_t plain_strtoimax(const char *, char **, int) __asm__("strtoimax");
uintmax_t plain_strtoumax(const char *, char **, int) __asm__("strtoumax");

#undef strtol
#undef strtoul
#undef strtoll
#undef strtoull
#undef strtoimax
#undef strtoumax
#define PLAIN_NUMBER_MODEL(type, function)                                                                         \
    type untaken_model_##function(const char *text, char **end, int base) {                                        \
        type value = plain_##function(text, end, base);                                                            \
        record_number(SELF(function), text, end, base, false, (uint64_t)value);                                    \
        return value;                                                                                              \
    }

PLAIN_NUMBER_MODEL(long, strtol)
PLAIN_NUMBER_MODEL(unsigned long, strtoul)
PLAIN_NUMBER_MODEL(long long, strtoll)
PLAIN_NUMBER_MODEL(unsigned long long, strtoull)
PLAIN_NUMBER_MODEL(intmax_t, strtoimax)
PLAIN_NUMBER_MODEL(uintmax_t, strtoumax)
NUMBER_MODEL(long, __isoc23_strtol, true)
NUMBER_MODEL(unsigned long, __isoc23_strtoul, true)
NUMBER_MODEL(long long, __isoc23_strtoll, true)
NUMBER_MODEL(unsigned long long, __isoc23_strtoull, true)
NUMBER_MODEL(intmax_t, __isoc23_strtoimax, true)
NUMBER_MODEL(uintmax_t, __isoc23_strtoumax, true)

static long parse_decimal(void *self, const char *text, uint8_t width) {
    long value = plain_strtol(text, NULL, 10);
    untaken_label label;
    if (!model_begin(self, &label, 1))
        return value;
    int saved = errno;
    model_pin_pointer(label, text);
    term parsed = term_extract(parse(text, 10, false, (uint64_t)value), 0, width);
    model_end(self, parsed, width == 32 ? (uint32_t)value : (uint64_t)value);
    errno = saved;
    return value;
}

int untaken_model_atoi(const char *text) { return (int)parse_decimal(SELF(atoi), text, 32); }
long untaken_model_atol(const char *text) { return parse_decimal(SELF(atol), text, 64); }
long long untaken_model_atoll(const char *text) { return parse_decimal(SELF(atoll), text, 64); }

/* Floating point is concrete: these are only counted, if the text was symbolic. */
static void count_float(void *self, const char *text, const char *end, const char *name) {
    untaken_label labels[2];
    if (!model_begin(self, labels, 2))
        return;
    int saved = errno;
    if (untaken_memory_symbolic(text, (uint64_t)(end - text) + 1))
        untaken_count_external(name);
    model_end_concrete(self);
    errno = saved;
}

double untaken_model_strtod(const char *text, char **end) {
    char *last;
    double value = strtod(text, &last);
    if (end)
        *end = last;
    count_float(SELF(strtod), text, last, "strtod");
    return value;
}

double untaken_model_atof(const char *text) {
    char *last;
    double value = strtod(text, &last);
    count_float(SELF(atof), text, last, "atof");
    return value;
}

static void record_abs(void *self, uint8_t width, uint64_t argument, uint64_t result) {
    untaken_label label;
    if (model_begin(self, &label, 1))
        model_end(self, term_unary(UNTAKEN_OP_ABS, model_argument(label, width, argument)), result);
}

int untaken_model_abs(int value) {
    int result = (int)(value < 0 ? 0u - (unsigned)value : (unsigned)value);
    record_abs(SELF(abs), 32, (uint32_t)value, (uint32_t)result);
    return result;
}

static long absolute(long value) { return (long)(value < 0 ? 0ul - (unsigned long)value : (unsigned long)value); }

long untaken_model_labs(long value) {
    long result = absolute(value);
    record_abs(SELF(labs), 64, (uint64_t)value, (uint64_t)result);
    return result;
}

long long untaken_model_llabs(long long value) {
    long long result = absolute((long)value);
    record_abs(SELF(llabs), 64, (uint64_t)value, (uint64_t)result);
    return result;
}

static void record_swap(void *self, uint8_t width, uint64_t argument, uint64_t result) {
    untaken_label label;
    if (model_begin(self, &label, 1))
        model_end(self, term_unary(UNTAKEN_OP_BSWAP, model_argument(label, width, argument)), result);
}

#undef htonl
#undef htons
#undef ntohl
#undef ntohs
#define SWAP_MODEL(type, function, width)                                                                          \
    type untaken_model_##function(type value) {                                                                    \
        type result = __builtin_bswap##width(value);                                                               \
        record_swap(SELF(function), width, value, result);                                                         \
        return result;                                                                                             \
    }

SWAP_MODEL(uint32_t, htonl, 32)
SWAP_MODEL(uint16_t, htons, 16)
SWAP_MODEL(uint32_t, ntohl, 32)
SWAP_MODEL(uint16_t, ntohs, 16)
