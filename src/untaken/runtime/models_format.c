/* Models of the printf and scanf families. They are concrete: where symbolic data goes in, they are counted by
 * name, and what they write to the program's memory has no labels. */
#define _GNU_SOURCE
#include "models.h"
#include "streams.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list arguments);
int __vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, va_list arguments);
int __isoc99_vfscanf(FILE *file, const char *format, va_list arguments);
int __isoc99_vsscanf(const char *text, const char *format, va_list arguments);
int __isoc23_vfscanf(FILE *file, const char *format, va_list arguments) __attribute__((weak));
int __isoc23_vsscanf(const char *text, const char *format, va_list arguments) __attribute__((weak));

/* ---- printf to memory ---- */

/* What was written to `to`: result bytes and a zero, cut at `room`. */
static void record_written(char *to, size_t room, int result) {
    if (!untaken_recording || result < 0 || room == 0 || !untaken_enter())
        return;
    size_t size = (size_t)result + 1;
    untaken_memory_clear(to, size < room ? size : room);
    untaken_leave();
}

int untaken_model_vsprintf(char *to, const char *format, va_list arguments) {
    int result = vsprintf(to, format, arguments);
    record_written(to, SIZE_MAX, result);
    return result;
}

int untaken_model_vsnprintf(char *to, size_t size, const char *format, va_list arguments) {
    int result = vsnprintf(to, size, format, arguments);
    record_written(to, size, result);
    return result;
}

int untaken_model___vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list arguments) {
    int result = __vsprintf_chk(to, flag, room, format, arguments);
    record_written(to, SIZE_MAX, result);
    return result;
}

int untaken_model___vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format,
                                  va_list arguments) {
    int result = __vsnprintf_chk(to, size, flag, room, format, arguments);
    record_written(to, size, result);
    return result;
}

/* Calls the variant that takes a va_list. */
#define WITH_ARGUMENTS(call)                                                                                       \
    va_list arguments;                                                                                             \
    va_start(arguments, format);                                                                                   \
    int result = call;                                                                                             \
    va_end(arguments);                                                                                             \
    return result

int untaken_model_sprintf(char *to, const char *format, ...) {
    WITH_ARGUMENTS(untaken_model_vsprintf(to, format, arguments));
}

int untaken_model_snprintf(char *to, size_t size, const char *format, ...) {
    WITH_ARGUMENTS(untaken_model_vsnprintf(to, size, format, arguments));
}

int untaken_model___sprintf_chk(char *to, int flag, size_t room, const char *format, ...) {
    WITH_ARGUMENTS(untaken_model___vsprintf_chk(to, flag, room, format, arguments));
}

int untaken_model___snprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, ...) {
    WITH_ARGUMENTS(untaken_model___vsnprintf_chk(to, size, flag, room, format, arguments));
}

/* ---- scanf ---- */

/* One conversion of a format: how much it stores. */
struct conversion {
    bool stores;   /* not suppressed, not %% */
    bool counted;  /* in the result of scanf: all but %n */
    bool string;   /* ends with a zero byte that decides the size */
    size_t size;
};

static const char *skip_set(const char *at) {
    at += *at == '^';
    at += *at == ']';
    while (*at && *at != ']')
        at++;
    return at;
}

static size_t integer_size(const char *modifier, size_t length) {
    if (length == 0)
        return sizeof(int);
    if (modifier[0] == 'h')
        return length == 2 ? sizeof(char) : sizeof(short);
    return sizeof(long);
}

static size_t float_size(const char *modifier, size_t length) {
    if (length == 0)
        return sizeof(float);
    return modifier[0] == 'L' ? sizeof(long double) : sizeof(double);
}

/* Reads the conversion after a '%'; returns what follows it. */
static const char *read_conversion(const char *at, struct conversion *conversion) {
    size_t width = 0;
    *conversion = (struct conversion){.stores = true, .counted = true};
    for (; *at && strchr("*'I", *at); at++)
        conversion->stores &= *at != '*';
    for (; *at >= '0' && *at <= '9'; at++)
        width = width * 10 + (size_t)(*at - '0');
    bool allocates = *at == 'm';
    at += allocates;
    const char *modifier = at;
    at += strspn(at, "hlLqjzt");
    size_t length = (size_t)(at - modifier), wide = length ? sizeof(wchar_t) : 1;
    switch (*at) {
    case 0: case '%':
        conversion->stores = false;
        break;
    case 'c': case 'C':
        conversion->size = (width ? width : 1) * (*at == 'C' ? sizeof(wchar_t) : wide);
        break;
    case 's': case 'S': case '[':
        conversion->string = wide == 1 && *at != 'S';
        conversion->size = conversion->string ? 0 : width * sizeof(wchar_t);
        break;
    case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
        conversion->size = float_size(modifier, length);
        break;
    case 'p':
        conversion->size = sizeof(void *);
        break;
    default:
        conversion->counted = *at != 'n';
        conversion->size = integer_size(modifier, length);
    }
    if (*at == '[')
        at = skip_set(at + 1);
    if (allocates)
        *conversion = (struct conversion){conversion->stores, true, false, sizeof(char *)};
    return *at ? at + 1 : at;
}

/* What scanf stored has no labels. */
static void clear_stored(const char *format, va_list arguments, int result) {
    struct conversion conversion;
    while ((format = strchr(format, '%')) != NULL && result > 0) {
        format = read_conversion(format + 1, &conversion);
        if (!conversion.stores)
            continue;
        char *to = va_arg(arguments, char *);
        untaken_memory_clear(to, conversion.string ? strlen(to) + 1 : conversion.size);
        result -= conversion.counted;
    }
}

static void record_scan(const char *name, bool symbolic, const char *format, va_list arguments, int result) {
    if (!untaken_enter())
        return;
    int saved = errno;
    if (symbolic)
        untaken_count_external(name);
    clear_stored(format, arguments, result);
    untaken_leave();
    errno = saved;
}

/* Data that we cannot follow was taken from the stream: whether its end was met is concrete from here on. */
static bool took_from(FILE *file) {
    struct cursor *cursor = cursor_of_file(file);
    if (cursor)
        cursor->read = false;
    return cursor != NULL;
}

typedef int file_scanner(FILE *, const char *, va_list);
typedef int text_scanner(const char *, const char *, va_list);

static int scan_file(file_scanner *scanner, const char *name, FILE *file, const char *format, va_list arguments) {
    va_list copy;
    va_copy(copy, arguments);
    int result = scanner(file, format, arguments);
    if (untaken_recording)
        record_scan(name, took_from(file), format, copy, result);
    va_end(copy);
    return result;
}

static int scan_text(text_scanner *scanner, const char *text, const char *format, va_list arguments) {
    va_list copy;
    va_copy(copy, arguments);
    int result = scanner(text, format, arguments);
    if (untaken_recording)
        record_scan("sscanf", untaken_memory_symbolic(text, strlen(text) + 1), format, copy, result);
    va_end(copy);
    return result;
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
