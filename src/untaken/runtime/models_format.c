/* Models of printf to memory. It is concrete: what it writes to the program's memory has no labels. */
#define _GNU_SOURCE
#include "models.h"

#include <stdio.h>

int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list arguments);
int __vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, va_list arguments);

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
