// checks: float and double arithmetic, comparisons, and conversions from and to every integer type
// flags: -lm -ffp-contract=off
#include "collection.h"
#include <math.h>

static float average(float a, float b) { return (a + b) / 2; }
static double scale(int value, double by) { return value * by; }

int main(void)
{
    read_input();
    show("from s8", (long long)((float)s8(0) * 3));
    show("from u32", (long long)((double)u32(4) / 7));
    show("from s64", (long long)((double)(s64(8) >> 12) * 0.5));
    show("from u64", (long long)((double)u64(8) / 65536));
    show("to u8", (uint8_t)(u8(1) * 0.99));
    show("to s16", (int16_t)(s8(2) * 1.5f));
    show("to u64", (long long)(uint64_t)((double)u32(4) * 1e6));
    show("average", (long long)(average(u8(16), u8(17)) * 2));
    show("scaled", (long long)scale(s16(18), 0.125));
    show("compared", (float)s8(20) < (float)s8(21));
    show("equal", (double)u8(20) == (double)u8(21));
    if (scale(u8(22), 2.5) > 300.0)
        show("large", 1);
    show("root", (long long)(sqrt(u16(24)) * 1000));
    show("floor", (long long)floor(s16(26) / 3.0));
    show("absolute", (long long)fabs((double)s16(26)));
    show("unordered", __builtin_isnan(u8(28) > 99 ? NAN : 1.0));
    show("infinite", isinf(u8(29) > 99 ? INFINITY : 1.0) + 2 * isfinite(u8(29) / 2.0));
    float bits;
    uint32_t pattern = 0x3f800000u | (u32(32) & 0x7fffffu);
    memcpy(&bits, &pattern, sizeof bits);
    show("pattern", (long long)(bits * 1000000));
    double sum = 0;
    for (unsigned i = 36; i < 52; i++)
        sum += u8(i) * 0.25;
    show("sum", (long long)(sum * 4));
    return finish();
}
