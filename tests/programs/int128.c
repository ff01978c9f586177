// checks: 128-bit integers, in arithmetic, comparisons, casts, memory, calls and switches
#include "collection.h"

typedef unsigned __int128 u128;
typedef __int128 s128;

static void show128(const char *what, u128 value)
{
    show(what, (long long)(uint64_t)value);
    show("  high", (long long)(uint64_t)(value >> 64));
}

static u128 multiply(uint64_t a, uint64_t b) { return (u128)a * b; }

static u128 assembled(unsigned at)
{
    u128 result = 0;
    for (unsigned i = 0; i < 16; i++)
        result = result << 8 | u8(at + i);
    return result;
}

static u128 by_bytes(const u128 *from)
{
    u128 copy;
    unsigned char *to = (unsigned char *)&copy;
    for (unsigned i = 0; i < sizeof copy; i++)
        to[i] = ((const unsigned char *)from)[i];
    return copy;
}

int main(void)
{
    read_input();
    u128 a = (u128)u64(0) << 64 | u64(8), b = (u128)u64(16) << 64 | u64(24);
    show128("add", a + b);
    show128("subtract", a - b);
    show128("multiply", a * b);
    show128("product", multiply(u64(0), u64(8)));
    show128("divide", a / (b | 1));
    show128("remainder", a % (b | 1));
    show128("signed divide", (u128)((s128)a / ((s128)(b >> 1) | 1)));
    show128("shift", a >> (u8(32) & 127));
    show128("signed shift", (u128)((s128)a >> (u8(33) & 127)));
    switch (a) {
    case 7: show("switch", 1); break;
    case (u128)7 << 64: show("switch", 2); break;
    default: show("switch", 3);
    }
    show("compare", a < b);
    show("signed compare", (s128)a < (s128)b);
    u128 stored[2] = {a ^ b, a & b};
    memcpy(&a, &stored[u8(34) & 1], sizeof a);
    show128("stored", a);
    s128 sum, difference, product;
    show("sum overflows", __builtin_add_overflow((s128)a, (s128)b, &sum));
    show("difference overflows", __builtin_sub_overflow((s128)a, (s128)b, &difference));
    show("product overflows", __builtin_mul_overflow((s128)(a >> (u8(35) & 127)), (s128)u64(36), &product));
    show128("sum", (u128)sum);
    show128("difference", (u128)difference);
    show128("product", (u128)product);
    show128("widened", (u128)(s128)s16(44));
    show128("chosen", u8(46) & 1 ? a : b);
    show128("negated", -a);
    show128("inverted", ~b);
    show("logical", a && !b);
    show128("from bytes", assembled(48));
    show("as double", (long long)((double)(s128)a / 1e30));
    show128("from double", (u128)((double)u32(52) * 1e20));
    show128("read by bytes", by_bytes(&b));
    return finish();
}
