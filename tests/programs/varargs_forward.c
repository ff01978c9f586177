// checks: va_list handed on, copied and restarted, and formatted output through it
#include "collection.h"
#include <stdarg.h>

static int nested(va_list list) { return va_arg(list, int) - va_arg(list, int); }

static int twice(int count, ...)
{
    va_list list, copy;
    va_start(list, count);
    va_copy(copy, list);
    int first = 0, second = 0;
    for (int i = 0; i < count; i++)
        first += va_arg(list, int) * (i + 1);
    for (int i = 0; i < count; i++)
        second ^= va_arg(copy, int);
    va_end(copy);
    va_end(list);
    va_start(list, count);
    int third = nested(list);
    va_end(list);
    return first * 16 + second + third;
}

static int format(char *to, size_t size, const char *text, ...)
{
    va_list list;
    va_start(list, text);
    int length = vsnprintf(to, size, text, list);
    va_end(list);
    return length;
}

static void log_line(const char *text, ...)
{
    va_list list;
    va_start(list, text);
    vprintf(text, list);
    va_end(list);
}

int main(void)
{
    read_input();
    show("twice", twice(3, s8(0), s8(1), s8(2)));
    show("twice long", twice(9, s8(0), s8(1), s8(2), s8(3), s8(4), s8(5), s8(6), s8(7), s8(8)));
    char line[80];
    int length = format(line, sizeof line, "[%d|%5u|%-4d|%lld|%%|%s]", s16(10), u16(12), s8(14), (long long)s64(16),
                        u8(24) & 1 ? "left" : "right");
    show("length", length);
    show("middle", line[length / 2]);
    log_line("%s %d %.1f %c\n", "line", s32(28), u8(32) / 2.0, 'A' + u8(33) % 26);
    return finish();
}
