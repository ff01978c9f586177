// checks: structs as variable arguments, in registers, split off and in memory
#include "collection.h"
#include <stdarg.h>

struct small { int32_t a, b; };
struct two { int64_t a, b; };
struct large { int32_t values[10]; };
struct real { double a; int32_t b; };

static int64_t take(const char *shape, ...)
{
    va_list list;
    int64_t total = 0;
    va_start(list, shape);
    for (; *shape; shape++) {
        total = (int64_t)((uint64_t)total * 7);
        if (*shape == 's') {
            struct small s = va_arg(list, struct small);
            total ^= s.a ^ (int64_t)s.b * 8;
        } else if (*shape == 't') {
            struct two t = va_arg(list, struct two);
            total ^= t.a ^ t.b;
        } else if (*shape == 'l') {
            struct large l = va_arg(list, struct large);
            for (int i = 0; i < 10; i++)
                total += l.values[i];
        } else if (*shape == 'r') {
            struct real r = va_arg(list, struct real);
            total += (int64_t)r.a + r.b;
        } else
            total += va_arg(list, int);
    }
    va_end(list);
    return total & 0xffffffffff;
}

int main(void)
{
    read_input();
    struct small small = {s32(0), s16(4)};
    struct two two = {s32(8), s32(12)};
    struct large large = {{s8(16), s8(17), 3, s8(18)}};
    struct real real = {u8(20), s16(22)};
    show("small", take("sis", small, u8(24), (struct small){1, 2}));
    show("two", take("tt", two, two));
    show("large", take("ili", s8(25), large, s8(26)));
    show("real", take("rrri", real, real, real, 5));
    show("all", take("sltriisttl", small, large, two, real, s8(27), 4, small, two, two, large));
    return finish();
}
