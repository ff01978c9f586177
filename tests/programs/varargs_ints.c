// checks: variable arguments of integer types, few and many, beyond the registers
#include "collection.h"
#include <stdarg.h>

static int64_t sum(int count, ...)
{
    va_list list;
    int64_t total = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        total = total * 3 + va_arg(list, int);
    va_end(list);
    return total;
}

static int64_t kinds(const char *shape, ...)
{
    va_list list;
    int64_t total = 0;
    va_start(list, shape);
    for (; *shape; shape++)
        switch (*shape) {
        case 'i': total ^= va_arg(list, int); break;
        case 'u': total ^= va_arg(list, unsigned); break;
        case 'l': total ^= va_arg(list, long) * 2; break;
        case 's': total ^= (int64_t)strlen(va_arg(list, const char *)); break;
        case 'p': total ^= *va_arg(list, int *); break;
        }
    va_end(list);
    return total;
}

int main(void)
{
    read_input();
    int local = s8(0);
    show("none", sum(0));
    show("one", sum(1, s16(2)));
    show("five", sum(5, s8(4), s8(5), s8(6), s8(7), s8(8)));
    show("twelve", sum(12, s8(4), 2, s8(6), 4, s8(8), 6, s8(10), 8, s8(12), 10, s8(14), 12));
    show("kinds", kinds("iulsp", s32(16), u32(20), s64(24) >> 2, "four", &local));
    show("many kinds", kinds("llluuiipsiul", s64(24) >> 9, 5L, s64(32) >> 7, u32(40), 9u, s32(44), -1, &local, "ab",
                             s8(48), u8(49) + 0u, (long)u8(50)));
    char promoted = (char)u8(51);
    short widened = s16(52);
    show("promoted", sum(2, promoted, widened));
    return finish();
}
