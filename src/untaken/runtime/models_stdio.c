/* Models of stdio's reading functions on streams of the input. */
#define _GNU_SOURCE
#include "models.h"
#include "streams.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

char *__fgets_chk(char *to, size_t room, int size, FILE *file);
char *__fgets_unlocked_chk(char *to, size_t room, int size, FILE *file);
size_t __fread_chk(void *to, size_t room, size_t size, size_t count, FILE *file);
size_t __fread_unlocked_chk(void *to, size_t room, size_t size, size_t count, FILE *file);
ssize_t __getdelim(char **line, size_t *room, int delimiter, FILE *file);
_Noreturn void __chk_fail(void);
int __uflow(FILE *file);

/* Where a FILE of ours is before the operation; null if it is not ours or no run is recorded. */
static struct cursor *before_read(FILE *file)
{
    struct cursor *cursor = untaken_recording ? cursor_of_file(file) : NULL;
    if (!cursor)
        return NULL;
    int saved = errno;
    off_t position = ftello(file);
    errno = saved;
    if (position < 0 || !untaken_enter())
        return NULL;
    cursor_settle(cursor, (uint64_t)position);
    untaken_leave();
    return cursor;
}

/* ---- One character ---- */

static void record_character(void *self, struct cursor *cursor, unsigned arguments, int result)
{
    untaken_label label;
    if (!model_begin(self, &label, arguments))
        return;
    term value = term_constant(32, (uint32_t)result);
    if (cursor) {
        term byte = term_extend(UNTAKEN_OP_ZEXT, stream_byte(cursor->stream, cursor->position), 32);
        value = term_ite(stream_has(cursor->stream, cursor->position), byte, term_constant(32, (uint32_t)EOF));
        cursor->position++;
        cursor->read = true;
    }
    model_end(self, value, (uint32_t)result);
}

#define GETC_MODEL(function, real)                                                                                 \
    int untaken_model_##function(FILE *file)                                                                       \
    {                                                                                                              \
        struct cursor *cursor = before_read(file);                                                                 \
        int result = real(file);                                                                                   \
        record_character(SELF(function), cursor, 1, result);                                                       \
        return result;                                                                                             \
    }
#define GETCHAR_MODEL(function, real)                                                                              \
    int untaken_model_##function(void)                                                                             \
    {                                                                                                              \
        struct cursor *cursor = before_read(stdin);                                                                \
        int result = real(stdin);                                                                                  \
        record_character(SELF(function), cursor, 0, result);                                                       \
        return result;                                                                                             \
    }

GETC_MODEL(fgetc, fgetc)
GETC_MODEL(getc, fgetc)
GETC_MODEL(_IO_getc, fgetc)
GETC_MODEL(fgetc_unlocked, fgetc_unlocked)
GETC_MODEL(getc_unlocked, fgetc_unlocked)
GETCHAR_MODEL(getchar, fgetc)
GETCHAR_MODEL(getchar_unlocked, fgetc_unlocked)

/* What getc_unlocked calls where it was inlined: it fills the buffer, which inlined code then reads itself. */
int untaken_model___uflow(FILE *file)
{
    struct cursor *cursor = before_read(file);
    int result = __uflow(file);
    if (cursor && result != EOF && untaken_enter()) {
        uint64_t count = (uint64_t)(file->_IO_read_end - file->_IO_read_ptr);
        stream_label(cursor->stream, cursor->position + 1, file->_IO_read_ptr, count);
        untaken_leave();
    }
    record_character(SELF(__uflow), cursor, 1, result);
    return result;
}

/* A character pushed back is the one at the cursor again if it is the same; else its label is found wrong. */
int untaken_model_ungetc(int character, FILE *file)
{
    int result = ungetc(character, file);
    untaken_label labels[2];
    if (model_begin(SELF(ungetc), labels, 2)) {
        struct cursor *cursor = cursor_of_file(file);
        if (cursor && result != EOF && cursor->position > 0)
            cursor->position--;
        model_end(SELF(ungetc), model_argument(labels[0], 32, (uint32_t)character), (uint32_t)result);
    }
    return result;
}

/* ---- Blocks ---- */

struct block {
    void *to;
    size_t size, count;
    unsigned arguments; /* of the function; those of the block are the ones after `first` */
    unsigned first;
};

static void record_block(void *self, struct cursor *cursor, struct block block, size_t result)
{
    untaken_label labels[5];
    if (!model_begin(self, labels, block.arguments))
        return;
    size_t want = block.size * block.count;
    term got = term_constant(64, result);
    model_pin_pointer(labels[0], block.to);
    model_pin(labels[block.first], block.size);
    model_pin(labels[block.first + 1], block.count);
    if (cursor && want > 0) {
        term bytes = stream_available(cursor->stream, cursor->position, want);
        stream_label(cursor->stream, cursor->position, block.to, bytes.value);
        got = term_binary(UNTAKEN_OP_UDIV, bytes, term_constant(64, block.size));
        cursor->position += want;
        cursor->read = true;
    } else {
        untaken_memory_clear(block.to, result * block.size);
    }
    model_end(self, got, result);
}

#define FREAD_MODEL(function)                                                                                      \
    size_t untaken_model_##function(void *to, size_t size, size_t count, FILE *file)                               \
    {                                                                                                              \
        struct cursor *cursor = before_read(file);                                                                 \
        size_t result = function(to, size, count, file);                                                           \
        record_block(SELF(function), cursor, (struct block){to, size, count, 4, 1}, result);                       \
        return result;                                                                                             \
    }
#define FREAD_CHECKED_MODEL(function)                                                                              \
    size_t untaken_model_##function(void *to, size_t room, size_t size, size_t count, FILE *file)                  \
    {                                                                                                              \
        struct cursor *cursor = before_read(file);                                                                 \
        size_t result = function(to, room, size, count, file);                                                     \
        record_block(SELF(function), cursor, (struct block){to, size, count, 5, 2}, result);                       \
        return result;                                                                                             \
    }

FREAD_MODEL(fread)
FREAD_MODEL(fread_unlocked)
FREAD_CHECKED_MODEL(__fread_chk)
FREAD_CHECKED_MODEL(__fread_unlocked_chk)

/* ---- Lines ---- */

/* Decides where a line ends: nothing ends it before `length` bytes, and then it does: its last byte is the
 * delimiter, or the data is over, or there was room for no more. That there is any data at all is not part of
 * this decision: the result says it. */
static void decide_line(struct cursor *cursor, uint64_t length, uint64_t room, unsigned char delimiter)
{
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

/* A line of `length` bytes (0: none) was read to `to`. `some` and `none`: what the function returns. */
static term line_read(struct cursor *cursor, char *to, uint64_t length, uint64_t room, int delimiter, term some,
                      term none)
{
    if (!cursor) {
        untaken_memory_clear(to, length ? length + 1 : 0);
        return length ? some : none;
    }
    term result = term_ite(stream_has(cursor->stream, cursor->position), some, none);
    if (length) {
        decide_line(cursor, length, room, (unsigned char)delimiter);
        stream_label(cursor->stream, cursor->position, to, length);
        untaken_memory_clear(to + length, 1);
    }
    cursor->position += length;
    cursor->ended = length == 0;
    cursor->read = true;
    return result;
}

/* How much fgets read, zero bytes in the data included: what the FILE has moved by. */
static uint64_t line_length(struct cursor *cursor, FILE *file, const char *to)
{
    if (!cursor)
        return strlen(to);
    int saved = errno;
    off_t position = ftello(file);
    errno = saved;
    return position < 0 ? 0 : (uint64_t)position - cursor->position;
}

static void record_fgets(void *self, struct cursor *cursor, char *to, int size, FILE *file, char *result)
{
    untaken_label labels[4];
    if (!model_begin(self, labels, 3))
        return;
    model_pin_pointer(labels[0], to);
    term value = term_constant(64, (uintptr_t)result), none = term_constant(64, 0);
    if (size > 1) {
        uint64_t length = result ? line_length(cursor, file, to) : 0;
        value = line_read(cursor, to, length, (uint64_t)size - 1, '\n', term_constant(64, (uintptr_t)to), none);
    }
    model_end(self, value, (uintptr_t)result);
}

#define FGETS_MODEL(function)                                                                                      \
    char *untaken_model_##function(char *to, int size, FILE *file)                                                 \
    {                                                                                                              \
        struct cursor *cursor = before_read(file);                                                                 \
        char *result = function(to, size, file);                                                                   \
        record_fgets(SELF(function), cursor, to, size, file, result);                                        \
        return result;                                                                                             \
    }
#define FGETS_CHECKED_MODEL(function)                                                                              \
    char *untaken_model_##function(char *to, size_t room, int size, FILE *file)                                    \
    {                                                                                                              \
        struct cursor *cursor = before_read(file);                                                                 \
        char *result = function(to, room, size, file);                                                             \
        record_fgets(SELF(function), cursor, to, size, file, result);                                        \
        return result;                                                                                             \
    }

FGETS_MODEL(fgets)
FGETS_MODEL(fgets_unlocked)
FGETS_CHECKED_MODEL(__fgets_chk)
FGETS_CHECKED_MODEL(__fgets_unlocked_chk)

/* What gets does. Linkers complain about every program that so much as refers to the real one. */
static char *get_line(char *to, size_t room)
{
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
static char *read_unbounded(void *self, char *to, size_t room)
{
    struct cursor *cursor = before_read(stdin);
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
    untaken_memory_clear(to, result ? stored + 1 : 0);
    if (cursor) {
        stream_label(cursor->stream, cursor->position, to, stored);
        cursor->position += length;
        cursor->ended = length == 0;
        cursor->read = true;
    }
    model_end(self, value, (uintptr_t)result);
    return result;
}

char *untaken_model_gets(char *to) { return read_unbounded(SELF(gets), to, PTRDIFF_MAX); }
char *untaken_model___gets_chk(char *to, size_t room) { return read_unbounded(SELF(__gets_chk), to, room); }

static ssize_t read_line(void *self, unsigned arguments, char **line, size_t *room, int delimiter, FILE *file)
{
    struct cursor *cursor = before_read(file);
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
    term value = line_read(cursor, *line, length, UINT64_MAX, delimiter, term_constant(64, length),
                           term_constant(64, (uint64_t)-1));
    model_end(self, value, (uint64_t)result);
    return result;
}

ssize_t untaken_model_getline(char **line, size_t *room, FILE *file)
{
    return read_line(SELF(getline), 3, line, room, '\n', file);
}

ssize_t untaken_model_getdelim(char **line, size_t *room, int delimiter, FILE *file)
{
    return read_line(SELF(getdelim), 4, line, room, delimiter, file);
}

ssize_t untaken_model___getdelim(char **line, size_t *room, int delimiter, FILE *file)
{
    return read_line(SELF(__getdelim), 4, line, room, delimiter, file);
}

/* ---- Where we are ---- */

/* Whether the end was met: a read that got as far as it did would have met it in any shorter data. */
static int at_end_of_file(void *self, FILE *file, int result)
{
    untaken_label label;
    if (!model_begin(self, &label, 1))
        return result;
    struct cursor *cursor = cursor_of_file(file);
    term value = term_constant(32, (uint32_t)result);
    if (cursor && cursor->ended) {
        cursor_confirm(cursor);
        cursor->read = false;
    }
    if (cursor && cursor->read && !cursor->at_end) {
        term met = term_binary(UNTAKEN_OP_ULT, cursor->stream->size_term, term_constant(64, cursor->position));
        if (met.value == (result != 0))
            value = term_extend(UNTAKEN_OP_ZEXT, met, 32);
    }
    model_end(self, value, (uint32_t)result);
    return result;
}

int untaken_model_feof(FILE *file) { return at_end_of_file(SELF(feof), file, feof(file)); }
int untaken_model_feof_unlocked(FILE *file) { return at_end_of_file(SELF(feof_unlocked), file, feof_unlocked(file)); }

static void record_file_seek(void *self, FILE *file, int64_t offset, int whence, int result)
{
    untaken_label labels[3];
    if (!model_begin(self, labels, 3))
        return;
    int saved = errno;
    struct cursor *cursor = cursor_of_file(file);
    model_pin(labels[1], (uint64_t)offset);
    if (cursor && result == 0) {
        off_t position = ftello(file);
        if (position >= 0)
            cursor_seek(cursor, offset, whence, (uint64_t)position);
    }
    model_end_concrete(self);
    errno = saved;
}

#define FSEEK_MODEL(function, type)                                                                                \
    int untaken_model_##function(FILE *file, type offset, int whence)                                              \
    {                                                                                                              \
        int result = function(file, offset, whence);                                                               \
        record_file_seek(SELF(function), file, offset, whence, result);                                            \
        return result;                                                                                             \
    }
#define FTELL_MODEL(function, type)                                                                                \
    type untaken_model_##function(FILE *file)                                                                      \
    {                                                                                                              \
        type result = function(file);                                                                              \
        untaken_label label;                                                                                       \
        if (model_begin(SELF(function), &label, 1)) {                                                              \
            struct cursor *cursor = result < 0 ? NULL : cursor_of_file(file);                                      \
            if (cursor)                                                                                            \
                cursor_confirm(cursor);                                                                            \
            term position = term_constant(64, (uint64_t)result);                                                   \
            model_end(SELF(function), cursor ? cursor_position(cursor, position.value) : position, position.value);\
        }                                                                                                          \
        return result;                                                                                             \
    }

FSEEK_MODEL(fseek, long)
FSEEK_MODEL(fseeko, off_t)
FSEEK_MODEL(fseeko64, off64_t)
FTELL_MODEL(ftell, long)
FTELL_MODEL(ftello, off_t)
FTELL_MODEL(ftello64, off64_t)

void untaken_model_rewind(FILE *file)
{
    rewind(file);
    struct cursor *cursor = untaken_recording ? cursor_of_file(file) : NULL;
    if (cursor)
        cursor_seek(cursor, 0, SEEK_SET, 0);
}

/* ---- Opening and closing ---- */

static FILE *opened(FILE *file, struct untaken_stream *stream)
{
    if (file)
        descriptor_opened(fileno(file), stream);
    return file;
}

#define FOPEN_MODEL(function)                                                                                      \
    FILE *untaken_model_##function(const char *name, const char *mode)                                             \
    {                                                                                                              \
        char path[STREAM_PATH_SIZE];                                                                               \
        struct untaken_stream *stream = untaken_stream_of_name(name);                                              \
        return opened(function(stream ? stream_path(stream, path) : name, mode), stream);                          \
    }
#define FREOPEN_MODEL(function)                                                                                    \
    FILE *untaken_model_##function(const char *name, const char *mode, FILE *file)                                 \
    {                                                                                                              \
        char path[STREAM_PATH_SIZE];                                                                               \
        struct untaken_stream *stream = untaken_stream_of_name(name);                                              \
        return opened(function(stream ? stream_path(stream, path) : name, mode, file), stream);                    \
    }

FOPEN_MODEL(fopen)
FOPEN_MODEL(fopen64)
FREOPEN_MODEL(freopen)
FREOPEN_MODEL(freopen64)

int untaken_model_fclose(FILE *file)
{
    int descriptor = -1, saved = errno;
    if (untaken_shared)
        descriptor = fileno(file);
    errno = saved;
    int result = fclose(file);
    descriptor_closed(descriptor);
    return result;
}
