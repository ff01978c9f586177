// checks: saturating arithmetic, as builtins where the compiler has them and written out beside
#include "collection.h"

#ifndef __has_builtin
#define __has_builtin(name) 0
#endif

static int32_t add_s32(int32_t a, int32_t b)
{
    int32_t sum;
    return __builtin_add_overflow(a, b, &sum) ? (b < 0 ? INT32_MIN : INT32_MAX) : sum;
}

static int32_t subtract_s32(int32_t a, int32_t b)
{
    int32_t difference;
    return __builtin_sub_overflow(a, b, &difference) ? (b < 0 ? INT32_MAX : INT32_MIN) : difference;
}

static uint16_t add_u16(uint16_t a, uint16_t b)
{
    uint32_t sum = (uint32_t)a + b;
    return (uint16_t)(sum > UINT16_MAX ? UINT16_MAX : sum);
}

static uint8_t subtract_u8(uint8_t a, uint8_t b) { return (uint8_t)(a < b ? 0 : a - b); }

int main(void)
{
    read_input();
    int32_t a = s32(0), b = s32(4);
    show("add s32", add_s32(a, b));
    show("subtract s32", subtract_s32(a, b));
    show("add u16", add_u16(u16(8), u16(10)));
    show("subtract u8", subtract_u8(u8(12), u8(13)));
#if __has_builtin(__builtin_elementwise_add_sat)
    expect(__builtin_elementwise_add_sat(a, b) == add_s32(a, b));
    expect(__builtin_elementwise_sub_sat(a, b) == subtract_s32(a, b));
    show("add s64", __builtin_elementwise_add_sat(s64(16), s64(24)));
    show("subtract u64", (long long)__builtin_elementwise_sub_sat(u64(16), u64(24)));
    show("add u32", __builtin_elementwise_add_sat(u32(0), u32(4)));
    typedef uint16_t lanes __attribute__((vector_size(16)));
    lanes c = {u16(8)}, d = {u16(10)};
    expect(__builtin_elementwise_add_sat(c, d)[0] == add_u16(u16(8), u16(10)));
#endif
    return finish();
}
