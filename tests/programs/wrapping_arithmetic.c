// checks: addition, subtraction, multiplication and negation of every width, wrapping around
#include "collection.h"

#define WRAP(name, type, a, b)                       \
    do {                                             \
        type x = (a), y = (b);                       \
        show(name " +", (long long)(type)(x + y));   \
        show(name " -", (long long)(type)(x - y));   \
        show(name " *", (long long)(type)(1u * x * y)); \
        show(name " neg", (long long)(type)(0u - x)); \
        expect((type)((type)(x + y) - y) == x);      \
    } while (0)

int main(void)
{
    read_input();
    WRAP("u8", uint8_t, u8(0), u8(1));
    WRAP("u16", uint16_t, u16(2), u16(4));
    WRAP("u32", uint32_t, u32(8), u32(12));
    WRAP("u64", uint64_t, u64(16), u64(24));
    WRAP("u8 constant", uint8_t, u8(0), 200);
    WRAP("u64 constant", uint64_t, u64(16), 0x9e3779b97f4a7c15u);
    show("s8", (int8_t)(s8(32) + s8(33)));
    show("s16", (int16_t)(s16(34) * s16(36) / 3));
    show("s64 of s32", (int64_t)s32(40) * s32(44));
    show("mixed", (long long)((uint64_t)s8(32) + u8(33) - (uint64_t)(int64_t)s16(34)));
    return finish();
}
