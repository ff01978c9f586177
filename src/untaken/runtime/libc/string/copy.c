/* Models of the functions that copy strings. How long a string is decides how much is copied: that is one
 * decision of the path, recorded before the copy, which may overwrite what it was about. */
#define _GNU_SOURCE
#include "libc/model.h"

#include <stdlib.h>
#include <string.h>

char *__strcpy_chk(char *to, const char *from, size_t room);
char *__stpcpy_chk(char *to, const char *from, size_t room);
char *__strncpy_chk(char *to, const char *from, size_t size, size_t room);
char *__stpncpy_chk(char *to, const char *from, size_t size, size_t room);
char *__strcat_chk(char *to, const char *from, size_t room);
char *__strncat_chk(char *to, const char *from, size_t size, size_t room);
size_t strlcpy(char *to, const char *from, size_t room) __attribute__((weak));
size_t strlcat(char *to, const char *from, size_t room) __attribute__((weak));

/* What will be copied where, found out before the copy. */
struct copy {
    bool recorded;
    char *to;
    const char *from;
    size_t size;    /* bytes whose labels are copied */
    size_t cleared; /* bytes after them that are set to zero */
};

/* `size`: the third argument, or null if the function has none. */
static struct copy copy_begin_sized(void *self, char *to, const char *from, size_t limit, const size_t *size,
                                    size_t *length) {
    untaken_label labels[3] = {0};
    struct copy copy = {.recorded = model_begin(self, labels, size ? 3 : 2), .to = to, .from = from};
    if (!copy.recorded)
        return copy;
    model_pin_pointer(labels[0], to);
    model_pin_pointer(labels[1], from);
    if (size)
        model_pin(labels[2], *size);
    *length = strnlen(from, limit);
    string_decide_length_within(from, *length, limit);
    copy.size = *length;
    return copy;
}

/* limit: SIZE_MAX for functions that have none. */
static struct copy copy_begin(void *self, char *to, const char *from, size_t limit, size_t *length) {
    return copy_begin_sized(self, to, from, limit, limit == SIZE_MAX ? NULL : &limit, length);
}

static void copy_end(void *self, const struct copy *copy) {
    if (!copy->recorded)
        return;
    untaken_memory_copy(copy->to, copy->from, copy->size);
    untaken_memory_clear(copy->to + copy->size, copy->cleared);
    model_end_concrete(self);
}

static struct copy begin_strcpy(void *self, char *to, const char *from) {
    size_t length;
    struct copy copy = copy_begin(self, to, from, SIZE_MAX, &length);
    copy.cleared = 1;
    return copy;
}

char *untaken_model_strcpy(char *to, const char *from) {
    struct copy copy = begin_strcpy(SELF(strcpy), to, from);
    strcpy(to, from);
    copy_end(SELF(strcpy), &copy);
    return to;
}

char *untaken_model___strcpy_chk(char *to, const char *from, size_t room) {
    struct copy copy = begin_strcpy(SELF(__strcpy_chk), to, from);
    __strcpy_chk(to, from, room);
    copy_end(SELF(__strcpy_chk), &copy);
    return to;
}

char *untaken_model_stpcpy(char *to, const char *from) {
    struct copy copy = begin_strcpy(SELF(stpcpy), to, from);
    char *end = stpcpy(to, from);
    copy_end(SELF(stpcpy), &copy);
    return end;
}

char *untaken_model___stpcpy_chk(char *to, const char *from, size_t room) {
    struct copy copy = begin_strcpy(SELF(__stpcpy_chk), to, from);
    char *end = __stpcpy_chk(to, from, room);
    copy_end(SELF(__stpcpy_chk), &copy);
    return end;
}

static struct copy begin_strncpy(void *self, char *to, const char *from, size_t size) {
    size_t length = 0;
    struct copy copy = copy_begin(self, to, from, size, &length);
    copy.cleared = size - length;
    return copy;
}

char *untaken_model_strncpy(char *to, const char *from, size_t size) {
    struct copy copy = begin_strncpy(SELF(strncpy), to, from, size);
    strncpy(to, from, size);
    copy_end(SELF(strncpy), &copy);
    return to;
}

char *untaken_model___strncpy_chk(char *to, const char *from, size_t size, size_t room) {
    struct copy copy = begin_strncpy(SELF(__strncpy_chk), to, from, size);
    __strncpy_chk(to, from, size, room);
    copy_end(SELF(__strncpy_chk), &copy);
    return to;
}

char *untaken_model_stpncpy(char *to, const char *from, size_t size) {
    struct copy copy = begin_strncpy(SELF(stpncpy), to, from, size);
    char *end = stpncpy(to, from, size);
    copy_end(SELF(stpncpy), &copy);
    return end;
}

char *untaken_model___stpncpy_chk(char *to, const char *from, size_t size, size_t room) {
    struct copy copy = begin_strncpy(SELF(__stpncpy_chk), to, from, size);
    char *end = __stpncpy_chk(to, from, size, room);
    copy_end(SELF(__stpncpy_chk), &copy);
    return end;
}

/* For strcat, whose limit is SIZE_MAX, and for strncat. */
static struct copy begin_strcat(void *self, char *to, const char *from, size_t limit) {
    size_t length;
    struct copy copy = copy_begin(self, to, from, limit, &length);
    if (copy.recorded) {
        size_t before = strlen(to);
        string_decide_length(to, before);
        copy.to += before;
        copy.cleared = 1;
    }
    return copy;
}

char *untaken_model_strcat(char *to, const char *from) {
    struct copy copy = begin_strcat(SELF(strcat), to, from, SIZE_MAX);
    strcat(to, from);
    copy_end(SELF(strcat), &copy);
    return to;
}

char *untaken_model___strcat_chk(char *to, const char *from, size_t room) {
    struct copy copy = begin_strcat(SELF(__strcat_chk), to, from, SIZE_MAX);
    __strcat_chk(to, from, room);
    copy_end(SELF(__strcat_chk), &copy);
    return to;
}

char *untaken_model_strncat(char *to, const char *from, size_t size) {
    struct copy copy = begin_strcat(SELF(strncat), to, from, size);
    strncat(to, from, size);
    copy_end(SELF(strncat), &copy);
    return to;
}

char *untaken_model___strncat_chk(char *to, const char *from, size_t size, size_t room) {
    struct copy copy = begin_strcat(SELF(__strncat_chk), to, from, size);
    __strncat_chk(to, from, size, room);
    copy_end(SELF(__strncat_chk), &copy);
    return to;
}

/* Only in newer libcs; instrumented code asks for them only where the program itself could link them. */
size_t untaken_model_strlcpy(char *to, const char *from, size_t room) {
    size_t length;
    struct copy copy = copy_begin_sized(SELF(strlcpy), to, from, SIZE_MAX, &room, &length);
    if (copy.recorded) {
        copy.cleared = room > 0;
        copy.size = room > 0 && length >= room ? room - 1 : room > 0 ? length : 0;
    }
    size_t result = strlcpy(to, from, room);
    copy_end(SELF(strlcpy), &copy);
    return result;
}

size_t untaken_model_strlcat(char *to, const char *from, size_t room) {
    size_t length, before;
    struct copy copy = copy_begin_sized(SELF(strlcat), to, from, SIZE_MAX, &room, &length);
    if (copy.recorded) {
        before = strnlen(to, room);
        string_decide_length_within(to, before, room);
        copy.to += before;
        copy.cleared = before < room;
        copy.size = before < room ? (length < room - before ? length : room - before - 1) : 0;
    }
    size_t result = strlcat(to, from, room);
    copy_end(SELF(strlcat), &copy);
    return result;
}

static void record_duplicate(void *self, const char *string, char *duplicate, size_t limit) {
    untaken_label labels[2] = {0};
    if (!model_begin(self, labels, limit == SIZE_MAX ? 1 : 2))
        return;
    size_t length = strnlen(string, limit);
    model_pin_pointer(labels[0], string);
    model_pin(labels[1], limit);
    string_decide_length_within(string, length, limit);
    if (duplicate) {
        block_added(duplicate, length + 1);
        untaken_memory_copy(duplicate, string, length);
    }
    model_end_concrete(self);
}

char *untaken_model_strdup(const char *string) {
    char *duplicate = strdup(string);
    record_duplicate(SELF(strdup), string, duplicate, SIZE_MAX);
    return duplicate;
}

char *untaken_model___strdup(const char *string) {
    char *duplicate = strdup(string);
    record_duplicate(SELF(__strdup), string, duplicate, SIZE_MAX);
    return duplicate;
}

char *untaken_model_strndup(const char *string, size_t limit) {
    char *duplicate = strndup(string, limit);
    record_duplicate(SELF(strndup), string, duplicate, limit);
    return duplicate;
}

char *untaken_model___strndup(const char *string, size_t limit) {
    char *duplicate = strndup(string, limit);
    record_duplicate(SELF(__strndup), string, duplicate, limit);
    return duplicate;
}

/* Tokens: which characters separate and which do not is one decision; the pointers are concrete. Bytes from
 * `from` to before `token` separate, those to before `end` do not, and the one at `end` is a separator or 0. */
static term token_shape(const char *from, const char *token, const char *end, const bool *members) {
    term shape = term_true();
    for (const char *at = from; at <= end; at++) {
        term byte = untaken_memory_byte(at), separates = character_in_set(members, byte);
        term zero = term_equals(byte, 0);
        if (at == end)
            shape = term_and(shape, *end ? separates : zero);
        else
            shape = term_and(shape, at < token ? separates : term_not(term_or(separates, zero)));
    }
    return shape;
}

static void pin_string(const char *string) {
    size_t size = strlen(string) + 1;
    if (untaken_memory_symbolic(string, size))
        for (size_t index = 0; index < size; index++)
            untaken_pin_term(untaken_memory_byte(string + index));
}

/* There is no further token: one that may follow, a number or a word. */
static void note_tokens(const char *end, char separator) {
    static const char *const tokens[] = {"1", "111", "a"};
    for (unsigned i = 0; i < sizeof tokens / sizeof *tokens; i++) {
        char text[UNTAKEN_WORD_SIZE] = {separator};
        strcpy(text + 1, tokens[i]);
        note_wanted_text(end, text, false);
    }
}

/* Before the separator is overwritten: the text from `from` up to the end of the next token. */
static void decide_token(char *from, const char *separators) {
    bool members[256] = {false};
    for (const char *at = separators; *at; at++)
        members[(unsigned char)*at] = true;
    pin_string(separators);
    char *token = from + strspn(from, separators), *end = token + strcspn(token, separators);
    if (*token == '\0')
        note_tokens(token, separators[0]);
    if (!untaken_memory_symbolic(from, (uint64_t)(end - from) + 1))
        return;
    untaken_decide(UNTAKEN_LIBRARY, token_shape(from, token, end, members), 0);
    untaken_memory_clear(end, 1);
}

static char *take_token(void *self, unsigned arguments, char *string, const char *separators, char **rest) {
    untaken_label labels[3];
    char *from = string ? string : *rest;
    if (from && model_begin(self, labels, arguments)) {
        model_pin_pointer(labels[0], string);
        model_pin_pointer(labels[1], separators);
        decide_token(from, separators);
        if (arguments == 3)
            untaken_memory_clear(rest, sizeof *rest);
        model_end_concrete(self);
    }
    return strtok_r(string, separators, rest);
}

char *untaken_model_strtok_r(char *string, const char *separators, char **rest) {
    return take_token(SELF(strtok_r), 3, string, separators, rest);
}

char *untaken_model___strtok_r(char *string, const char *separators, char **rest) {
    return take_token(SELF(__strtok_r), 3, string, separators, rest);
}

char *untaken_model_strsep(char **rest, const char *separators) {
    untaken_label labels[2];
    char *from = *rest;
    if (from && model_begin(SELF(strsep), labels, 2)) {
        bool members[256] = {false};
        for (const char *at = separators; *at; at++)
            members[(unsigned char)*at] = true;
        char *end = from + strcspn(from, separators);
        model_pin_pointer(labels[0], rest);
        model_pin_pointer(labels[1], separators);
        pin_string(separators);
        if (untaken_memory_symbolic(from, (uint64_t)(end - from) + 1))
            untaken_decide(UNTAKEN_LIBRARY, token_shape(from, from, end, members), 0);
        untaken_memory_clear(end, 1);
        untaken_memory_clear(rest, sizeof *rest);
        model_end_concrete(SELF(strsep));
    }
    return strsep(rest, separators);
}

char *untaken_model_strtok(char *string, const char *separators) {
    static char *rest;
    return take_token(SELF(strtok), 2, string, separators, &rest);
}
