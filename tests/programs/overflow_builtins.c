// checks: the overflow builtins for addition, subtraction and multiplication, with equal and mixed types
#include "collection.h"

#define ALL(name, type, a, b)                                        \
    do {                                                             \
        type x = (a), y = (b), result;                               \
        _Bool over = __builtin_add_overflow(x, y, &result);          \
        show(name " + over", over);                                  \
        show(name " +", (long long)result);                          \
        over = __builtin_sub_overflow(x, y, &result);                \
        show(name " - over", over);                                  \
        show(name " -", (long long)result);                          \
        if (__builtin_mul_overflow(x, y, &result))                   \
            show(name " * over", 1);                                 \
        show(name " *", (long long)result);                          \
    } while (0)

int main(void)
{
    read_input();
    ALL("s8", int8_t, s8(0), s8(1));
    ALL("u8", uint8_t, u8(0), u8(1));
    ALL("s16", int16_t, s16(2), s16(4));
    ALL("u16", uint16_t, u16(2), u16(4));
    ALL("s32", int32_t, s32(8), s32(12));
    ALL("u32", uint32_t, u32(8), u32(12));
    ALL("s64", int64_t, s64(16), s64(24));
    ALL("u64", uint64_t, u64(16), u64(24));
    ALL("s32 constant", int32_t, s32(8), 1000000);
    int16_t narrow;
    show("s32 into s16", __builtin_add_overflow(s32(8), u8(12), &narrow));
    show("narrow", narrow);
    unsigned carried;
    show("carry", __builtin_uadd_overflow(u32(8), u32(12), &carried));
    show("carried", carried);
    return finish();
}
