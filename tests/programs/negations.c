// checks: ! before conditions, before operands of && and ||, and before both together: which side is which
#include "collection.h"

/* Hardly ever true of random input, so that the two sides of a condition are told apart. */
static int rare(unsigned at) { return u16(at) == 4711; }

static int plain(int a, int b)
{
    int score = 0;
    if (!a)
        score += 1;
    if (!a)
        score += 2;
    else
        score += 4;
    if (!!b)
        score += 8;
    score += !a ? u8(40) : u8(41) / 3;
    while (!(score & 64))
        score += 7;
    do
        score++;
    while (!(score & 3));
    for (; !(score > 200); score += 9)
        if (!b)
            score++;
    return score;
}

static int operands(int a, int b, int c)
{
    int score = 0;
    if (!a && b)
        score += 1;
    if (a || !b)
        score += 2;
    if (!a || !b)
        score += 4;
    if (b && !c)
        score += 8;
    if ((!a && b) || !c)
        score += 16;
    if (a && (!b || c))
        score += 32;
    if ((a || !b) && !c)
        score += 64;
    return score;
}

static int groups(int a, int b, int c)
{
    int score = 0;
    if (!(a && b))
        score += 1;
    if (!(a || b))
        score += 2;
    if (!(a && b) || c)
        score += 4;
    if (!(a || b) && c)
        score += 8;
    if (!(a && !b) && c)
        score += 16;
    if (c || !(!a || b))
        score += 32;
    return score;
}

static int values(int a, int b, int c)
{
    int score = (!a && b) + 2 * (a || !b) + 4 * !c;
    while (!a && !(score > 40))
        score += 11;
    for (; b || !(score & 1); score += 3)
        if (score > 90)
            break;
    return score;
}

int main(void)
{
    read_input();
    int a = rare(0), b = rare(2), c = rare(4);
    show("plain", plain(a, b));
    show("operands", operands(a, b, c) + operands(!a, b, c) + operands(a, !b, c) + operands(a, b, !c));
    show("groups", groups(a, b, c));
    show("groups of likely ones", groups(!a, !b, c));
    show("values", values(a, b, c));
    return finish();
}
