// checks: expressions of floats and doubles from any bits: arithmetic, all comparisons, rounding, signs, conversions
// flags: -lm
#include "collection.h"
#include <math.h>

static double real(unsigned at)
{
    uint64_t bits = u64(at);
    double value;
    memcpy(&value, &bits, sizeof value);
    return u8(at) & 1 ? value : (double)s16(at) / 4;
}

static float single(unsigned at)
{
    uint32_t bits = u32(at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return u8(at) & 1 ? value : (float)s16(at) / 2;
}

static long long bits_of(double value)
{
    long long bits;
    memcpy(&bits, &value, sizeof bits);
    return value == value ? bits : 0x7ff8000000000000LL;
}

static long long cut(double value) { return value > -1e9 && value < 1e9 ? (long long)value : -1; }

static int compared(double a, double b)
{
    int all = a < b;
    all = 2 * all + (a <= b);
    all = 2 * all + (a > b);
    all = 2 * all + (a >= b);
    all = 2 * all + (a == b);
    all = 2 * all + (a != b);
    all = 2 * all + !(a < b);
    all = 2 * all + !(a >= b);
    all = 2 * all + __builtin_isless(a, b);
    all = 2 * all + __builtin_islessgreater(a, b);
    all = 2 * all + __builtin_isunordered(a, b);
    return all;
}

int main(void)
{
    read_input();
    double a = real(0), b = real(8);
    float c = single(16), d = single(20);
    show("sum", bits_of(a + b));
    show("difference", bits_of(a - b));
    show("product", bits_of(a * b));
    show("quotient", bits_of(a / b));
    show("float sum", bits_of(c + d));
    show("float product", bits_of(c * d));
    show("float quotient", bits_of(c / d));
    show("contracted", bits_of(a * b + 1));
    show("mixed", bits_of(a + c));
    show("narrowed", bits_of((float)a));
    show("compared", compared(a, b));
    show("compared floats", compared(c, d));
    show("compared with itself", compared(a, a));
    show("negated", bits_of(-a));
    show("magnitude", bits_of(fabs(b)));
    show("floor", bits_of(floor(a)));
    show("ceiling", bits_of(ceil(a)));
    show("truncated", bits_of(trunc(a)));
    show("rounded", bits_of(round(a)));
    show("to even", bits_of(rint(a)));
    show("float floor", bits_of(floorf(c)));
    show("float rounded", bits_of(roundf(d)));
    show("least", bits_of(fmin(a, b)));
    show("largest", bits_of(fmax(a, b)));
    show("kinds", isnan(a) + 2 * isinf(b) + 4 * isfinite(a) + 8 * !!isinf(c));
    show("to int", (int)cut(a));
    show("to char", (signed char)cut(b / 1e7));
    show("to unsigned", (unsigned)cut(fabs(a)));
    show("to unsigned long", (long long)(unsigned long long)(fabs((double)cut(b)) * 9e9));
    show("from unsigned long", bits_of((double)u64(24)));
    show("from long", bits_of((float)s64(24)));
    show("from bit", bits_of((double)(_Bool)(u8(33) & 1)));
    show("chosen", bits_of((u8(34) > 99 ? a : b) + 1));
    show("sign bit", bits_of(a * b) < 0);
    if (a * 0.5 + b > 100)
        show("large", 1);
    if (c > 0 && sqrt(c) < 3)
        show("small root", 1);
    return finish();
}
