/* The steps of scanf, once more over text with labels; see libc/stdio/scanf.h. */
#define _GNU_SOURCE
#include "libc/numbers/digits.h"
#include "libc/stdio/scanf.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define LONG_WORD 4u

/* ---- The text ---- */

static term byte_at(const struct scanned *scanned, uint64_t at) { return untaken_memory_byte(scanned->text + at); }

static unsigned char value_at(const struct scanned *scanned, uint64_t at) {
    return at < scanned->length ? (unsigned char)scanned->text[at] : 0;
}

/* Whether the text ends before the place `at`; notes that scanf has looked so far. */
static bool is_over(struct scanned *scanned, uint64_t at) {
    if (at >= scanned->asked)
        scanned->asked = at + 1;
    return at >= scanned->length;
}

/* The same as one bit, for all inputs: the text ends before the place `at`. */
static term over(const struct scanned *scanned, uint64_t at) {
    if (scanned->stream)
        return term_not(stream_has(scanned->stream, scanned->position + at));
    return term_equals(byte_at(scanned, at), 0);
}

static term space_at(const struct scanned *scanned, uint64_t at) {
    return character_in_class(CLASS_SPACE, byte_at(scanned, at));
}

static void require(struct scanned *scanned, term condition) { scanned->shape = term_and(scanned->shape, condition); }

/* What was taken is there. In a string the characters themselves mostly say that. */
static void require_taken(struct scanned *scanned, uint64_t start) {
    if (scanned->stream && scanned->at > start)
        require(scanned, stream_has(scanned->stream, scanned->position + scanned->at - 1));
}

/* Each step makes as many decisions, to the same effect, for all text that it can take: a search finds a decision
 * again by its number. First whether something more fits, and then this: the shape of what was taken, with the
 * blanks before. */
static void decide_shape(struct scanned *scanned) {
    untaken_decide(UNTAKEN_LIBRARY, scanned->shape, 0);
    scanned->shape = term_true();
    scanned->spaced = false;
}

static void skip_spaces(struct scanned *scanned) {
    uint64_t start = scanned->at;
    for (; isspace(value_at(scanned, scanned->at)); scanned->at++)
        require(scanned, space_at(scanned, scanned->at));
    require_taken(scanned, start);
    scanned->spaced = true;
}

/* Blanks were skipped, and what is here is none: mostly, what is taken says so itself. */
static void end_spaces(struct scanned *scanned) {
    if (scanned->spaced)
        require(scanned, term_not(space_at(scanned, scanned->at)));
}

/* Nothing that fits is here: whether that is since the text is over decides what scanf returns. */
static bool fails(struct scanned *scanned) {
    end_spaces(scanned);
    decide_shape(scanned);
    scanned->lacks = is_over(scanned, scanned->at);
    untaken_decide(UNTAKEN_LIBRARY, over(scanned, scanned->at), 0);
    return false;
}

static bool take_literal(struct scanned *scanned, char character) {
    term same = term_equals(byte_at(scanned, scanned->at), (uint8_t)character);
    if (is_over(scanned, scanned->at) || scanned->text[scanned->at] != character) {
        untaken_decide(UNTAKEN_LIBRARY, same, 0);
        return fails(scanned);
    }
    require(scanned, same);
    scanned->at++;
    require_taken(scanned, scanned->at - 1);
    decide_shape(scanned);
    return true;
}

/* ---- Numbers ---- */

static int base_of(char kind) {
    switch (kind) {
    case 'd': case 'u': return 10;
    case 'i': return 0;
    case 'o': return 8;
    case 'x': case 'X': return 16;
    default: return -1;
    }
}

static uint64_t stored_value(const void *from, size_t size) {
    uint64_t value = 0;
    memcpy(&value, from, size);
    return value;
}

static void store_number(const struct conversion *conversion, void *to, term value) {
    uint8_t width = (uint8_t)(8 * conversion->size);
    term stored = term_extract(value, 0, width);
    if (stored.value == stored_value(to, conversion->size))
        untaken_memory_store(to, (uint32_t)conversion->size, stored.label);
}

static term later_byte(const void *context, uint64_t index) {
    const struct scanned *scanned = context;
    return stream_byte(scanned->stream, scanned->position + scanned->at + index);
}

static term later_there(const void *context, uint64_t index) {
    const struct scanned *scanned = context;
    return stream_has(scanned->stream, scanned->position + scanned->at + index);
}

/* The text behind what the conversions so far have taken. */
static struct number_source what_follows(const struct scanned *scanned) {
    if (!scanned->stream)
        return number_source_of_string(scanned->text + scanned->at);
    uint64_t at = scanned->position + scanned->at, capacity = scanned->stream->capacity;
    return (struct number_source){later_byte, later_there, scanned, at < capacity ? capacity - at : 0};
}

static bool take_integer(struct scanned *scanned, const struct conversion *conversion, void *to) {
    skip_spaces(scanned);
    uint64_t start = scanned->at;
    const char *first = scanned->text + start;
    bool limited = conversion->width && conversion->width <= scanned->length - start;
    struct number number = {.text = first, .limit = limited ? first + conversion->width : NULL};
    number_read(&number, base_of(conversion->kind));
    scanned->at = (uint64_t)(number.end - scanned->text);
    if (!limited)
        (void)is_over(scanned, scanned->at);
    struct number_source source = what_follows(scanned);
    number_decide_more(&number, &source);
    require(scanned, number_shape(&number));
    require_taken(scanned, start);
    if (number.digits == number.end && number.end == number.sign)
        return fails(scanned);
    decide_shape(scanned);
    if (number.digits == number.end && !number.prefixed) /* "0x" alone is a zero here */
        return false;
    term value = number_term(&number, to ? stored_value(to, conversion->size) : 0);
    if (to)
        store_number(conversion, to, value);
    return true;
}

/* Of a long double the value is concrete; how far the text goes is not. */
static void store_fraction(struct scanned *scanned, const struct fraction *fraction, size_t size, void *to) {
    term value;
    if (size > sizeof(double) || !fraction_term(fraction, (uint8_t)(8 * size), &value))
        scanned->untracked |= untaken_memory_symbolic(fraction->text, (uint64_t)(fraction->end - fraction->text) + 1);
    else if (to && value.value == stored_value(to, size))
        untaken_memory_store(to, (uint32_t)size, value.label);
}

static bool take_fraction(struct scanned *scanned, const struct conversion *conversion, void *to) {
    skip_spaces(scanned);
    char *end;
    uint64_t start = scanned->at;
    struct fraction fraction = {.text = scanned->text + start};
    (void)strtod(fraction.text, &end);
    fraction_read(&fraction, end);
    scanned->at = (uint64_t)(fraction.end - scanned->text);
    (void)is_over(scanned, scanned->at);
    struct number_source source = what_follows(scanned);
    fraction_decide_more(&fraction, &source);
    require(scanned, fraction_shape(&fraction));
    if (!fraction.any && *fraction.end == '.') { /* taken, though it makes no number */
        require(scanned, term_equals(byte_at(scanned, scanned->at), '.'));
        scanned->at++;
    }
    require_taken(scanned, start);
    if (scanned->at == start)
        return fails(scanned);
    decide_shape(scanned);
    if (fraction.any)
        store_fraction(scanned, &fraction, conversion->size, to);
    return fraction.any;
}

/* ---- Characters ---- */

/* Whether %s or %[ takes such a character. */
static bool fits(const struct conversion *conversion, unsigned char character) {
    return conversion->kind == '[' ? conversion->set[character] : !isspace(character);
}

static term fits_byte(const struct conversion *conversion, term character) {
    if (conversion->kind == '[')
        return character_in_set(conversion->set, character);
    return term_not(character_in_class(CLASS_SPACE, character));
}

static term fits_term(const struct conversion *conversion, const struct scanned *scanned, uint64_t at) {
    return fits_byte(conversion, byte_at(scanned, at));
}

/* A character was taken, whatever it is. */
static void require_some(struct scanned *scanned, uint64_t at) {
    if (!scanned->stream)
        require(scanned, term_not(over(scanned, at)));
}

/* Several more characters at once: a flipped decision changes as little as it can, and words are compared as a
 * whole. */
static void decide_long(const struct conversion *conversion, const struct scanned *scanned, uint64_t start,
                        uint64_t limit) {
    struct number_source source = what_follows(scanned);
    uint64_t length = scanned->at - start, more = length < LONG_WORD ? LONG_WORD - length : 0;
    more = more < source.room ? more : source.room;
    more = more < limit - scanned->at ? more : limit - scanned->at;
    if (more < 2)
        return;
    term all = source.there(source.context, more - 1);
    for (uint64_t at = scanned->at; at < scanned->at + more; at++) {
        term fitting = fits_byte(conversion, source.byte(source.context, at - scanned->at));
        all = term_and(all, scanned->stream ? fitting : term_and(fitting, term_not(over(scanned, at))));
    }
    untaken_decide(UNTAKEN_LIBRARY, all, 0);
}

/* What was taken from there on is a token, if it is anything. */
static bool ends_token(struct scanned *scanned, uint64_t start) {
    require_taken(scanned, start);
    scanned->token = start;
    if (scanned->at == start)
        return fails(scanned);
    decide_shape(scanned);
    return true;
}

static bool take_string(struct scanned *scanned, const struct conversion *conversion) {
    if (conversion->kind == 's')
        skip_spaces(scanned);
    else
        end_spaces(scanned);
    uint64_t start = scanned->at, stop = start, limit = conversion->width ? start + conversion->width : UINT64_MAX;
    while (stop < limit && !is_over(scanned, stop) && fits(conversion, value_at(scanned, stop)))
        stop++;
    scanned->at = stop;
    decide_long(conversion, scanned, start, limit);
    if (stop < limit) {
        term more = term_not(over(scanned, stop));
        untaken_decide(UNTAKEN_LIBRARY, term_and(fits_term(conversion, scanned, stop), more), 0);
    }
    for (uint64_t at = start; at < stop; at++) {
        require(scanned, fits_term(conversion, scanned, at));
        require_some(scanned, at);
    }
    return ends_token(scanned, start);
}

static bool take_characters(struct scanned *scanned, const struct conversion *conversion) {
    uint64_t start = scanned->at, stop = start + (conversion->width ? conversion->width : 1);
    end_spaces(scanned);
    if (is_over(scanned, stop - 1)) {
        stop = scanned->length;
        untaken_decide(UNTAKEN_LIBRARY, term_not(over(scanned, stop)), 0);
    }
    for (; scanned->at < stop; scanned->at++)
        require_some(scanned, scanned->at);
    return ends_token(scanned, start);
}

/* Labels the characters that were taken last, where the program has them now. */
static void store_characters(const struct scanned *scanned, const struct conversion *conversion, char *to) {
    uint64_t count = scanned->at - scanned->token;
    bool ended = conversion->kind != 'c';
    if (conversion->allocates) {
        to = *(char **)to;
        block_added(to, count + ended);
    }
    untaken_memory_copy(to, scanned->text + scanned->token, count);
    if (ended)
        untaken_memory_clear(to + count, 1);
}

/* ---- All of it ---- */

static bool is_text(const struct conversion *conversion) { return strchr("cs[", conversion->kind) != NULL; }
static bool is_integer(const struct conversion *conversion) { return strchr("diouxX", conversion->kind) != NULL; }

static bool is_known(const struct conversion *conversion) {
    if (conversion->kind == 0)
        return false;
    if (is_text(conversion))
        return !conversion->wide;
    return is_integer(conversion) || strchr("%n", conversion->kind) ||
           (strchr("aAeEfFgG", conversion->kind) && conversion->width == 0);
}

/* `to` is null if nothing is stored. */
static bool take(struct scanned *scanned, const struct conversion *conversion, void *to) {
    if (is_integer(conversion))
        return take_integer(scanned, conversion, to);
    if (!is_text(conversion))
        return take_fraction(scanned, conversion, to);
    bool taken = conversion->kind == 'c' ? take_characters(scanned, conversion) : take_string(scanned, conversion);
    if (taken && to)
        store_characters(scanned, conversion, to);
    return taken;
}

static bool take_percent(struct scanned *scanned) {
    skip_spaces(scanned);
    return take_literal(scanned, '%');
}

/* One conversion; how many more values there are, or SCANNED_UNKNOWN, or SCANNED_OVER. */
static int convert(struct scanned *scanned, const struct conversion *conversion, va_list *arguments) {
    if (!is_known(conversion))
        return SCANNED_UNKNOWN;
    if (conversion->kind == '%')
        return take_percent(scanned) ? 0 : SCANNED_OVER;
    void *to = conversion->suppressed ? NULL : va_arg(*arguments, void *);
    if (conversion->kind == 'n')
        return 0;
    return take(scanned, conversion, to) ? to != NULL : SCANNED_OVER;
}

/* One character of the format that is no conversion. */
static bool take_plain(struct scanned *scanned, char character) {
    if (!isspace((unsigned char)character))
        return take_literal(scanned, character);
    skip_spaces(scanned);
    (void)is_over(scanned, scanned->at);
    return true;
}

/* ---- What would have fitted ---- */

#define MOST_DIGITS 4u

/* Text in the making. */
struct draft {
    char text[UNTAKEN_WORD_SIZE + 1];
    size_t size;
};

static void add(struct draft *draft, char character, uint64_t times) {
    for (; times > 0 && draft->size < UNTAKEN_WORD_SIZE; times--)
        draft->text[draft->size++] = character;
}

static char fitting(const struct conversion *conversion) {
    int character = 'a';
    for (; conversion->kind == '[' && !conversion->set[character & 255] && character < 'a' + 256; character++)
        ;
    return (char)character;
}

/* Something that a conversion takes; blanks keep numbers and words apart. */
static void add_value(struct draft *draft, const struct conversion *conversion) {
    bool is_number = !is_text(conversion);
    if (conversion->kind == '%') {
        add(draft, '%', 1);
    } else if (conversion->kind != 'n') {
        char last = draft->size > 0 ? draft->text[draft->size - 1] : ' ';
        if ((is_number || conversion->kind == 's') && isalnum((unsigned char)last))
            add(draft, ' ', 1);
        uint64_t digits = conversion->width < MOST_DIGITS ? conversion->width : MOST_DIGITS;
        add(draft, is_number ? '1' : fitting(conversion), is_number && digits > 0 ? digits : 1);
    }
}

/* The text stopped fitting at a part of the format: what fits that and all the rest. */
static void note_rest(const struct scanned *scanned, const char *format) {
    struct draft draft = {.size = 0};
    struct conversion conversion;
    if (scanned->at > 0 && isalnum(value_at(scanned, scanned->at - 1)))
        add(&draft, value_at(scanned, scanned->at - 1), 1);
    size_t given = draft.size;
    while (*format && draft.size < UNTAKEN_WORD_SIZE) {
        if (*format == '%') {
            format = conversion_read(format + 1, &conversion);
            add_value(&draft, &conversion);
        } else {
            add(&draft, isspace((unsigned char)*format) ? ' ' : *format, 1);
            format++;
        }
    }
    draft.text[draft.size] = '\0';
    note_wanted_text(scanned->text + scanned->at, draft.text + given, false);
    if (!scanned->stream)
        note_wanted_text(scanned->text + scanned->at, draft.text + given, true);
}

int scanned_follow(struct scanned *scanned, const char *format, va_list *arguments) {
    struct conversion conversion;
    int values = 0, more = 0;
    const char *part = format;
    while (*format && more >= 0) {
        part = format;
        if (*format == '%') {
            format = conversion_read(format + 1, &conversion);
            more = convert(scanned, &conversion, arguments);
        } else {
            more = take_plain(scanned, *format++) ? 0 : SCANNED_OVER;
        }
        values += more > 0;
    }
    if (more == SCANNED_UNKNOWN)
        return SCANNED_UNKNOWN;
    if (more == SCANNED_OVER)
        note_rest(scanned, part);
    end_spaces(scanned);
    decide_shape(scanned);
    return values == 0 && scanned->lacks ? EOF : values;
}
