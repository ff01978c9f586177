/* A model of strftime: what it makes of the input is not followed, but told. */
#include "libc/model.h"

#include <string.h>
#include <time.h>

size_t untaken_model_strftime(char *to, size_t room, const char *format, const struct tm *time) {
    size_t result = strftime(to, room, format, time);
    if (untaken_recording && result > 0 && runtime_enter()) {
        untaken_memory_clear(to, result + 1);
        runtime_leave();
    }
    model_not_followed(SELF(strftime), "strftime", format, strlen(format) + 1, time, offsetof(struct tm, tm_isdst) + sizeof(int));
    return result;
}
