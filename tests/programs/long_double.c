// checks: long double values, their conversions, arrays of them and arguments
#include "collection.h"

static long double mean(const long double *values, int count)
{
    long double sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum / count;
}

static long double horner(long double x, int a, int b, int c) { return (a * x + b) * x + c; }

int main(void)
{
    read_input();
    long double values[8];
    for (unsigned i = 0; i < 8; i++)
        values[i] = u8(i);
    show("mean", (long long)(mean(values, 8) * 8));
    show("polynomial", (long long)horner(s8(8), s8(9), s8(10), s8(11)));
    show("compared", values[0] < values[1]);
    show("from u64", (long long)(uint64_t)((long double)(u64(16) >> 1)));
    show("to s32", (int32_t)((long double)s32(24) / 3));
    struct { char pad; long double value; } held = {'x', u16(28)};
    held.value *= 2;
    show("held", (long long)held.value);
    return finish();
}
