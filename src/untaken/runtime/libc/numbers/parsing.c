/* Models of number parsing and of small integer functions. */
#define _GNU_SOURCE
#include "libc/numbers/digits.h"

#include <arpa/inet.h>
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

/* Where the string is over behind its digits, no decision gives the number more of them, or a sign: one of another form
 * may stand in its place. */
static void note_other_forms(const struct number *number) {
    static const char *const forms[] = {"1", "11", "1111", "-1", "-11"};
    if (*number->end != '\0' || untaken_memory_symbolic(number->end, 1))
        return;
    for (unsigned i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (strlen(forms[i]) != (size_t)(number->end - number->sign) || number->negative != (forms[i][0] == '-'))
            note_wanted_text(number->sign, forms[i], true);
    }
}

/* The value as a term of 64 bits: what the real function returned was `concrete`. */
static term parse(const char *text, int base, bool binary, uint64_t concrete) {
    struct number number = {.text = text, .binary = binary};
    if (!number_read(&number, base))
        return term_constant(64, concrete);
    note_other_forms(&number);
    if (!number_symbolic(&number))
        return term_constant(64, concrete);
    number_decide(&number);
    return number_term(&number, concrete);
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

/* What the text looks like is decided. A value that is not followed is counted, if the text is symbolic. */
static term parse_fraction(const char *text, const char *end, term concrete, const char *name) {
    struct fraction fraction = {.text = text};
    term value = concrete;
    fraction_read(&fraction, end);
    if (fraction_decide(&fraction) && !fraction_term(&fraction, concrete.width, &value))
        untaken_count_external(name);
    return value;
}

static void record_fraction(void *self, const char *text, const char *end, term concrete, const char *name) {
    untaken_label labels[2];
    if (!model_begin(self, labels, 2))
        return;
    int saved = errno;
    model_pin_pointer(labels[0], text);
    model_end(self, parse_fraction(text, end, concrete, name), concrete.value);
    errno = saved;
}

static term double_term(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return term_constant(64, bits);
}

static term float_term(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return term_constant(32, bits);
}

double untaken_model_strtod(const char *text, char **end) {
    char *last;
    double value = strtod(text, &last);
    if (end)
        *end = last;
    record_fraction(SELF(strtod), text, last, double_term(value), "strtod");
    return value;
}

float untaken_model_strtof(const char *text, char **end) {
    char *last;
    float value = strtof(text, &last);
    if (end)
        *end = last;
    record_fraction(SELF(strtof), text, last, float_term(value), "strtof");
    return value;
}

double untaken_model_atof(const char *text) {
    char *last;
    double value = strtod(text, &last);
    record_fraction(SELF(atof), text, last, double_term(value), "atof");
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
