// checks: minimum, maximum, absolute value, sign and clamping, branching and branch-free
#include "collection.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

int main(void)
{
    read_input();
    int32_t a = s32(0), b = s32(4);
    int64_t c = s64(8), d = s64(16);
    show("min", MIN(a, b));
    show("max", MAX(c, d));
    show("unsigned min", MIN(u32(0), u32(4)));
    show("unsigned max", (long long)MAX(u64(8), u64(16)));
    show("bytes", MIN(s8(24), s8(25)) * 256 + MAX(u8(24), u8(25)));
    show("abs", abs(a == INT32_MIN ? 0 : a));
    show("labs", labs(c == INT64_MIN ? 0 : c));
    show("abs of byte", abs(s8(26)));
    show("llabs", llabs((long long)s32(28)));
    int32_t mask = a >> 31;
    uint32_t magnitude = ((uint32_t)a ^ (uint32_t)mask) - (uint32_t)mask;
    show("branch-free", magnitude);
    show("sign", (a > 0) - (a < 0));
    show("clamped", MAX(-100, MIN(100, b)));
#if defined(__clang__) && __clang_major__ >= 15
    expect(__builtin_elementwise_min(a, b) == MIN(a, b));
    expect(__builtin_elementwise_max(u8(24), u8(25)) == MAX(u8(24), u8(25)));
    show("elementwise abs", __builtin_elementwise_abs(s16(32)));
#endif
    return finish();
}
