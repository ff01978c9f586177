// checks: loops with many values carried round (phi nodes), swaps, early exits, nested breaks
#include "collection.h"

static unsigned gcd(unsigned a, unsigned b)
{
    while (b) {
        unsigned rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static int collatz(unsigned value)
{
    int steps = 0;
    while (value > 1 && steps < 60) {
        value = value & 1 ? 3 * value + 1 : value / 2;
        steps++;
    }
    return steps;
}

static unsigned fibonacci(unsigned count, unsigned a, unsigned b)
{
    for (unsigned i = 0; i < count; i++) {
        unsigned next = a + b;
        a = b;
        b = next;
    }
    return a;
}

static unsigned power(unsigned base, unsigned exponent, unsigned modulus)
{
    unsigned long long result = 1, square = base % modulus;
    do {
        if (exponent & 1)
            result = result * square % modulus;
        square = square * square % modulus;
    } while (exponent >>= 1);
    return (unsigned)(result % modulus);
}

int main(void)
{
    read_input();
    show("gcd", gcd(u8(0), u8(1)));
    show("collatz", collatz(u8(2)));
    show("fibonacci", fibonacci(u8(3) & 31, u8(4), u8(5)));
    show("power", power(u8(6), u8(7), u8(8) + 1u));
    int x = u8(9), y = u8(10), z = u8(11);
    for (int i = 0; i < 7; i++) {
        int old = x;
        x = y, y = z, z = old;
        if (x > y)
            z++;
    }
    show("rotated", x * 65536 + y * 256 + z);
    int pairs = 0;
    for (unsigned i = 16; i < 24; i++) {
        for (unsigned k = i + 1; k < 24; k++) {
            if (input[i] == 0)
                break;
            if (input[i] == input[k])
                continue;
            pairs += input[i] < input[k];
        }
        if (pairs > 20)
            goto out;
    }
out:
    show("pairs", pairs);
    return finish();
}
