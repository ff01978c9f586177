// checks: builtins that only hint: expect, unreachable, assume, prefetch, object size, constant_p
#include "collection.h"

static int small(int value)
{
    switch (value & 3) {
    case 0: return 5;
    case 1: return 7;
    case 2: return 11;
    case 3: return 13;
    }
    __builtin_unreachable();
}

__attribute__((noinline, cold)) static int rare(int value) { return value * 3; }
__attribute__((always_inline)) static inline int common(int value) { return value + 1; }

int main(void)
{
    read_input();
    if (__builtin_expect(u8(0) == 77, 0))
        show("unlikely", rare(u8(1)));
    else
        show("likely", common(u8(1)));
    if (__builtin_expect(!!(u8(2) > 3 && u8(3)), 1))
        show("likely both", 1);
    for (unsigned i = 4; i < 8; i++)
        show("small", small(u8(i)));
    char text[16];
    show("size", (long long)__builtin_object_size(text, 0));
    show("constant", __builtin_constant_p(3) * 2);
    __builtin_prefetch(input + (u8(8) & 63));
    unsigned char *aligned = __builtin_assume_aligned(input, 1);
    show("aligned", aligned[u8(9) & 31]);
#if defined(__clang__)
    unsigned limited = u8(10) & 15;
    __builtin_assume(limited < 16);
    show("assumed", limited);
#endif
    return finish();
}
