/* Models of printf to memory. The real function writes; see libc/stdio/printf_labels.c for the labels of what it
 * writes. */
#define _GNU_SOURCE
#include "libc/stdio/printf.h"

#include <stdio.h>

int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list arguments);
int __vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, va_list arguments);
int __vasprintf_chk(char **to, int flag, const char *format, va_list arguments);

/* `call` writes to `to`, at most `room` bytes. */
#define FOLLOWED(name, to, room, call)                                                                             \
    struct untaken_text text;                                                                                      \
    untaken_follow_format(&text, format, arguments);                                                               \
    int result = call;                                                                                             \
    untaken_text_written(&text, name, to, room, result);                                                           \
    return result

int untaken_model_vsprintf(char *to, const char *format, va_list arguments) {
    FOLLOWED("sprintf", to, SIZE_MAX, vsprintf(to, format, arguments));
}

int untaken_model_vsnprintf(char *to, size_t size, const char *format, va_list arguments) {
    FOLLOWED("snprintf", to, size, vsnprintf(to, size, format, arguments));
}

int untaken_model___vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list arguments) {
    FOLLOWED("sprintf", to, SIZE_MAX, __vsprintf_chk(to, flag, room, format, arguments));
}

int untaken_model___vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format,
                                  va_list arguments) {
    FOLLOWED("snprintf", to, size, __vsnprintf_chk(to, size, flag, room, format, arguments));
}

/* The text is in a block of its own. */
static int record_allocated(struct untaken_text *text, char **to, int result) {
    if (result >= 0 && text->recorded && runtime_enter()) {
        untaken_memory_clear(to, sizeof *to);
        block_added(*to, (uint64_t)result + 1);
        runtime_leave();
    }
    if (result >= 0)
        untaken_text_written(text, "asprintf", *to, SIZE_MAX, result);
    return result;
}

int untaken_model_vasprintf(char **to, const char *format, va_list arguments) {
    struct untaken_text text;
    untaken_follow_format(&text, format, arguments);
    return record_allocated(&text, to, vasprintf(to, format, arguments));
}

int untaken_model___vasprintf_chk(char **to, int flag, const char *format, va_list arguments) {
    struct untaken_text text;
    untaken_follow_format(&text, format, arguments);
    return record_allocated(&text, to, __vasprintf_chk(to, flag, format, arguments));
}

/* The labels of the arguments behind `format` are put where va_arg finds these, as instrumented functions do. */
#define WITH_LABELS(function, call)                                                                                \
    struct untaken_varargs saved;                                                                                  \
    va_list arguments;                                                                                             \
    bool matched = __untaken_callee == SELF(function);                                                             \
    __untaken_varargs_entry(&saved, matched, SELF(function));                                                      \
    if (matched)                                                                                                   \
        __untaken_callee = NULL;                                                                                   \
    va_start(arguments, format);                                                                                   \
    __untaken_varargs_start(&saved, arguments);                                                                    \
    int result = call;                                                                                             \
    va_end(arguments);                                                                                             \
    return result

int untaken_model_sprintf(char *to, const char *format, ...) {
    WITH_LABELS(sprintf, untaken_model_vsprintf(to, format, arguments));
}

int untaken_model_snprintf(char *to, size_t size, const char *format, ...) {
    WITH_LABELS(snprintf, untaken_model_vsnprintf(to, size, format, arguments));
}

int untaken_model_asprintf(char **to, const char *format, ...) {
    WITH_LABELS(asprintf, untaken_model_vasprintf(to, format, arguments));
}

int untaken_model___sprintf_chk(char *to, int flag, size_t room, const char *format, ...) {
    WITH_LABELS(__sprintf_chk, untaken_model___vsprintf_chk(to, flag, room, format, arguments));
}

int untaken_model___snprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, ...) {
    WITH_LABELS(__snprintf_chk, untaken_model___vsnprintf_chk(to, size, flag, room, format, arguments));
}

int untaken_model___asprintf_chk(char **to, int flag, const char *format, ...) {
    WITH_LABELS(__asprintf_chk, untaken_model___vasprintf_chk(to, flag, format, arguments));
}
