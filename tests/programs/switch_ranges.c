// checks: case ranges, narrow and wide, and a character classifier made of them
#include "collection.h"

static char kind(int c)
{
    switch (c) {
    case '0' ... '9': return 'd';
    case 'a' ... 'z':
    case 'A' ... 'Z': return 'l';
    case 0 ... 31: return 'c';
    case 128 ... 255: return 'x';
    default: return 'p';
    }
}

static int wide_range(int64_t value)
{
    switch (value) {
    case -1000000 ... -1: return -1;
    case 0: return 0;
    case 1 ... 1000000: return 1;
    case 1000001 ... 5000000000: return 2;
    }
    return 3;
}

int main(void)
{
    read_input();
    for (unsigned i = 0; i < 24; i++)
        show("kind", kind(u8(i)));
    show("range", wide_range(s64(24)));
    show("small range", wide_range(s32(32)));
    return finish();
}
