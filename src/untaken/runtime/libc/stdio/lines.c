/* Models of reading lines from streams of the input. */
#define _GNU_SOURCE
#include "input/streams.h"
#include "libc/model.h"

#include <errno.h>
#include <string.h>

char *__fgets_chk(char *to, size_t room, int size, FILE *file);
char *__fgets_unlocked_chk(char *to, size_t room, int size, FILE *file);
_Noreturn void __chk_fail(void);

/* Decides where a line ends: nothing ends it before `length` bytes, and then it does: its last byte is the
 * delimiter, or the data is over, or there was room for no more. That there is any data at all is not part of
 * this decision: the result says it. */
static void decide_line(struct cursor *cursor, uint64_t length, uint64_t room, unsigned char delimiter) {
    struct untaken_stream *stream = cursor->stream;
    uint64_t start = cursor->position;
    bool delimited = stream_byte(stream, start + length - 1).value == delimiter;
    term shape = term_true();
    for (uint64_t index = 0; index < length; index++) {
        term ends = term_equals(stream_byte(stream, start + index), delimiter);
        shape = term_and(shape, index == length - 1 && delimited ? ends : term_not(ends));
    }
    term enough = term_binary(UNTAKEN_OP_ULE, term_constant(64, start + length), stream->size_term);
    if (!delimited && length < room)
        enough = term_equals(stream->size_term, start + length);
    shape = term_and(shape, enough);
    untaken_decide(UNTAKEN_LIBRARY, term_or(term_not(stream_has(stream, start)), shape), 0);
}

/* Where there was no line: if there were one, it would be an empty one. So there is one decision in any case, by
 * which a search finds those that follow; the other way it asks for a line that is not empty. */
static void decide_no_line(const struct cursor *cursor, unsigned char delimiter) {
    term empty = term_equals(stream_byte(cursor->stream, cursor->position), delimiter);
    untaken_decide(UNTAKEN_LIBRARY, term_or(term_not(stream_has(cursor->stream, cursor->position)), empty), 0);
}

/* A line of `length` bytes (0: none) was read to `to`. `some` and `none`: what the function returns. */
static term line_read(struct cursor *cursor, char *to, uint64_t length, uint64_t room, int delimiter, term some,
                      term none) {
    if (!cursor) {
        untaken_memory_clear(to, length ? length + 1 : 0);
        return length ? some : none;
    }
    term result = term_ite(stream_has(cursor->stream, cursor->position), some, none);
    if (length) {
        decide_line(cursor, length, room, (unsigned char)delimiter);
        stream_label(cursor->stream, cursor->position, to, length);
        untaken_memory_clear(to + length, 1);
    } else {
        decide_no_line(cursor, (unsigned char)delimiter);
    }
    cursor->position += length;
    cursor->ended = length == 0;
    cursor_was_read(cursor, false);
    return result;
}

/* How much fgets read, zero bytes in the data included: what the FILE has moved by. */
static uint64_t line_length(struct cursor *cursor, FILE *file, const char *to) {
    if (!cursor)
        return strlen(to);
    int saved = errno;
    off_t position = ftello(file);
    errno = saved;
    return position < 0 ? 0 : (uint64_t)position - cursor->position;
}

/* `at` is the number of the argument with the size: fgets has it second, __fgets_chk third. */
static void record_fgets(void *self, struct cursor *cursor, char *to, int size, unsigned at, FILE *file,
                         char *result) {
    untaken_label labels[4];
    if (!model_begin(self, labels, at + 1))
        return;
    model_pin_pointer(labels[0], to);
    if (labels[at])
        untaken_pin_term(model_argument(labels[at], 32, (uint32_t)size));
    term value = term_constant(64, (uintptr_t)result), none = term_constant(64, 0);
    if (size > 1) {
        uint64_t length = result ? line_length(cursor, file, to) : 0;
        value = line_read(cursor, to, length, (uint64_t)size - 1, '\n', term_constant(64, (uintptr_t)to), none);
    }
    model_end(self, value, (uintptr_t)result);
}

#define FGETS_MODEL(function)                                                                                      \
    char *untaken_model_##function(char *to, int size, FILE *file) {                                               \
        struct cursor *cursor = file_before_read(file);                                                            \
        char *result = function(to, size, file);                                                                   \
        record_fgets(SELF(function), cursor, to, size, 1, file, result);                                           \
        return result;                                                                                             \
    }
#define FGETS_CHECKED_MODEL(function)                                                                              \
    char *untaken_model_##function(char *to, size_t room, int size, FILE *file) {                                  \
        struct cursor *cursor = file_before_read(file);                                                            \
        char *result = function(to, room, size, file);                                                             \
        record_fgets(SELF(function), cursor, to, size, 2, file, result);                                           \
        return result;                                                                                             \
    }

FGETS_MODEL(fgets)
FGETS_MODEL(fgets_unlocked)
FGETS_CHECKED_MODEL(__fgets_chk)
FGETS_CHECKED_MODEL(__fgets_unlocked_chk)

/* What gets does. Linkers complain about every program that so much as refers to the real one. */
static char *get_line(char *to, size_t room) {
    size_t length = 0;
    int character;
    flockfile(stdin);
    while ((character = getc_unlocked(stdin)) != EOF && character != '\n') {
        if (length + 1 >= room)
            __chk_fail();
        to[length++] = (char)character;
    }
    bool failed = (character == EOF && length == 0) || ferror_unlocked(stdin);
    funlockfile(stdin);
    if (failed)
        return NULL;
    to[length] = 0;
    return to;
}

/* The line is stored without its end. */
static char *read_unbounded(void *self, char *to, size_t room) {
    struct cursor *cursor = file_before_read(stdin);
    char *result = get_line(to, room);
    untaken_label labels[2];
    if (!model_begin(self, labels, 1))
        return result;
    uint64_t length = result ? line_length(cursor, stdin, to) : 0, stored = result ? strlen(to) : 0;
    term some = term_constant(64, (uintptr_t)to), none = term_constant(64, 0);
    term value = result ? some : none;
    if (cursor)
        value = term_ite(stream_has(cursor->stream, cursor->position), some, none);
    if (cursor && length)
        decide_line(cursor, length, UINT64_MAX, '\n');
    else if (cursor)
        decide_no_line(cursor, '\n');
    untaken_memory_clear(to, result ? stored + 1 : 0);
    if (cursor) {
        stream_label(cursor->stream, cursor->position, to, stored);
        cursor->position += length;
        cursor->ended = length == 0;
        cursor_was_read(cursor, false);
    }
    model_end(self, value, (uintptr_t)result);
    return result;
}

char *untaken_model_gets(char *to) { return read_unbounded(SELF(gets), to, PTRDIFF_MAX); }
char *untaken_model___gets_chk(char *to, size_t room) { return read_unbounded(SELF(__gets_chk), to, room); }

static ssize_t read_line(void *self, unsigned arguments, char **line, size_t *room, int delimiter, FILE *file) {
    struct cursor *cursor = file_before_read(file);
    char *old = *line;
    ssize_t result = getdelim(line, room, delimiter, file);
    untaken_label labels[4];
    if (!model_begin(self, labels, arguments))
        return result;
    untaken_memory_clear(line, sizeof *line);
    untaken_memory_clear(room, sizeof *room);
    if (*line != old) {
        if (old)
            untaken_object_remove(old);
        block_added(*line, *room);
    }
    uint64_t length = result > 0 ? (uint64_t)result : 0;
    uint64_t some = length ? length : 1; /* of an empty line, see decide_no_line */
    term value = line_read(cursor, *line, length, UINT64_MAX, delimiter, term_constant(64, some),
                           term_constant(64, (uint64_t)-1));
    model_end(self, value, (uint64_t)result);
    return result;
}

ssize_t untaken_model_getline(char **line, size_t *room, FILE *file) {
    return read_line(SELF(getline), 3, line, room, '\n', file);
}

ssize_t untaken_model_getdelim(char **line, size_t *room, int delimiter, FILE *file) {
    return read_line(SELF(getdelim), 4, line, room, delimiter, file);
}

ssize_t untaken_model___getdelim(char **line, size_t *room, int delimiter, FILE *file) {
    return read_line(SELF(__getdelim), 4, line, room, delimiter, file);
}
