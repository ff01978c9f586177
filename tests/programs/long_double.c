// checks: long double values, their conversions, arrays of them and arguments
// flags: -lm
#include <math.h>

#include "collection.h"

static long double mean(const long double *values, int count)
{
    long double sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum / count;
}

static long double horner(long double x, int a, int b, int c) { return (a * x + b) * x + c; }

/* Any bits but those of an exponent that is too large for arithmetic to say much. */
static long double from_bytes(unsigned at)
{
    unsigned char bytes[sizeof(long double)] = {0};
    long double value;
    for (unsigned i = 0; i < 10; i++)
        bytes[i] = u8(at + i);
    bytes[7] |= 0x80;
    bytes[9] = (bytes[9] & 0x80) | (0x3f + (bytes[9] & 1));
    memcpy(&value, bytes, sizeof value);
    return value;
}

static void show_bits(const char *what, long double value)
{
    uint64_t low;
    uint16_t high;
    memcpy(&low, &value, sizeof low);
    memcpy(&high, (const char *)&value + sizeof low, sizeof high);
    show(what, (long long)low);
    show("  high", high);
}

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
    long double raw = from_bytes(30), other = from_bytes(40);
    show("ordered", raw < other);
    show("not above", raw <= other);
    show("equal", raw == other);
    show("unlike", raw != other);
    show("not a number", isnan(raw));
    show_bits("sum", raw + other);
    show_bits("difference", raw - other);
    show_bits("product", raw * other);
    show_bits("quotient", raw / other);
    show_bits("negated", -raw);
    show_bits("magnitude", fabsl(raw));
    long double number = (long double)s64(50) / 1024;
    show_bits("floor", floorl(number));
    show_bits("ceil", ceill(number));
    show_bits("trunc", truncl(number));
    show_bits("round", roundl(number));
    show_bits("rint", rintl(number));
    show("to double", (long long)((double)number * 8));
    show("to float", (long long)(float)number);
    show("to u64", (long long)(uint64_t)fabsl(number));
    show("to u8", (uint8_t)(int)(number / 1e18L));
    show_bits("from u128", (long double)((unsigned __int128)u64(50) << 40 | u64(42)));
    show_bits("from double", (double)s32(24) * 0.1L);
    show("in steps", (number * 3 + 1) / 7 > 1000.5L);
    return finish();
}
