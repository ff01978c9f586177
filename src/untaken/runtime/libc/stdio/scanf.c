/* Models of the scanf family: the real function reads, and then its steps are followed over the labels of the text. */
#define _GNU_SOURCE
#include "libc/stdio/scanf.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int __isoc99_vfscanf(FILE *file, const char *format, va_list arguments);
int __isoc99_vsscanf(const char *text, const char *format, va_list arguments);
int __isoc23_vfscanf(FILE *file, const char *format, va_list arguments) __attribute__((weak));
int __isoc23_vsscanf(const char *text, const char *format, va_list arguments) __attribute__((weak));

#define LONGEST_TEXT SCAN_LIMIT
#define LOOKED_AHEAD 2u /* bytes behind what was taken: "0x" is looked for where "0" is the last */

/* ---- Formats ---- */

static const char *read_set(const char *at, bool *set) {
    bool others = *at == '^';
    at += others;
    memset(set, others, 256);
    for (const char *first = at; *at && (*at != ']' || at == first); at++) {
        unsigned char low = (unsigned char)*at, high = low;
        if (at[1] == '-' && at[2] && at[2] != ']' && (unsigned char)at[2] >= low) {
            high = (unsigned char)at[2];
            at += 2;
        }
        for (unsigned member = low; member <= high; member++)
            set[member] = !others;
    }
    return at;
}

static size_t stored_size(char kind, const char *modifier, size_t length) {
    bool floating = strchr("aAeEfFgG", kind) != NULL;
    if (length == 0)
        return floating ? sizeof(float) : kind == 'p' ? sizeof(void *) : sizeof(int);
    if (modifier[0] == 'h')
        return length == 2 ? sizeof(char) : sizeof(short);
    if (floating)
        return modifier[0] == 'L' ? sizeof(long double) : sizeof(double);
    return sizeof(long);
}

const char *conversion_read(const char *at, struct conversion *conversion) {
    bool unusual = false;
    *conversion = (struct conversion){0};
    for (; *at && strchr("*'I", *at); at++) {
        conversion->suppressed |= *at == '*';
        unusual |= *at != '*';
    }
    for (; *at >= '0' && *at <= '9'; at++)
        conversion->width = conversion->width * 10 + (uint64_t)(*at - '0');
    conversion->allocates = *at == 'm';
    at += conversion->allocates;
    const char *modifier = at;
    at += strspn(at, "hlLqjzt");
    size_t length = (size_t)(at - modifier);
    conversion->kind = *at;
    conversion->wide = length > 0 && modifier[0] == 'l';
    conversion->size = stored_size(*at, modifier, length);
    if (*at == '[')
        at = read_set(at + 1, conversion->set);
    if (unusual || *at == 0)
        conversion->kind = 0;
    return *at ? at + 1 : at;
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* How much memory a conversion has written to, in a call that took `taken` characters. */
static size_t written(const struct conversion *conversion, const char *to, size_t taken) {
    bool wide = conversion->wide || conversion->kind == 'C' || conversion->kind == 'S';
    switch (conversion->kind) {
    case 'c': case 'C':
        return least(conversion->width ? conversion->width : 1, taken) * (wide ? sizeof(wchar_t) : 1);
    case 's': case 'S': case '[':
        return wide ? conversion->width * sizeof(wchar_t) : strlen(to) + 1;
    default:
        return conversion->size;
    }
}

/* What scanf stored has no labels, for now. */
static void clear_stored(const char *format, va_list *arguments, int result, size_t taken) {
    struct conversion conversion;
    while ((format = strchr(format, '%')) != NULL && result > 0) {
        format = conversion_read(format + 1, &conversion);
        if (conversion.suppressed || conversion.kind == '%' || conversion.kind == 0)
            continue;
        char *to = va_arg(*arguments, char *);
        untaken_memory_clear(to, conversion.allocates ? sizeof(char *) : written(&conversion, to, taken));
        result -= conversion.kind != 'n';
    }
}

/* A call of a function of the scanf family, and what it returned. */
struct scan_call {
    const char *name;
    const char *format;
    va_list arguments;
    int result;
    size_t taken; /* characters, or more than that: at the end of the text a conversion takes fewer than it may */
};

static void forget_stored(struct scan_call *call) {
    va_list copy;
    va_copy(copy, call->arguments);
    clear_stored(call->format, &copy, call->result, call->taken);
    va_end(copy);
}

/* False if the steps came to something else: then nothing of it is believed, and it is counted. */
static bool follow(struct scan_call *call, struct scanned *scanned, uint64_t taken) {
    va_list copy;
    va_copy(copy, call->arguments);
    int result = scanned_follow(scanned, call->format, &copy);
    va_end(copy);
    bool same = result == call->result && (!scanned->stream || scanned->at == taken);
    if (!same)
        forget_stored(call);
    if (!same || scanned->untracked)
        untaken_count_external(call->name);
    return same;
}

/* ---- From a stream ---- */

/* The byte at a position in the stream, or 0 if there is none. */
static term byte_or_end(const struct untaken_stream *stream, uint64_t position) {
    return term_ite(stream_has(stream, position), stream_byte(stream, position), term_constant(8, 0));
}

/* What was taken, and a little more, with its labels. */
static void lay_out(char *text, const struct scanned *scanned, uint64_t taken) {
    for (uint64_t at = 0; at < taken + LOOKED_AHEAD; at++) {
        uint64_t position = scanned->position + at;
        term byte = at < taken ? stream_byte(scanned->stream, position) : byte_or_end(scanned->stream, position);
        text[at] = (char)byte.value;
        untaken_memory_store(text + at, 1, byte.label);
    }
    text[taken + LOOKED_AHEAD] = 0;
}

static void follow_stream(struct scan_call *call, struct cursor *cursor, uint64_t taken) {
    char text[LONGEST_TEXT + LOOKED_AHEAD + 1];
    const struct untaken_stream *stream = cursor->stream;
    struct scanned scanned = {.shape = term_true(), .text = text, .stream = stream, .position = cursor->position};
    scanned.length = stream->size > cursor->position ? stream->size - cursor->position : 0;
    cursor_confirm(cursor);
    lay_out(text, &scanned, taken);
    bool followed = follow(call, &scanned, taken);
    untaken_memory_clear(text, taken + LOOKED_AHEAD);
    cursor->position += taken;
    cursor_was_read(cursor, scanned.asked > scanned.at);
    cursor->read &= followed;
}

/* How far the FILE has moved. */
static uint64_t moved(const struct cursor *cursor, FILE *file) {
    off_t position = ftello(file);
    return position > 0 && (uint64_t)position > cursor->position ? (uint64_t)position - cursor->position : 0;
}

static void record_file(struct scan_call *call, struct cursor *cursor, FILE *file) {
    int saved = errno;
    uint64_t taken = cursor ? moved(cursor, file) : 0;
    errno = saved;
    if (!runtime_enter())
        return;
    call->taken = cursor ? taken : SIZE_MAX;
    forget_stored(call);
    if (cursor && taken <= LONGEST_TEXT) {
        follow_stream(call, cursor, taken);
    } else if (cursor) {
        cursor->read = false;
        untaken_count_external(call->name);
    }
    runtime_leave();
    errno = saved;
}

/* ---- From a string ---- */

static void record_text(struct scan_call *call, const char *text) {
    int saved = errno;
    if (!runtime_enter())
        return;
    struct scanned scanned = {.shape = term_true(), .text = text, .length = strlen(text)};
    call->taken = scanned.length;
    forget_stored(call);
    if (untaken_memory_symbolic(text, scanned.length + 1))
        follow(call, &scanned, 0);
    runtime_leave();
    errno = saved;
}

/* ---- The functions ---- */

typedef int file_scanner(FILE *, const char *, va_list);
typedef int text_scanner(const char *, const char *, va_list);

static int scan_file(file_scanner *scanner, const char *name, FILE *file, const char *format, va_list arguments) {
    struct cursor *cursor = file_before_read(file);
    struct scan_call call = {.name = name, .format = format};
    va_copy(call.arguments, arguments);
    call.result = scanner(file, format, arguments);
    if (untaken_recording)
        record_file(&call, cursor, file);
    va_end(call.arguments);
    return call.result;
}

static int scan_text(text_scanner *scanner, const char *text, const char *format, va_list arguments) {
    struct scan_call call = {.name = "sscanf", .format = format};
    va_copy(call.arguments, arguments);
    call.result = scanner(text, format, arguments);
    if (untaken_recording)
        record_text(&call, text);
    va_end(call.arguments);
    return call.result;
}

int plain_vfscanf(FILE *file, const char *format, va_list arguments) __asm__("vfscanf");
int plain_vsscanf(const char *text, const char *format, va_list arguments) __asm__("vsscanf");

/* The six functions of one generation of the C standard. */
#define SCAN_MODELS(prefix, on_file, on_text)                                                                      \
    int untaken_model_##prefix##vfscanf(FILE *file, const char *format, va_list arguments) {                       \
        return scan_file(on_file, "fscanf", file, format, arguments);                                              \
    }                                                                                                              \
    int untaken_model_##prefix##vscanf(const char *format, va_list arguments) {                                    \
        return scan_file(on_file, "scanf", stdin, format, arguments);                                              \
    }                                                                                                              \
    int untaken_model_##prefix##vsscanf(const char *text, const char *format, va_list arguments) {                 \
        return scan_text(on_text, text, format, arguments);                                                        \
    }                                                                                                              \
    int untaken_model_##prefix##fscanf(FILE *file, const char *format, ...) {                                      \
        WITH_ARGUMENTS(scan_file(on_file, "fscanf", file, format, arguments));                                     \
    }                                                                                                              \
    int untaken_model_##prefix##scanf(const char *format, ...) {                                                   \
        WITH_ARGUMENTS(scan_file(on_file, "scanf", stdin, format, arguments));                                     \
    }                                                                                                              \
    int untaken_model_##prefix##sscanf(const char *text, const char *format, ...) {                                \
        WITH_ARGUMENTS(scan_text(on_text, text, format, arguments));                                               \
    }

SCAN_MODELS(, plain_vfscanf, plain_vsscanf)
SCAN_MODELS(__isoc99_, __isoc99_vfscanf, __isoc99_vsscanf)
SCAN_MODELS(__isoc23_, __isoc23_vfscanf, __isoc23_vsscanf)
