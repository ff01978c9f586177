// checks: a dense switch, with and without a default, inside a loop
#include "collection.h"

static int classify(int value)
{
    switch (value) {
    case 0: return 100;
    case 1: return 7;
    case 2: return -3;
    case 3: return 42;
    case 4: return 9;
    case 5: return 1000;
    case 6: return 6;
    case 7: return -70;
    }
    return 0;
}

static int with_default(unsigned char value)
{
    int result;
    switch (value % 6) {
    case 0: result = value; break;
    case 1: result = value * 2; break;
    case 2: result = value - 128; break;
    case 4: result = -value; break;
    default: result = 55; break;
    }
    return result;
}

int main(void)
{
    read_input();
    for (unsigned i = 0; i < 16; i++) {
        show("class", classify(u8(i)));
        show("signed class", classify(s8(i) & 15));
        show("default", with_default(u8(i + 16)));
    }
    return finish();
}
