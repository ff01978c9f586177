// What kind of triangle has sides of these lengths?
#include <stdint.h>
#include <untaken.h>

enum { NONE = 1, EQUILATERAL = 2, ISOSCELES = 3, RIGHT = 4, SCALENE = 5 };

static void swap(uint8_t *a, uint8_t *b)
{
    uint8_t kept = *a;
    *a = *b;
    *b = kept;
}

static void order(uint8_t *a, uint8_t *b)
{
    if (*a > *b)
        swap(a, b);
}

static void sort(uint8_t *a, uint8_t *b, uint8_t *c)
{
    order(a, b);
    order(b, c);
    order(a, b);
}

static uint16_t square(uint8_t side) { return (uint16_t)side * side; }

int main(void)
{
    uint8_t sides[3];
    untaken_input(sides, sizeof sides, "sides");
    uint8_t a = sides[0], b = sides[1], c = sides[2];
    if (a == 0 || b == 0 || c == 0)
        return NONE;
    sort(&a, &b, &c);
    if (a + b <= c)
        return NONE;
    if (a == c)
        return EQUILATERAL;
    if (a == b || b == c)
        return ISOSCELES;
    if (square(a) + square(b) == square(c))
        return RIGHT;
    return SCALENE;
}
