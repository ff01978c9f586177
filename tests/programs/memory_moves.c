// checks: memcpy, memmove and memset of all small sizes, overlapping both ways, and of unknown size
#include "collection.h"

static unsigned char space[256];

static uint32_t hash(const unsigned char *from, size_t count)
{
    uint32_t result = 1;
    for (size_t i = 0; i < count; i++)
        result = result * 33 + from[i];
    return result;
}

#define FIXED(size)                                \
    do {                                           \
        unsigned char copy[(size) + 1];            \
        memset(copy, u8(63), sizeof copy);         \
        memcpy(copy, input + 3, size);             \
        expect(copy[size] == u8(63));              \
        show("copy " #size, hash(copy, sizeof copy)); \
    } while (0)

int main(void)
{
    read_input();
    FIXED(1);
    FIXED(2);
    FIXED(3);
    FIXED(4);
    FIXED(5);
    FIXED(7);
    FIXED(8);
    FIXED(9);
    FIXED(16);
    FIXED(31);
    FIXED(60);
    memcpy(space + 64, input, 64);
    memmove(space + 67, space + 64, 40);
    show("up", hash(space + 60, 80));
    memmove(space + 61, space + 66, 50);
    show("down", hash(space + 56, 80));
    memmove(space + 64, space + 64, 32);
    size_t size = u8(0) & 63;
    memcpy(space, input, size);
    show("unknown size", hash(space, 64));
    memset(space + 10, u8(1), u8(2) & 31);
    show("filled", hash(space, 64));
    memmove(space + (u8(3) & 15), space + (u8(4) & 15), u8(5) & 63);
    show("moved", hash(space, 96));
    struct { uint32_t a; uint8_t b[6]; uint16_t c; } one = {u32(8), {u8(12), u8(13)}, u16(14)}, two = {0};
    two = one;
    show("assigned", two.a ^ two.b[1] ^ two.c);
    memset(&two, 0, sizeof two);
    expect(two.a == 0 && two.c == 0);
    memcpy(space, "constant", 9);
    expect(strcmp((char *)space, "constant") == 0);
    return finish();
}
