// checks: ?: and select of every type, nested, and short-circuit operators with effects
#include "collection.h"

static int calls;

static int called(int value)
{
    calls++;
    return value;
}

int main(void)
{
    read_input();
    int a = s8(0), b = s8(1), c = s8(2);
    show("max", a > b ? a : b);
    show("middle", a > b ? (b > c ? b : a > c ? c : a) : (a > c ? a : b > c ? c : b));
    show("clamped", a < -10 ? -10 : a > 10 ? 10 : a);
    show("wide", u8(3) & 1 ? s64(8) : u32(16));
    const char *word = u8(3) & 2 ? "yes" : "no";
    show("pointer", (long long)strlen(word));
    show("elvis", u8(4) ?: 77);
    double real = u8(5) > 100 ? 1.5 : 2.25;
    show("real", (long long)(real * 4));
    if (called(a > 0) && called(b > 0))
        show("and", 1);
    if (called(a > 5) || called(b > 5) || called(c > 5))
        show("or", 1);
    if ((called(a) && !called(b)) || (called(c) && called(a != c)))
        show("mixed", 1);
    int value = called(a < 0) && called(c < 0);
    show("as value", value);
    show("calls", calls);
    int *chosen = u8(6) < 128 ? &a : &b;
    *chosen += 3;
    show("through pointer", a * 2 + b);
    return finish();
}
