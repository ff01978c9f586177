// checks: 128-bit integers: they may be computed concretely, but never wrongly
#include "collection.h"

typedef unsigned __int128 u128;
typedef __int128 s128;

static void show128(const char *what, u128 value)
{
    show(what, (long long)(uint64_t)value);
    show("  high", (long long)(uint64_t)(value >> 64));
}

static u128 multiply(uint64_t a, uint64_t b) { return (u128)a * b; }

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
    return finish();
}
