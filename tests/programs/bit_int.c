// checks: integers of odd widths (_BitInt), where the compiler has them
#include "collection.h"

#ifdef __BITINT_MAXWIDTH__

typedef unsigned _BitInt(24) u24;
typedef unsigned _BitInt(100) u100;

static u24 mix(u24 a, u24 b) { return (a ^ b) * (u24)5 + a; }

int main(void)
{
    read_input();
    _BitInt(7) small = (_BitInt(7))u8(0);
    unsigned _BitInt(13) odd = (unsigned _BitInt(13))u16(2);
    _BitInt(33) above = (_BitInt(33))s64(8);
    unsigned _BitInt(63) below = (unsigned _BitInt(63))u64(16);
    show("7 bits", (int)small);
    show("13 bits", (int)odd);
    show("33 bits", (long long)above);
    show("63 bits", (long long)below);
    show("13 squared", (int)(unsigned _BitInt(13))(odd * odd));
    show("33 shifted", (long long)(above >> 5));
    show("63 divided", (long long)(below / (odd | (unsigned _BitInt(13))1)));
    show("mixed", (long long)mix((u24)u32(24), (u24)u32(28)));
    show("compared", small < (_BitInt(7))u8(1));
    u100 wide = (u100)u64(32) << 36 | u64(40);
    show("100 bits", (long long)(uint64_t)(wide >> 50));
    show("100 bits divided", (long long)(uint64_t)(wide / (u100)1000003));
    return finish();
}

#else

int main(void)
{
    read_input();
    puts("no _BitInt here");
    return finish();
}

#endif
