// checks: goto into and out of loops and blocks, irreducible control flow, labels in odd places
#include "collection.h"

static int maze(const unsigned char *at, int fuel)
{
    int total = 0;
    if (*at & 1)
        goto inside;
outside:
    total += 1;
    if (fuel-- <= 0)
        return total;
    while (*at++ & 2) {
        total += 10;
    inside:
        if (fuel-- <= 0)
            goto done;
        if (*at & 4)
            goto outside;
        if (*at & 8) {
            total += 100;
            goto other;
        }
    }
    total ^= 3;
    {
        int skipped = 5;
        total += skipped;
    other:
        skipped = 2;
        total += skipped;
    }
    if (*at++ & 16)
        goto outside;
done:
    return total * 16 + fuel;
}

static int two_entries(int which, int count)
{
    int sum = 0;
    if (which)
        goto second;
first:
    sum += count;
    if (--count < 0)
        return sum;
second:
    sum *= 2;
    if (sum > 1000)
        return -sum;
    goto first;
}

int main(void)
{
    read_input();
    for (int i = 0; i < 8; i++)
        show("maze", maze(input + i * 4, 12));
    show("zero", two_entries(u8(50) & 1, u8(51) & 15));
    show("one", two_entries(1, u8(52) & 15));
    return finish();
}
