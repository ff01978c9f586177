// checks: unsigned division and remainder, divisors with the top bit set included
#include "collection.h"

#define DIVIDE(name, type, a, b)                   \
    do {                                           \
        type x = (a), y = (b);                     \
        if (y == 0)                                \
            y = 3;                                 \
        type q = (type)(x / y), r = (type)(x % y); \
        show(name " /", (long long)q);             \
        show(name " %", (long long)r);             \
        expect((type)(q * y + r) == x && r < y);   \
    } while (0)

int main(void)
{
    read_input();
    DIVIDE("u8", uint8_t, u8(0), u8(1));
    DIVIDE("u16", uint16_t, u16(2), u16(4));
    DIVIDE("u32", uint32_t, u32(8), u32(12));
    DIVIDE("u64", uint64_t, u64(16), u64(24));
    DIVIDE("u32 by 10", uint32_t, u32(8), 10);
    DIVIDE("u64 by 16", uint64_t, u64(16), 16);
    DIVIDE("u32 top", uint32_t, u32(8), u32(12) | 0x80000000u);
    DIVIDE("u64 top", uint64_t, ~u64(16), u64(24) | UINT64_C(1) << 63);
    DIVIDE("mixed widths", uint64_t, u8(0), u32(8));
    return finish();
}
