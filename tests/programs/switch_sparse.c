// checks: a sparse switch on 32 bits, on characters and on an enumeration
#include "collection.h"

enum colour { RED = -5, GREEN = 1000, BLUE = 77777 };

static int sparse(uint32_t value)
{
    switch (value) {
    case 0: return 1;
    case 17: return 2;
    case 4096: return 3;
    case 0x7fffffff: return 4;
    case 0x80000000: return 5;
    case 0xffffffff: return 6;
    case 0xdeadbeef: return 7;
    default: return 0;
    }
}

static int character(char c)
{
    switch (c) {
    case 'a': case 'e': case 'i': case 'o': case 'u': return 1;
    case '\0': return 2;
    case '\n': case '\t': case ' ': return 3;
    case '\xff': return 4;
    default: return 0;
    }
}

static const char *name(enum colour colour)
{
    switch (colour) {
    case RED: return "red";
    case GREEN: return "green";
    case BLUE: return "blue";
    }
    return "none";
}

int main(void)
{
    read_input();
    show("sparse", sparse(u32(0)));
    show("small", sparse(u8(4)));
    show("extreme", sparse((uint32_t)s8(5)));
    for (unsigned i = 8; i < 24; i++)
        show("character", character((char)u8(i)));
    enum colour colours[] = {RED, GREEN, BLUE, (enum colour)3};
    show("colour", name(colours[u8(24) & 3])[0]);
    return finish();
}
