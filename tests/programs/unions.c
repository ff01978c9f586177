// checks: unions: the same bytes as numbers of several widths, as floats, as structs, by value
#include "collection.h"

union number {
    uint64_t whole;
    uint32_t halves[2];
    uint16_t quarters[4];
    uint8_t bytes[8];
    double real;
    float small[2];
    struct { int8_t sign; int16_t value; } parts;
};

static union number twist(union number n)
{
    uint32_t low = n.halves[0];
    n.halves[0] = n.halves[1];
    n.halves[1] = low;
    return n;
}

struct value {
    enum { INTEGER, TEXT, PAIR } kind;
    union { int64_t integer; char text[16]; struct { int16_t a, b; } pair; };
};

static long weight(struct value value)
{
    switch (value.kind) {
    case INTEGER: return (long)(value.integer & 0xffff);
    case TEXT: return (long)strlen(value.text);
    case PAIR: return value.pair.a - value.pair.b;
    }
    return -1;
}

int main(void)
{
    read_input();
    union number n = {.whole = u64(0)};
    show("half", n.halves[1]);
    show("quarter", n.quarters[2]);
    show("byte", n.bytes[5]);
    n.bytes[3] = u8(8);
    n.quarters[3] ^= 0x00ff;
    show("whole", (long long)n.whole);
    show("twisted", (long long)twist(n).whole);
    n.parts.value = s16(10);
    show("parts", n.parts.value + n.parts.sign);
    n.real = u8(12) * 0.5;
    show("bits of a real", n.halves[1]);
    n.small[0] = 1.0f;
    show("bits of a float", n.halves[0]);
    struct value values[3] = {{INTEGER, .integer = s32(16)}, {TEXT, .text = "some"}, {PAIR, .pair = {s16(20), s16(22)}}};
    memset(values[1].text, 'x', (u8(24) & 7) + 4u);
    show("weight", weight(values[u8(25) % 3]));
    for (int i = 0; i < 3; i++)
        show("weights", weight(values[i]));
    return finish();
}
