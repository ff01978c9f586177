// checks: variable arguments of doubles among integers, beyond the registers of either kind
#include "collection.h"
#include <stdarg.h>

static long long mixed(const char *shape, ...)
{
    va_list list;
    double reals = 0;
    long long integers = 0;
    va_start(list, shape);
    for (; *shape; shape++)
        if (*shape == 'd')
            reals += va_arg(list, double);
        else if (*shape == 'L')
            reals += (double)va_arg(list, long double);
        else
            integers = integers * 5 + va_arg(list, int);
    va_end(list);
    return integers * 1000 + (long long)(reals * 4);
}

int main(void)
{
    read_input();
    show("alternating", mixed("idid", u8(0), 1.5, u8(1), 2.25));
    show("from input", mixed("ddi", (double)u8(2), u8(3) / 4.0, s16(4)));
    show("many reals", mixed("ddddddddddii", 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, u8(6) / 2.0, 10.0, u8(7), s8(8)));
    show("many both", mixed("iiiiiiiidddddddddi", u8(9), 1, u8(10), 2, u8(11), 3, u8(12), 4, 1.0, 2.0, 3.0, 4.0, 5.0,
                            6.0, 7.0, 8.0, 9.5, s16(14)));
    show("long double", mixed("iLi", s8(16), 3.75L, s8(17)));
    char line[64];
    int length = snprintf(line, sizeof line, "%d %.2f %c %s %ld %x", s16(18), 2.5, 'a' + u8(20) % 26, "text",
                          (long)s32(24), u32(28));
    show("printed", length * 256 + line[length - 1]);
    return finish();
}
