/* Follows what printf makes of its arguments: characters and strings keep their labels, and of integers each digit
 * is an expression. How many bytes each takes is decided, so that all else stays where it is. */
#define _GNU_SOURCE
#include "libc/stdio/printf.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#define LONGEST_PIECE 128u /* of a number, with its padding */
#define LONGEST_DIRECTIVE 40u
/* Some of so many arguments that nobody passed is no address. */
#define WRITES_THROUGH_ANYTHING "%n%n%n%n%n%n%n%n"

/* How a va_list is laid out (System V, x86-64): where an argument is, its label is. */
struct list {
    uint32_t general_offset, floating_offset;
    uint8_t *stack;
    uint8_t *registers;
};
#define GENERAL_END 48u
#define FLOATING_END 176u

struct directive {
    char text[LONGEST_DIRECTIVE]; /* with numbers in the place of stars */
    size_t size;
    bool left, zeros, unusual;
    int width, precision; /* -1: none */
    unsigned bits;        /* of an integer */
    bool long_double;
    char kind;
};

/* ---- Arguments ---- */

static const void *next_general(struct list *list) {
    uint8_t *place = list->general_offset < GENERAL_END ? list->registers + list->general_offset : list->stack;
    if (list->general_offset < GENERAL_END)
        list->general_offset += 8;
    else
        list->stack += 8;
    return place;
}

static const void *next_double(struct list *list) {
    const uint8_t *place = list->stack;
    if (list->floating_offset < FLOATING_END) {
        place = list->registers + list->floating_offset;
        list->floating_offset += 16;
    } else {
        list->stack += 8;
    }
    return place;
}

static const void *next_long_double(struct list *list) {
    list->stack = (uint8_t *)(((uintptr_t)list->stack + 15) & ~(uintptr_t)15);
    const void *place = list->stack;
    list->stack += 16;
    return place;
}

/* A number that decides how much is written. */
static int next_size(struct list *list) {
    term value = untaken_memory_load(next_general(list), 4);
    untaken_pin_term(value);
    return (int)value.value;
}

/* ---- Directives ---- */

static void append(struct directive *directive, const char *text) {
    for (; *text; text++) {
        directive->unusual |= directive->size == LONGEST_DIRECTIVE - 1;
        if (!directive->unusual)
            directive->text[directive->size++] = *text;
    }
}

static void append_number(struct directive *directive, int number) {
    char digits[16];
    snprintf(digits, sizeof digits, "%d", number);
    append(directive, digits);
}

static const char *read_number(const char *at, int *number, struct list *list) {
    if (*at == '*') {
        *number = next_size(list);
        return at + 1;
    }
    for (*number = 0; *at >= '0' && *at <= '9'; at++)
        *number = *number < 100000 ? *number * 10 + (*at - '0') : *number;
    return at;
}

static const char *read_flags(const char *at, struct directive *directive) {
    for (; *at && strchr("-0+ #'I", *at); at++) {
        directive->left |= *at == '-';
        directive->zeros |= *at == '0';
        directive->unusual |= *at == '\'' || *at == 'I';
        append(directive, (char[]){*at, 0});
    }
    return at;
}

static const char *read_modifiers(const char *at, struct directive *directive) {
    directive->bits = 32;
    for (; *at && strchr("hlLqjzt", *at); at++) {
        directive->bits = *at != 'h' ? 64 : directive->bits == 16 ? 8 : 16;
        directive->long_double |= *at == 'L';
        append(directive, (char[]){*at, 0});
    }
    return at;
}

static const char *read_directive(const char *at, struct directive *directive, struct list *list) {
    *directive = (struct directive){.width = -1, .precision = -1};
    append(directive, "%");
    at = read_flags(at, directive);
    if (*at == '*' || (*at >= '1' && *at <= '9')) {
        at = read_number(at, &directive->width, list);
        append_number(directive, directive->width); /* a negative one is a flag and a number, as printf has it */
        directive->left |= directive->width < 0;
        directive->width = directive->width < 0 ? -directive->width : directive->width;
    }
    if (*at == '.') {
        at = read_number(at + 1, &directive->precision, list);
        if (directive->precision >= 0) {
            append(directive, ".");
            append_number(directive, directive->precision);
        }
    }
    at = read_modifiers(at, directive);
    bool is_wide = *at == 'S' || *at == 'C'; /* as %ls and %lc */
    directive->bits = is_wide ? 64 : directive->bits;
    directive->kind = is_wide ? (char)tolower(*at) : *at;
    append(directive, (char[]){*at, 0});
    directive->unusual |= *at == 0;
    return *at ? at + 1 : at;
}

/* ---- Pieces of the text ---- */

static void put(struct untaken_text *text, untaken_label label) {
    text->lost |= text->length >= UNTAKEN_LONGEST_TEXT;
    if (!text->lost)
        text->labels[text->length++] = label;
}

static void put_plain(struct untaken_text *text, int length) {
    for (text->lost |= length < 0; length > 0 && !text->lost; length--)
        put(text, 0);
}

static void put_padded(struct untaken_text *text, const struct directive *directive, uint64_t length,
                       const char *string) {
    uint64_t width = directive->width < 0 ? 0 : (uint64_t)directive->width;
    int padding = width > length ? (int)(width - length) : 0;
    put_plain(text, directive->left ? 0 : padding);
    for (uint64_t index = 0; index < length && !text->lost; index++)
        put(text, untaken_memory_byte(string + index).label);
    put_plain(text, directive->left ? padding : 0);
}

/* Of a text of wide characters, with its end if that is looked at. */
static uint64_t wide_length(const struct directive *directive, uint64_t string) {
    uint64_t limit = directive->precision < 0 ? UNTAKEN_LONGEST_TEXT : (uint64_t)directive->precision;
    uint64_t length = wcsnlen((const wchar_t *)(uintptr_t)string, limit);
    return length < limit ? length + 1 : length;
}

static void put_string(struct untaken_text *text, const struct directive *directive, const void *place) {
    term pointer = untaken_memory_load(place, 8);
    const char *string = (const char *)(uintptr_t)pointer.value;
    untaken_pin_term(pointer);
    if (!string || directive->bits == 64) {
        text->lost |= directive->bits == 64;
        text->symbolic |= string && untaken_memory_symbolic(string, 4 * wide_length(directive, pointer.value));
        put_plain(text, snprintf(NULL, 0, directive->text, string));
        return;
    }
    uint64_t limit = directive->precision < 0 ? PTRDIFF_MAX : (uint64_t)directive->precision;
    uint64_t length = strnlen(string, limit);
    text->symbolic |= untaken_memory_symbolic(string, length < limit ? length + 1 : length);
    string_decide_length_within(string, length, limit);
    put_padded(text, directive, length, string);
}

static void put_character(struct untaken_text *text, const struct directive *directive, const void *place) {
    text->symbolic |= untaken_memory_byte(place).label != 0;
    text->lost |= directive->bits == 64;
    put_padded(text, directive, 1, place);
}

/* ---- Integers ---- */

/* A power of the base; 0 if it does not fit. */
static uint64_t power(unsigned base, unsigned exponent) {
    uint64_t result = 1;
    for (; exponent > 0; exponent--)
        if (__builtin_mul_overflow(result, base, &result))
            return 0;
    return result;
}

/* The number has so many digits, or, with zeros in front, not more. */
static void decide_digits(term number, unsigned base, unsigned count, bool zeros) {
    uint64_t above = power(base, count), least = zeros || count == 1 ? 0 : power(base, count - 1);
    uint64_t most = UINT64_MAX >> (64 - number.width);
    if (above != 0 && above - 1 < most)
        most = above - 1;
    untaken_decide(UNTAKEN_LIBRARY, term_between(number, least, most), 0);
}

static term digit_of(term number, unsigned base, unsigned place, char ten) {
    uint64_t unit = power(base, place);
    if (unit == 0 || unit > UINT64_MAX >> (64 - number.width))
        return term_constant(8, '0');
    term digit = term_binary(UNTAKEN_OP_UDIV, number, term_constant(number.width, unit));
    digit = term_extract(term_binary(UNTAKEN_OP_UREM, digit, term_constant(number.width, base)), 0, 8);
    term decimal = term_binary(UNTAKEN_OP_ADD, digit, term_constant(8, '0'));
    if (base <= 10)
        return decimal;
    term letter = term_binary(UNTAKEN_OP_ADD, digit, term_constant(8, (uint8_t)(ten - 10)));
    return term_ite(term_binary(UNTAKEN_OP_ULT, digit, term_constant(8, 10)), decimal, letter);
}

static term without_sign(term number, bool is_signed) {
    term zero = term_constant(number.width, 0);
    if (!is_signed)
        return number;
    term negative = term_binary(UNTAKEN_OP_SLT, number, zero);
    untaken_decide(UNTAKEN_LIBRARY, negative, 0);
    return negative.value ? term_binary(UNTAKEN_OP_SUB, zero, number) : number;
}

/* Where the digits are in what printf made of the number alone. */
static void put_digits(struct untaken_text *text, const struct directive *directive, term number, const char *piece) {
    unsigned base = directive->kind == 'o' ? 8 : directive->kind == 'x' || directive->kind == 'X' ? 16 : 10;
    unsigned first = (unsigned)strspn(piece, " +-"), count = (unsigned)strcspn(piece + first, " ");
    bool zeros = directive->zeros && !directive->left && first + count == (unsigned)directive->width;
    number = without_sign(number, directive->kind == 'd' || directive->kind == 'i');
    decide_digits(number, base, count, zeros);
    put_plain(text, (int)first);
    for (unsigned place = count; place-- > 0;)
        put(text, digit_of(number, base, place, directive->kind == 'X' ? 'A' : 'a').label);
    put_plain(text, (int)strlen(piece + first + count));
}

static void put_integer(struct untaken_text *text, const struct directive *directive, const void *place) {
    char piece[LONGEST_PIECE];
    uint64_t value = 0;
    memcpy(&value, place, 8);
    int length = snprintf(piece, sizeof piece, directive->text, value);
    term number = untaken_memory_load(place, directive->bits / 8);
    if (number.label == 0) {
        put_plain(text, length);
        return;
    }
    text->symbolic = true;
    text->lost |= length < 0 || length >= (int)sizeof piece || directive->precision >= 0 ||
                  strchr(directive->text, '#') != NULL;
    if (!text->lost)
        put_digits(text, directive, number, piece);
}

/* ---- What has digits that no expression speaks of ---- */

/* How long it is may depend on the input, too: where all else stands is right for this input only. */
static void put_concrete(struct untaken_text *text, const void *place, size_t size, int length) {
    text->unfollowed |= untaken_memory_symbolic(place, size);
    put_plain(text, length);
}

static void put_double(struct untaken_text *text, const struct directive *directive, const void *place) {
    double value;
    memcpy(&value, place, sizeof value);
    put_concrete(text, place, sizeof value, snprintf(NULL, 0, directive->text, value));
}

static void put_long_double(struct untaken_text *text, const struct directive *directive, const void *place) {
    long double value;
    memcpy(&value, place, sizeof value);
    put_concrete(text, place, 10, snprintf(NULL, 0, directive->text, value)); /* the other bytes are nothing */
}

static void put_pointer(struct untaken_text *text, const struct directive *directive, const void *place) {
    void *value;
    memcpy(&value, place, sizeof value);
    put_concrete(text, place, sizeof value, snprintf(NULL, 0, directive->text, value));
}

/* ---- The whole ---- */

static void put_directive(struct untaken_text *text, const struct directive *directive, struct list *list) {
    switch (directive->kind) {
    case 'd': case 'i': case 'u': case 'x': case 'X': case 'o':
        put_integer(text, directive, next_general(list));
        break;
    case 's':
        put_string(text, directive, next_general(list));
        break;
    case 'c':
        put_character(text, directive, next_general(list));
        break;
    case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
        if (directive->long_double)
            put_long_double(text, directive, next_long_double(list));
        else
            put_double(text, directive, next_double(list));
        break;
    case 'p':
        put_pointer(text, directive, next_general(list));
        break;
    case '%':
        put(text, 0);
        break;
    case 'm':
        put_concrete(text, &errno, sizeof errno, snprintf(NULL, 0, directive->text, 0));
        break;
    default: /* %n, and what is none */
        text->lost = true;
    }
}

/* A format that is input asks for arguments that are not there, in some inputs. */
static bool is_input(const char *format) {
    if (!untaken_memory_symbolic(format, strlen(format) + 1))
        return false;
    note_wanted_text(format, WRITES_THROUGH_ANYTHING, true);
    return true;
}

void __untaken_format(const char *format, const char *name) {
    if (!runtime_begin())
        return;
    if (is_input(format))
        untaken_count_external(name);
    runtime_leave();
}

void untaken_follow_format(struct untaken_text *text, const char *format, va_list arguments) {
    text->recorded = runtime_begin();
    text->lost = text->symbolic = text->unfollowed = false;
    text->length = 0;
    if (!text->recorded)
        return;
    struct list list;
    memcpy(&list, arguments, sizeof list);
    text->lost = text->symbolic = is_input(format);
    while (*format && !text->lost) {
        if (*format != '%') {
            put(text, 0);
            format++;
            continue;
        }
        struct directive directive;
        format = read_directive(format + 1, &directive, &list);
        text->lost |= directive.unusual;
        if (!text->lost)
            put_directive(text, &directive, &list);
    }
    runtime_leave();
}

void untaken_text_written(struct untaken_text *text, const char *function, char *to, size_t room, int result) {
    if (!text->recorded || result < 0 || !runtime_enter())
        return;
    size_t size = (size_t)result + 1 < room ? (size_t)result + 1 : room;
    untaken_memory_clear(to, size);
    bool lost = text->lost || text->length != (uint64_t)result;
    if (text->unfollowed || (lost && text->symbolic))
        untaken_count_external(function);
    if (!lost) {
        for (size_t index = 0; index + 1 < size; index++)
            if (text->labels[index])
                untaken_memory_store(to + index, 1, text->labels[index]);
    }
    runtime_leave();
}
