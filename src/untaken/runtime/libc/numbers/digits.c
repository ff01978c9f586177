/* What strtol and scanf make of digits; see libc/numbers/digits.h. */
#include "libc/numbers/digits.h"

#include <ctype.h>
#include <string.h>

#define LONG_NUMBER 4u /* digits: for most values that programs compare with, and not too hard for solvers */

/* What is past the limit reads as the end of a string. */
static char at_place(const struct number *number, const char *at) {
    return number->limit && at >= number->limit ? '\0' : *at;
}

static bool has_sign(const struct number *number) {
    char first = at_place(number, number->sign);
    return first == '+' || first == '-';
}

static unsigned digit_value(unsigned char character) {
    if (character >= '0' && character <= '9')
        return character - '0';
    if (character >= 'a' && character <= 'z')
        return character - 'a' + 10u;
    if (character >= 'A' && character <= 'Z')
        return character - 'A' + 10u;
    return 255;
}

static bool is_prefix(const struct number *number, const char *at, char letter) {
    return at_place(number, at) == '0' && tolower((unsigned char)at_place(number, at + 1)) == letter;
}

static void read_prefix(struct number *number, const char *at, int base) {
    bool any = base == 0;
    if (any || base == 16 || (number->binary && base == 2))
        number->prefix = at;
    if ((any || base == 16) && is_prefix(number, at, 'x')) {
        number->prefixed = true;
        number->base = 16;
    } else if (number->binary && (any || base == 2) && is_prefix(number, at, 'b')) {
        number->prefixed = true;
        number->base = 2;
    } else if (any) {
        number->base = at_place(number, at) == '0' ? 8 : 10;
    }
}

bool number_read(struct number *number, int base) {
    if (base < 0 || base == 1 || base > 36)
        return false;
    const char *at = number->text;
    while (isspace((unsigned char)at_place(number, at)))
        at++;
    number->sign = at;
    number->base = (unsigned)base;
    number->any_base = base == 0;
    number->negative = at_place(number, at) == '-';
    at += has_sign(number);
    read_prefix(number, at, base);
    at += number->prefixed ? 2 : 0;
    number->digits = at;
    while (digit_value((unsigned char)at_place(number, at)) < number->base)
        at++;
    number->end = at;
    return true;
}

static term byte_at(const struct number *number, const char *at) {
    return number->limit && at >= number->limit ? term_constant(8, 0) : untaken_memory_byte(at);
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
static term prefix_shape(const struct number *number) {
    if (!number->prefix)
        return term_true();
    term zero = term_equals(byte_at(number, number->prefix), '0');
    if (at_place(number, number->prefix) != '0')
        return term_not(zero);
    term letter = byte_at(number, number->prefix + 1), shape = zero;
    bool any_base = number->any_base;
    bool hex = any_base || number->base == 16, two = number->binary && (any_base || number->base == 2);
    if (hex)
        shape = term_and(shape, number->prefixed && number->base == 16 ? is_letter(letter, 'x')
                                                                       : term_not(is_letter(letter, 'x')));
    if (two)
        shape = term_and(shape, number->prefixed && number->base == 2 ? is_letter(letter, 'b')
                                                                      : term_not(is_letter(letter, 'b')));
    return shape;
}

term number_shape(const struct number *number) {
    term shape = term_true();
    for (const char *at = number->text; at < number->sign; at++)
        shape = term_and(shape, character_in_class(CLASS_SPACE, untaken_memory_byte(at)));
    term first = byte_at(number, number->sign);
    if (has_sign(number)) {
        shape = term_and(shape, term_equals(first, (uint8_t)*number->sign));
    } else if (number->digits == number->end && !number->prefixed) {
        shape = term_and(shape, term_not(is_sign(first)));
        shape = term_and(shape, term_not(character_in_class(CLASS_SPACE, first)));
    }
    shape = term_and(shape, prefix_shape(number));
    for (const char *at = number->digits; at < number->end; at++)
        shape = term_and(shape, is_digit(untaken_memory_byte(at), number->base));
    return shape;
}

/* A flipped decision changes as little as it can, and a condition on the value may need many digits more. Zeros may
 * come first, so what is long can be small, too. */
static void decide_long(const struct number_source *source, uint64_t digits, unsigned base) {
    uint64_t more = source->room;
    if (digits < LONG_NUMBER && more > LONG_NUMBER - digits)
        more = LONG_NUMBER - digits;
    if (digits >= LONG_NUMBER || more < 2)
        return;
    term all = source->there(source->context, more - 1);
    for (uint64_t index = 0; index < more; index++)
        all = term_and(all, is_digit(source->byte(source->context, index), base));
    untaken_decide(UNTAKEN_LIBRARY, all, 0);
}

void number_decide_more(const struct number *number, const struct number_source *source) {
    if (number->limit == NULL)
        decide_long(source, (uint64_t)(number->end - number->digits), number->base);
    untaken_decide(UNTAKEN_LIBRARY, is_digit(byte_at(number, number->end), number->base), 0);
    if (!has_sign(number))
        untaken_decide(UNTAKEN_LIBRARY, term_equals(byte_at(number, number->sign), '-'), 0);
}

static term string_byte(const void *context, uint64_t index) {
    return untaken_memory_byte((const char *)context + index);
}

/* The end of a string is no digit. */
static term string_there(const void *context, uint64_t index) {
    (void)context;
    (void)index;
    return term_true();
}

struct number_source number_source_of_string(const char *end) {
    struct number_source source = {string_byte, string_there, end, 0};
    while (source.room < LONG_NUMBER && untaken_memory_symbolic(end + source.room, 1))
        source.room++;
    return source;
}

void number_decide(const struct number *number) {
    struct number_source source = number_source_of_string(number->end);
    number_decide_more(number, &source);
    untaken_decide(UNTAKEN_LIBRARY, number_shape(number), 0);
}

/* ---- Numbers with a fraction ---- */

static bool is_signed(const struct fraction *fraction) { return *fraction->sign == '-' || *fraction->sign == '+'; }

void fraction_read(struct fraction *fraction, const char *end) {
    const char *at = fraction->text;
    while (isspace((unsigned char)*at))
        at++;
    fraction->sign = at;
    fraction->any = end > at;
    fraction->end = fraction->any ? end : at + is_signed(fraction);
}

void fraction_decide_more(const struct fraction *fraction, const struct number_source *source) {
    uint64_t digits = 0;
    while (fraction->end - digits > fraction->sign && isdigit((unsigned char)fraction->end[-1 - (int64_t)digits]))
        digits++;
    decide_long(source, digits, 10);
    untaken_decide(UNTAKEN_LIBRARY, is_digit(untaken_memory_byte(fraction->end), 10), 0);
    if (!is_signed(fraction))
        untaken_decide(UNTAKEN_LIBRARY, term_equals(untaken_memory_byte(fraction->sign), '-'), 0);
    if (!memchr(fraction->sign, '.', (size_t)(fraction->end - fraction->sign)))
        untaken_decide(UNTAKEN_LIBRARY, term_equals(untaken_memory_byte(fraction->end), '.'), 0);
}

/* One bit: the character is what it is, or if that is a digit, any digit. */
static term same_kind(term character) {
    if (isdigit((unsigned char)character.value))
        return is_digit(character, 10);
    return term_equals(character, character.value);
}

static term is_one_of(term character, const char *members) {
    term one = term_false();
    for (; *members; members++)
        one = term_or(one, term_equals(character, (uint8_t)*members));
    return one;
}

/* What could go on in a way that we do not follow (an exponent, hexadecimal digits, letters as in "inf") does not:
 * there is no such character, or there is, and what comes behind it is as it is. */
static term does_not_go_on(const char *at, const char *members) {
    term one = is_one_of(untaken_memory_byte(at), members);
    if (!one.value)
        return term_not(one);
    term same = term_true();
    for (const char *end = at + strnlen(at, 2); at <= end; at++)
        same = term_and(same, term_equals(untaken_memory_byte(at), (uint8_t)*at));
    return same;
}

static term ends_here(const struct fraction *fraction) {
    const char *last = fraction->end - 1;
    if (last - fraction->sign != is_signed(fraction))
        return does_not_go_on(fraction->end, "eE");
    if (*last == '0')
        return does_not_go_on(fraction->end, "eExX");
    term zero = term_equals(untaken_memory_byte(last), '0'); /* another input may have one there */
    term prefix = term_and(zero, is_one_of(untaken_memory_byte(fraction->end), "xX"));
    return term_and(does_not_go_on(fraction->end, "eE"), term_not(prefix));
}

static term is_none(const struct fraction *fraction) {
    const char *at = fraction->end;
    term none = does_not_go_on(at, "iInN");
    if (*at == '.')
        none = term_and(none, term_not(is_digit(untaken_memory_byte(at + 1), 10)));
    return none;
}

term fraction_shape(const struct fraction *fraction) {
    term shape = term_true(), first = untaken_memory_byte(fraction->sign);
    for (const char *at = fraction->text; at < fraction->sign; at++)
        shape = term_and(shape, character_in_class(CLASS_SPACE, untaken_memory_byte(at)));
    for (const char *at = fraction->sign; at < fraction->end; at++)
        shape = term_and(shape, same_kind(untaken_memory_byte(at)));
    if (fraction->end == fraction->sign)
        shape = term_and(shape, term_not(term_or(is_sign(first), character_in_class(CLASS_SPACE, first))));
    return term_and(shape, fraction->any ? ends_here(fraction) : is_none(fraction));
}

bool fraction_decide(const struct fraction *fraction) {
    const char *text = fraction->text, *end = fraction->end;
    if (!untaken_memory_symbolic(text, (uint64_t)(end - text) + strnlen(end, 2) + 1))
        return false;
    struct number_source source = number_source_of_string(end);
    fraction_decide_more(fraction, &source);
    untaken_decide(UNTAKEN_LIBRARY, fraction_shape(fraction), 0);
    return true;
}

/* ---- Values ---- */

static term less(term a, uint64_t value) { return term_binary(UNTAKEN_OP_SUB, a, term_constant(a.width, value)); }

/* The value of a digit; letters are such in both cases. */
static term digit_term(const char *at, unsigned base, uint8_t width) {
    term character = untaken_memory_byte(at), digit = less(character, '0');
    if (base > 10) {
        term letter = term_binary(UNTAKEN_OP_AND, character, term_constant(8, 0xdf));
        digit = term_ite(term_between(character, '0', '9'), digit, less(letter, 'A' - 10));
    }
    return width > 8 ? term_extend(UNTAKEN_OP_ZEXT, digit, width) : digit;
}

/* The largest number with such digits; UINT64_MAX if that might overflow. */
static uint64_t largest(const struct number *number) {
    uint64_t value = 0;
    for (const char *at = number->digits; at < number->end; at++) {
        unsigned digit = untaken_memory_symbolic(at, 1) ? number->base - 1 : digit_value((unsigned char)*at);
        if (__builtin_mul_overflow(value, number->base, &value) || __builtin_add_overflow(value, digit, &value) ||
            value > INT64_MAX)
            return UINT64_MAX;
    }
    return value;
}

/* Computed with no more bits than the largest value needs: a solver has less to do. */
static term number_value(const struct number *number, uint64_t most) {
    uint8_t width = most < 256 ? 8 : (uint8_t)(64 - __builtin_clzll(most));
    term value = term_constant(width, 0);
    for (const char *at = number->digits; at < number->end; at++) {
        value = term_binary(UNTAKEN_OP_MUL, value, term_constant(width, number->base));
        value = term_binary(UNTAKEN_OP_ADD, value, digit_term(at, number->base, width));
    }
    note_read_number(number, value);
    value = term_to_64(value);
    return number->negative ? term_binary(UNTAKEN_OP_SUB, term_constant(64, 0), value) : value;
}

static void pin_digits(const struct number *number) {
    for (const char *at = number->digits; at < number->end; at++)
        untaken_pin_term(untaken_memory_byte(at));
    untaken_count_concretised(UNTAKEN_BY_OTHER);
}

bool number_symbolic(const struct number *number) {
    return untaken_memory_symbolic(number->text, (uint64_t)(number->end - number->text) + 1);
}

term number_term(const struct number *number, uint64_t concrete) {
    uint64_t most = largest(number);
    if (most != UINT64_MAX)
        return number_value(number, most);
    pin_digits(number);
    return term_constant(64, concrete);
}
