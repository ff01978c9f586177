/* Models of stdio on streams of the input: characters, blocks, positions. */
#define _GNU_SOURCE
#include "input/streams.h"
#include "libc/model.h"
#include "libc/system/random.h"

#include <errno.h>

size_t __fread_chk(void *to, size_t room, size_t size, size_t count, FILE *file);
size_t __fread_unlocked_chk(void *to, size_t room, size_t size, size_t count, FILE *file);
int __uflow(FILE *file);

__attribute__((noinline)) struct cursor *file_cursor(FILE *file) {
    struct cursor *cursor = cursor_of_file(file);
    if (!cursor)
        return NULL;
    int saved = errno;
    off_t position = ftello(file);
    errno = saved;
    if (position < 0 || !runtime_enter())
        return NULL;
    cursor_synchronise(cursor, (uint64_t)position);
    runtime_leave();
    return cursor;
}

/* What lies in the buffer is read without a call where stdio would only copy it: no other thread can be at the FILE,
 * and no sanitizer wants to know. */
static inline bool reads_buffer(void) { return untaken_one_thread() && !untaken_is_sanitized(); }

/* ---- One character ---- */

static inline int read_character(FILE *file) { return reads_buffer() ? getc_unlocked(file) : fgetc(file); }

static void record_character(void *self, struct cursor *cursor, unsigned arguments, int result) {
    untaken_label label;
    if (!model_begin(self, &label, arguments))
        return;
    term value = term_constant(32, (uint32_t)result);
    if (cursor) {
        term byte = term_extend(UNTAKEN_OP_ZEXT, stream_byte(cursor->stream, cursor->position), 32);
        value = term_ite(stream_has(cursor->stream, cursor->position), byte, term_constant(32, (uint32_t)EOF));
        cursor->position++;
        cursor_was_read(cursor, false);
    }
    model_end(self, value, (uint32_t)result);
}

#define GETC_MODEL(function, real)                                                                                 \
    int untaken_model_##function(FILE *file) {                                                                     \
        file_asked(file);                                                                                          \
        if (!untaken_recording)                                                                                    \
            return real(file);                                                                                     \
        struct cursor *cursor = file_cursor(file);                                                                \
        int result = real(file);                                                                                   \
        record_character(SELF(function), cursor, 1, result);                                                       \
        return result;                                                                                             \
    }
#define GETCHAR_MODEL(function, real)                                                                              \
    int untaken_model_##function(void) {                                                                           \
        file_asked(stdin);                                                                                         \
        if (!untaken_recording)                                                                                    \
            return real(stdin);                                                                                    \
        struct cursor *cursor = file_cursor(stdin);                                                               \
        int result = real(stdin);                                                                                  \
        record_character(SELF(function), cursor, 0, result);                                                       \
        return result;                                                                                             \
    }

GETC_MODEL(fgetc, read_character)
GETC_MODEL(getc, read_character)
GETC_MODEL(_IO_getc, read_character)
GETC_MODEL(fgetc_unlocked, getc_unlocked)
GETC_MODEL(getc_unlocked, getc_unlocked)
GETCHAR_MODEL(getchar, read_character)
GETCHAR_MODEL(getchar_unlocked, getc_unlocked)

/* What getc_unlocked calls where it was inlined: it fills the buffer, which inlined code then reads itself. */
int untaken_model___uflow(FILE *file) {
    struct cursor *cursor = file_before_read(file);
    int result = __uflow(file);
    if (cursor && result != EOF && runtime_enter()) {
        uint64_t count = (uint64_t)(file->_IO_read_end - file->_IO_read_ptr);
        stream_label(cursor->stream, cursor->position + 1, file->_IO_read_ptr, count);
        runtime_leave();
    }
    record_character(SELF(__uflow), cursor, 1, result);
    return result;
}

/* A character pushed back is the one at the cursor again if it is the same; else its label is found wrong. */
int untaken_model_ungetc(int character, FILE *file) {
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

static void record_block(void *self, struct cursor *cursor, struct block block, size_t result) {
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
        cursor_was_read(cursor, false);
    } else {
        untaken_memory_clear(block.to, result * block.size);
    }
    model_end(self, got, result);
}

/* True if all of the block was there. */
static inline bool read_from_buffer(void *to, size_t size, size_t count, FILE *file) {
    size_t there = (size_t)(file->_IO_read_end - file->_IO_read_ptr), want = size * count;
    if (!reads_buffer() || size > there || count > there || want > there || want == 0)
        return false;
    copy_bytes(to, file->_IO_read_ptr, want);
    file->_IO_read_ptr += want;
    return true;
}

typedef size_t read_function(void *to, size_t size, size_t count, FILE *file);

__attribute__((noinline)) static size_t read_tracked(void *self, read_function *read, struct block block, FILE *file) {
    struct cursor *cursor = untaken_recording ? file_cursor(file) : NULL;
    size_t result = read(block.to, block.size, block.count, file);
    record_block(self, cursor, block, result);
    return result;
}

#define FREAD_MODEL(function)                                                                                      \
    size_t untaken_model_##function(void *to, size_t size, size_t count, FILE *file) {                             \
        file_asked(file);                                                                                          \
        if (!untaken_recording && read_from_buffer(to, size, count, file))                                         \
            return count;                                                                                          \
        return read_tracked(SELF(function), function, (struct block){to, size, count, 4, 1}, file);                \
    }
#define FREAD_CHECKED_MODEL(function)                                                                              \
    size_t untaken_model_##function(void *to, size_t room, size_t size, size_t count, FILE *file) {                \
        struct cursor *cursor = file_before_read(file);                                                            \
        size_t result = function(to, room, size, count, file);                                                     \
        record_block(SELF(function), cursor, (struct block){to, size, count, 5, 2}, result);                       \
        return result;                                                                                             \
    }

FREAD_MODEL(fread)
FREAD_MODEL(fread_unlocked)
FREAD_CHECKED_MODEL(__fread_chk)
FREAD_CHECKED_MODEL(__fread_unlocked_chk)

/* Where all of it is written, the result is how much was given, however much that is. */
static size_t written(void *self, size_t size, size_t count, size_t result) {
    untaken_label labels[4];
    if (model_begin(self, labels, 4)) {
        model_pin(labels[1], size);
        model_end_label(self, size > 0 && result == count ? labels[2] : 0);
    }
    return result;
}

size_t untaken_model_fwrite(const void *from, size_t size, size_t count, FILE *file) {
    return written(SELF(fwrite), size, count, fwrite(from, size, count, file));
}

size_t untaken_model_fwrite_unlocked(const void *from, size_t size, size_t count, FILE *file) {
    return written(SELF(fwrite_unlocked), size, count, fwrite_unlocked(from, size, count, file));
}

/* ---- Where we are ---- */

/* Whether the end was met: a read that got as far as it did would have met it in any shorter data. */
static int at_end_of_file(void *self, FILE *file, int result) {
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
        term asked = term_constant(64, cursor->position + cursor->peeked);
        term met = term_binary(UNTAKEN_OP_ULT, cursor->stream->size_term, asked);
        if (met.value == (result != 0))
            value = term_extend(UNTAKEN_OP_ZEXT, met, 32);
    }
    model_end(self, value, (uint32_t)result);
    return result;
}

int untaken_model_feof(FILE *file) { return at_end_of_file(SELF(feof), file, feof(file)); }
int untaken_model_feof_unlocked(FILE *file) { return at_end_of_file(SELF(feof_unlocked), file, feof_unlocked(file)); }

/* Whether a read failed is no matter of what is read: the input itself can always be read. */
#define FERROR_MODEL(function)                                                                                     \
    int untaken_model_##function(FILE *file) {                                                                     \
        int result = function(file);                                                                               \
        untaken_label label;                                                                                       \
        if (model_begin(SELF(function), &label, 1))                                                                \
            model_end_concrete(SELF(function));                                                                    \
        return result;                                                                                             \
    }
/* From here on the end was not met, however long the data is, until it is read again. */
#define CLEARERR_MODEL(function)                                                                                   \
    void untaken_model_##function(FILE *file) {                                                                    \
        function(file);                                                                                            \
        untaken_label label;                                                                                       \
        if (!model_begin(SELF(function), &label, 1))                                                               \
            return;                                                                                                \
        struct cursor *cursor = cursor_of_file(file);                                                              \
        if (cursor) {                                                                                              \
            cursor_confirm(cursor);                                                                                \
            cursor->read = false;                                                                                  \
        }                                                                                                          \
        model_end_concrete(SELF(function));                                                                        \
    }

FERROR_MODEL(ferror)
FERROR_MODEL(ferror_unlocked)
CLEARERR_MODEL(clearerr)
CLEARERR_MODEL(clearerr_unlocked)

static void record_file_seek(void *self, FILE *file, int64_t offset, int whence, int result) {
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
    int untaken_model_##function(FILE *file, type offset, int whence) {                                            \
        (void)cursor_of_file(file); /* which the program looks at, be it one of ours */                            \
        int result = function(file, offset, whence);                                                               \
        record_file_seek(SELF(function), file, offset, whence, result);                                            \
        return result;                                                                                             \
    }
#define FTELL_MODEL(function, type)                                                                                \
    type untaken_model_##function(FILE *file) {                                                                    \
        type result = function(file);                                                                              \
        untaken_label label;                                                                                       \
        if (model_begin(SELF(function), &label, 1)) {                                                              \
            struct cursor *cursor = result < 0 ? NULL : cursor_of_file(file);                                      \
            if (cursor)                                                                                            \
                cursor_confirm(cursor);                                                                            \
            term position = term_constant(64, (uint64_t)result);                                                   \
            model_end(SELF(function), cursor ? cursor_position(cursor, position.value) : position, position.value); \
        }                                                                                                          \
        return result;                                                                                             \
    }

FSEEK_MODEL(fseek, long)
FSEEK_MODEL(fseeko, off_t)
FSEEK_MODEL(fseeko64, off64_t)
FTELL_MODEL(ftell, long)
FTELL_MODEL(ftello, off_t)
FTELL_MODEL(ftello64, off64_t)

void untaken_model_rewind(FILE *file) {
    rewind(file);
    untaken_label label;
    if (!model_begin(SELF(rewind), &label, 1))
        return;
    struct cursor *cursor = cursor_of_file(file);
    if (cursor)
        cursor_seek(cursor, 0, SEEK_SET, 0);
    model_end_concrete(SELF(rewind));
}

/* ---- Buffers ---- */

/* What stdio reads ahead has no labels in its buffer; one that is the program's own may be looked at. */
static void note_own_buffer(FILE *file, const char *buffer, const char *function) {
    if (!buffer || !cursor_of_file(file) || !runtime_begin())
        return;
    untaken_count_external(function);
    runtime_leave();
}

int untaken_model_setvbuf(FILE *file, char *buffer, int mode, size_t size) {
    note_own_buffer(file, buffer, "setvbuf (of what is read)");
    return setvbuf(file, buffer, mode, size);
}

void untaken_model_setbuf(FILE *file, char *buffer) {
    note_own_buffer(file, buffer, "setbuf (of what is read)");
    setbuf(file, buffer);
}

void untaken_model_setbuffer(FILE *file, char *buffer, size_t size) {
    note_own_buffer(file, buffer, "setbuffer (of what is read)");
    setbuffer(file, buffer, size);
}

/* ---- Opening and closing ---- */

static void note_unseen(FILE *file, const char *function) {
    if (untaken_recording && file && runtime_enter()) {
        descriptor_note_unseen(fileno(file), function);
        runtime_leave();
    }
}

static FILE *opened(FILE *file, struct untaken_stream *stream, const char *function) {
    if (file)
        descriptor_opened(fileno(file), stream);
    if (!stream)
        note_unseen(file, function);
    return file;
}

#define FOPEN_MODEL(function)                                                                                      \
    FILE *untaken_model_##function(const char *name, const char *mode) {                                           \
        char path[STREAM_PATH_SIZE];                                                                               \
        struct untaken_stream *stream = untaken_stream_of_name(name);                                              \
        if (!stream && *mode == 'r' && is_random_file(name))                                                         \
            return random_file_stream();                                                                                \
        return opened(function(stream ? stream_path(stream, path) : name, mode), stream, "fopen");                 \
    }
#define FREOPEN_MODEL(function)                                                                                    \
    FILE *untaken_model_##function(const char *name, const char *mode, FILE *file) {                               \
        char path[STREAM_PATH_SIZE];                                                                               \
        struct untaken_stream *stream = untaken_stream_of_name(name);                                              \
        return opened(function(stream ? stream_path(stream, path) : name, mode, file), stream, "freopen");         \
    }

FOPEN_MODEL(fopen)
FOPEN_MODEL(fopen64)
FREOPEN_MODEL(freopen)
FREOPEN_MODEL(freopen64)

FILE *untaken_model_fdopen(int descriptor, const char *mode) {
    untaken_label labels[2];
    FILE *file = fdopen(descriptor, mode);
    if (model_begin(SELF(fdopen), labels, 2)) {
        if (labels[0])
            untaken_pin_term(model_argument(labels[0], 32, (uint32_t)descriptor));
        model_pin_pointer(labels[1], mode);
        model_end_concrete(SELF(fdopen));
    }
    if (!untaken_stream_of_fd(descriptor))
        note_unseen(file, "fdopen");
    return file;
}

FILE *untaken_model_tmpfile(void) { return opened(tmpfile(), NULL, "tmpfile"); }

FILE *untaken_model_tmpfile64(void) { return opened(tmpfile64(), NULL, "tmpfile"); }

int untaken_model_fclose(FILE *file) {
    int descriptor = -1, saved = errno;
    if (untaken_shared)
        descriptor = fileno(file);
    errno = saved;
    int result = fclose(file);
    descriptor_closed(descriptor);
    return result;
}
