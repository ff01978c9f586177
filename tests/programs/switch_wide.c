// checks: a switch on 64 bits, on negative values, on 16 bits and on a _Bool
#include "collection.h"

static int wide(int64_t value)
{
    switch (value) {
    case INT64_MIN: return 1;
    case -4294967296: return 2;
    case -1: return 3;
    case 0: return 4;
    case 1: return 5;
    case 4294967296: return 6;
    case 4294967297: return 7;
    case INT64_MAX: return 8;
    default: return 0;
    }
}

static int negative(int value)
{
    switch (value) {
    case -3: return 30;
    case -2: return 20;
    case -1: return 10;
    case 0: return 1;
    case 1: return -10;
    default: return value > 0 ? -1 : 1;
    }
}

static int narrow(int16_t value)
{
    switch (value) {
    case -32768: return 1;
    case -1: return 2;
    case 32767: return 3;
    case 256: return 4;
    }
    return 0;
}

int main(void)
{
    read_input();
    show("wide", wide(s64(0)));
    show("from byte", wide((int64_t)((uint64_t)s8(8) << 32)));
    show("next", wide(s8(9)));
    for (unsigned i = 10; i < 16; i++)
        show("negative", negative(s8(i)));
    show("narrow", narrow(s16(16)));
    show("narrow high", narrow((int16_t)(u8(18) << 8)));
    switch ((_Bool)(u8(20) & 4)) {
    case 0: show("bool", 0); break;
    case 1: show("bool", 1); break;
    }
    return finish();
}
