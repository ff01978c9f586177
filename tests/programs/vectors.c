// checks: vector types: arithmetic, comparison, lanes, shuffles, conversions, arguments
#include "collection.h"

typedef int32_t int4 __attribute__((vector_size(16)));
typedef uint32_t unsigned4 __attribute__((vector_size(16)));
typedef uint8_t byte16 __attribute__((vector_size(16)));
typedef float float4 __attribute__((vector_size(16)));

static unsigned4 mix(unsigned4 a, unsigned4 b) { return (a ^ b) + (a << 3) - (b >> 2); }

static int sum(int4 v) { return (int)((unsigned)v[0] + (unsigned)v[1] + (unsigned)v[2] + (unsigned)v[3]); }

int main(void)
{
    read_input();
    unsigned4 a, b;
    byte16 bytes;
    memcpy(&a, input, sizeof a);
    memcpy(&b, input + 16, sizeof b);
    memcpy(&bytes, input + 32, sizeof bytes);
    unsigned4 mixed = mix(a, b);
    for (int i = 0; i < 4; i++)
        show("lane", mixed[i]);
    show("chosen lane", mixed[u8(48) & 3]);
    int4 less = (int4)(a < b);
    show("less", less[0] + less[1] * 2 + less[2] * 4 + less[3] * 8);
    show("sum", sum((int4)(a & 0xffff)));
    bytes = bytes * 3 + 1;
    bytes[5] = u8(49);
    unsigned total = 0;
    for (int i = 0; i < 16; i++)
        total = total * 5 + bytes[i];
    show("bytes", total);
    unsigned4 shuffled = __builtin_shufflevector(a, b, 0, 5, 2, 7);
    show("shuffled", (long long)shuffled[1] + shuffled[3]);
    float4 reals = {u8(50), u8(51), 2, 0.5f};
    reals = reals * reals + 1;
    show("reals", (long long)(reals[0] + reals[1] + reals[2] + reals[3] * 4));
    int4 zero = {0}, picked = (int4)(a & 7);
    show("divided", sum((picked + 100) / (picked + 1)) + sum(zero));
    return finish();
}
