// checks: byte swaps, bit reversal, population counts, leading and trailing zeros, parity, first set
#include "collection.h"

int main(void)
{
    read_input();
    uint16_t a = u16(0);
    uint32_t b = u32(4);
    uint64_t c = u64(8);
    show("swap 16", __builtin_bswap16(a));
    show("swap 32", __builtin_bswap32(b));
    show("swap 64", (long long)__builtin_bswap64(c));
    expect(__builtin_bswap64(__builtin_bswap64(c)) == c);
    show("count 32", __builtin_popcount(b));
    show("count 64", __builtin_popcountll(c));
    show("count 8", __builtin_popcount(u8(16)));
    show("leading 32", __builtin_clz(b | 1));
    show("leading 64", __builtin_clzll(c | 1));
    show("trailing 32", __builtin_ctz(b | 1u << 31));
    show("trailing 64", __builtin_ctzll(c | UINT64_C(1) << 63));
    show("parity", __builtin_parity(b) * 2 + __builtin_parityll(c));
    show("first", __builtin_ffs((int)b) * 100 + __builtin_ffsll((long long)c));
    show("sign bits", __builtin_clz((unsigned)(s32(20) ^ s32(20) >> 31) | 1));
#if defined(__clang__)
    show("reverse 8", __builtin_bitreverse8(u8(24)));
    show("reverse 32", __builtin_bitreverse32(b));
    show("reverse 64", (long long)__builtin_bitreverse64(c));
    expect(__builtin_bitreverse32(__builtin_bitreverse32(b)) == b);
#endif
    int written_out = 0;
    for (uint32_t rest = b; rest; rest &= rest - 1)
        written_out++;
    expect(written_out == __builtin_popcount(b));
    return finish();
}
