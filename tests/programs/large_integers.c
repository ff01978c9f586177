// checks: integers of more than 128 bits (_BitInt), where the compiler has them
#include "collection.h"

#if defined __BITINT_MAXWIDTH__ && __BITINT_MAXWIDTH__ >= 1100

typedef unsigned _BitInt(256) u256;
typedef _BitInt(200) s200;
typedef unsigned _BitInt(193) u193;
typedef unsigned _BitInt(1100) u1100; /* products of these stay whole */

static void show_words(const char *what, u256 value)
{
    for (int i = 0; i < 256; i += 64)
        show(what, (long long)(uint64_t)(value >> i));
}

static u256 of_input(void)
{
    return (u256)u64(0) | (u256)u64(8) << 64 | (u256)u64(16) << 128 | (u256)u64(24) << 192;
}

static s200 signed_input(void)
{
    return (s200)(of_input() >> 9);
}

static void show_arithmetic(u256 a, s200 b, u193 c)
{
    show_words("sum", a + (u256)b);
    show_words("difference", (u256)c - a);
    show_words("product", a * (u256)b);
    show_words("odd product", (u256)(u193)(c * c));
    show_words("by a constant", a * 1000003);
    show_words("bits", (a & ~(u256)b) ^ (u256)c);
    show_words("long product", (u256)((u1100)a * (u1100)c >> 300));
}

static void show_quotients(u256 a, s200 b, u193 c)
{
    s200 divisor = (s200)s32(32) | 1;
    show_words("quotient", a / 10);
    show_words("rest", (u256)(c % 1000003));
    show_words("by 63 bits", a / 0x123456789abcdef1);
    show_words("signed quotient", (u256)(b / -7));
    show_words("signed rest", (u256)(b % 97));
    show_words("negative divisor", (u256)(b % -97));
    show_words("by a variable", a / (u256)(u32(36) | 1));
    show_words("by any", (u256)(b / divisor));
}

static void show_shifts(u256 a, s200 b, u193 c)
{
    unsigned by = u8(40);
    show_words("left", a << by);
    show_words("right", a >> by);
    show_words("signed right", (u256)(b >> by % 200));
    show_words("odd left", (u256)(u193)(c << by % 193));
    show_words("by 1", a << 1 | a >> 255);
    show_words("by 64", (a << 64) + (a >> 128));
    show_words("by 100", (u256)(b >> 100));
}

static void show_comparisons(u256 a, s200 b, u193 c)
{
    show("less", a < (u256)c);
    show("not less", a >= (u256)c);
    show("signed less", b < -1);
    show("signed not greater", b <= (s200)s64(8));
    show("equal", (u193)a == c);
    show("different", a != ((u256)u64(0) | (u256)u64(8) << 64));
    show("chosen", (long long)(uint64_t)(u8(41) & 1 ? a : (u256)b));
    switch (a >> 192) {
    case 0: show("case", 0); break;
    case 5: show("case", 5); break;
    default: show("case", 9);
    }
}

static void show_conversions(u256 a, s200 b)
{
    struct { char first; s200 odd; char last; } stored = {1, b, 2};
    volatile u256 kept = a;
    unsigned __int128 cut = (unsigned __int128)a;
    show("to 64", (int64_t)b);
    show("to 17", (int)(_BitInt(17))b);
    show("to 128", (long long)(cut >> 70));
    show_words("from 128", (u256)(__int128)cut);
    show_words("from 8", (u256)(s200)(signed char)u8(42));
    show_words("in memory", kept + (u256)stored.odd + (u256)stored.first + (u256)stored.last);
    show("as a number", (double)a > 1e70);
}

int main(void)
{
    read_input();
    u256 a = of_input();
    s200 b = signed_input();
    u193 c = (u193)(a >> 5);
    show_arithmetic(a, b, c);
    show_quotients(a, b, c);
    show_shifts(a, b, c);
    show_comparisons(a, b, c);
    show_conversions(a, b);
    for (u256 left = a; left != 0; left >>= 50)
        show("loop", (long long)(uint64_t)left);
    return finish();
}

#else

int main(void)
{
    read_input();
    puts("no large _BitInt here");
    return finish();
}

#endif
