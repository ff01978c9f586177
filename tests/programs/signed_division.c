// checks: signed division and remainder, minimum values and divisors of either sign included
#include "collection.h"

#define DIVIDE(name, type, minimum, a, b)                         \
    do {                                                          \
        type x = (a), y = (b);                                    \
        if (y == 0 || (y == -1 && x == (minimum)))                \
            y = 7;                                                \
        type q = (type)(x / y), r = (type)(x % y);                \
        show(name " /", q);                                       \
        show(name " %", r);                                       \
        expect((type)(q * y + r) == x);                           \
        expect(r == 0 || (r < 0) == (x < 0));                     \
    } while (0)

int main(void)
{
    read_input();
    DIVIDE("s8", int8_t, INT8_MIN, s8(0), s8(1));
    DIVIDE("s16", int16_t, INT16_MIN, s16(2), s16(4));
    DIVIDE("s32", int32_t, INT32_MIN, s32(8), s32(12));
    DIVIDE("s64", int64_t, INT64_MIN, s64(16), s64(24));
    DIVIDE("s32 by 7", int32_t, INT32_MIN, s32(8), 7);
    DIVIDE("s32 by -8", int32_t, INT32_MIN, s32(8), -8);
    DIVIDE("minimum by s32", int32_t, INT32_MIN, INT32_MIN, s32(12));
    DIVIDE("s64 by minimum", int64_t, INT64_MIN, s64(16), INT64_MIN);
    DIVIDE("s8 near the minimum", int8_t, INT8_MIN, (int8_t)(INT8_MIN + (u8(0) & 1)), (int8_t)(-1 - (u8(1) & 1)));
    // A char is promoted before it is divided: -128 / -1 is 128 and fits.
    show("promoted", s8(0) / (s8(1) == 0 ? -1 : s8(1)));
    return finish();
}
