/* A model of fnmatch: whether a string matches is one expression, for strings of the length at hand.
 *
 * The pattern is the program's own, without labels. Which characters a bracket expression stands for, the real function
 * is asked. */
#define _GNU_SOURCE
#include "libc/model.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 64u /* characters of the string, and of the pattern */
#define FOLLOWED_FLAGS (FNM_NOESCAPE | FNM_PATHNAME | FNM_PERIOD | FNM_CASEFOLD)

/* One place in a pattern, and how many characters of it are there. */
struct element {
    enum { LITERAL, ANY, BRACKET, STAR } kind;
    unsigned size;
    unsigned char literal;
    bool members[256];
};

struct match {
    const char *string;
    uint64_t length;
    int flags;
    struct element elements[LONGEST];
    unsigned count;
};

/* ---- Patterns ---- */

/* How many characters a bracket expression has, 0 if it does not end. */
static unsigned bracket_size(const char *pattern, int flags) {
    const char *at = pattern + 1;
    at += *at == '!' || *at == '^';
    at += *at == ']';
    for (; *at && *at != ']'; at++) {
        if (*at == '[' && at[1] && strchr(":=.", at[1])) {
            const char *end = strstr(at + 2, (char[]){at[1], ']', 0});
            at = end ? end + 1 : at;
        } else if (*at == '\\' && !(flags & FNM_NOESCAPE) && at[1]) {
            at++;
        }
    }
    return *at == ']' ? (unsigned)(at - pattern) + 1 : 0;
}

static void read_bracket(struct element *element, const char *pattern, int flags) {
    char alone[LONGEST + 1] = "";
    memcpy(alone, pattern, element->size);
    for (unsigned each = 1; each < 256; each++) {
        char string[2] = {(char)each, 0};
        element->members[each] = fnmatch(alone, string, flags & ~FNM_PERIOD) == 0;
    }
}

static void read_element(struct element *element, const char *pattern, int flags) {
    *element = (struct element){LITERAL, 1, (unsigned char)*pattern, {false}};
    if (*pattern == '*') {
        element->kind = STAR;
    } else if (*pattern == '?') {
        element->kind = ANY;
    } else if (*pattern == '[' && bracket_size(pattern, flags)) {
        element->kind = BRACKET;
        element->size = bracket_size(pattern, flags);
        read_bracket(element, pattern, flags);
    } else if (*pattern == '\\' && !(flags & FNM_NOESCAPE) && pattern[1]) {
        element->size = 2;
        element->literal = (unsigned char)pattern[1];
    }
}

static void read_pattern(struct match *match, const char *pattern) {
    for (match->count = 0; *pattern; pattern += match->elements[match->count++].size)
        read_element(&match->elements[match->count], pattern, match->flags);
}

/* ---- Strings ---- */

/* A period at the beginning, or behind a slash if these count, is matched by itself alone. */
static term may_be_hidden(const struct match *match, uint64_t index) {
    if (!(match->flags & FNM_PERIOD))
        return term_false();
    term first = index == 0 ? term_true() : term_false();
    if (index > 0 && match->flags & FNM_PATHNAME)
        first = term_equals(untaken_memory_byte(match->string + index - 1), '/');
    return term_and(first, term_equals(untaken_memory_byte(match->string + index), '.'));
}

static term takes_any(const struct match *match, uint64_t index) {
    term slash = match->flags & FNM_PATHNAME ? term_equals(untaken_memory_byte(match->string + index), '/') : term_false();
    return term_not(term_or(slash, may_be_hidden(match, index)));
}

static term literal_takes(const struct match *match, unsigned char literal, term character) {
    if (match->flags & FNM_CASEFOLD)
        return term_binary(UNTAKEN_OP_EQ, character_lower(character), character_lower(term_constant(8, literal)));
    return term_equals(character, literal);
}

/* Whether an element that is no star matches a character. */
static term takes(const struct match *match, const struct element *element, uint64_t index) {
    term character = untaken_memory_byte(match->string + index);
    switch (element->kind) {
    case LITERAL: return literal_takes(match, element->literal, character);
    case BRACKET: return term_and(character_in_set(element->members, character), takes_any(match, index));
    default: return takes_any(match, index);
    }
}

/* A star before a period that is matched by itself alone does not even stand for nothing. */
static term star_takes(const struct match *match, uint64_t index, const term *rest) {
    term some = term_and(takes_any(match, index), rest[index + 1]);
    return term_and(term_not(may_be_hidden(match, index)), term_or(rest[index], some));
}

/* From the end: what of the string matches the rest of the pattern. */
static term whole_match(const struct match *match) {
    term rest[LONGEST + 1];
    for (uint64_t index = 0; index <= match->length; index++)
        rest[index] = index == match->length ? term_true() : term_false();
    for (unsigned place = match->count; place-- > 0;) {
        const struct element *element = &match->elements[place];
        if (element->kind == STAR) {
            for (uint64_t index = match->length; index-- > 0;)
                rest[index] = star_takes(match, index, rest);
        } else {
            for (uint64_t index = 0; index < match->length; index++)
                rest[index] = term_and(takes(match, element, index), rest[index + 1]);
            rest[match->length] = term_false();
        }
    }
    return rest[0];
}

static bool is_followed(const char *pattern, const char *string, int flags) {
    uint64_t length = strnlen(string, LONGEST), size = strnlen(pattern, LONGEST);
    bool plain = size < LONGEST && length < LONGEST && !(flags & ~FOLLOWED_FLAGS);
    for (uint64_t index = 0; index < size; index++)
        plain &= (unsigned char)pattern[index] < 0x80;
    bool ends_escaping = size > 0 && pattern[size - 1] == '\\';
    return plain && !ends_escaping && !untaken_memory_symbolic(pattern, size + 1);
}

/* Where characters may have several bytes, those of the string are pinned to those of one. */
static bool has_plain_characters(const char *string, uint64_t length) {
    term plain = term_true();
    for (uint64_t index = 0; MB_CUR_MAX > 1 && index < length; index++)
        plain = term_and(plain, term_between(untaken_memory_byte(string + index), 0, 0x7f));
    if (plain.label)
        untaken_decide(UNTAKEN_PIN, plain, 0);
    return plain.value != 0;
}

static void record_match(void *self, const char *pattern, const char *string, int flags, int result) {
    struct match match = {.string = string, .flags = flags};
    term known = term_constant(32, (uint32_t)result);
    bool followed = false;
    if (is_followed(pattern, string, flags)) {
        match.length = strlen(string);
        string_decide_length(string, match.length);
        if (has_plain_characters(string, match.length)) {
            read_pattern(&match, pattern);
            followed = true;
            known = term_ite(whole_match(&match), term_constant(32, 0), term_constant(32, FNM_NOMATCH));
        }
    }
    if (!followed || known.value != (uint32_t)result)
        untaken_count_external("fnmatch");
    model_end(self, known, (uint32_t)result);
}

int untaken_model_fnmatch(const char *pattern, const char *string, int flags) {
    int result = fnmatch(pattern, string, flags);
    untaken_label labels[3];
    if (!model_begin(SELF(fnmatch), labels, 3))
        return result;
    model_pin(labels[2], (uint64_t)flags);
    if (untaken_memory_symbolic(pattern, strlen(pattern) + 1) || untaken_memory_symbolic(string, strlen(string) + 1))
        record_match(SELF(fnmatch), pattern, string, flags, result);
    else
        model_end_concrete(SELF(fnmatch));
    return result;
}
