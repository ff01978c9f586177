// checks: K&R definitions, implicit promotions of their arguments, and calls without a prototype
// flags: -std=gnu11 -Wno-deprecated-non-prototype -Wno-strict-prototypes
#include "collection.h"

static int combine(a, b, c)
    int a;
    char b;
    short c;
{
    return a * 100 + b * 10 + c;
}

static double weigh(value, by)
    float value;
    unsigned char by;
{
    return value * by;
}

static long length(text, limit)
    const char *text;
    unsigned long limit;
{
    unsigned long i = 0;
    while (i < limit && text[i])
        i++;
    return (long)i;
}

static int later();

int main()
{
    read_input();
    show("combine", combine(s8(0), u8(1), s16(2)));
    show("weigh", (long long)weigh(1.5f, u8(4)));
    show("length", length((char *)input + 5, (unsigned long)(u8(5) & 31)));
    show("later", later(s32(8), u8(12)));
    int (*unprototyped)() = later;
    show("pointer", unprototyped(s16(14), 3));
    return finish();
}

static int later(a, b)
    int a, b;
{
    return a / (b + 1);
}
