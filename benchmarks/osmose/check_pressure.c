// A valve is steered by three sensors of one pressure.
#include <stdint.h>
#include <untaken.h>

enum { LEAST = 10, APART = 8, ALARM = 200 };
enum { FAULT = 1, DISAGREEMENT = 2, SHUT = 3, OPEN = 4 };

static uint8_t larger(uint8_t a, uint8_t b)
{
    if (a > b)
        return a;
    return b;
}

static uint8_t smaller(uint8_t a, uint8_t b)
{
    if (a < b)
        return a;
    return b;
}

int main(void)
{
    uint8_t a, b, c;
    untaken_input(&a, sizeof a, "a");
    untaken_input(&b, sizeof b, "b");
    untaken_input(&c, sizeof c, "c");
    uint8_t most = larger(larger(a, b), c);
    if (most < LEAST)
        return FAULT;
    uint8_t least = smaller(smaller(a, b), c);
    if (most - least > APART)
        return DISAGREEMENT;
    if (most > ALARM)
        return SHUT;
    return OPEN;
}
