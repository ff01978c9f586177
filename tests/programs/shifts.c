// checks: shifts of every width by every amount that C defines, the edges included
#include "collection.h"

static void shift_all(uint64_t value, unsigned amount)
{
    unsigned by64 = amount & 63, by32 = amount & 31;
    show("shl64", (long long)(value << by64));
    show("lshr64", (long long)(value >> by64));
    show("ashr64", (int64_t)value >> by64);
    show("shl32", (uint32_t)value << by32);
    show("lshr32", (uint32_t)value >> by32);
    show("ashr32", (int32_t)value >> by32);
    show("u16", (uint16_t)((uint16_t)value << (amount & 15)));
    show("s8", (int8_t)((int8_t)value >> (amount & 7)));
    expect(value >> by64 >> (63 - by64) >> 1 == 0 || by64 > 63);
}

int main(void)
{
    read_input();
    shift_all(u64(0), u8(8));
    shift_all(u64(0), 0);
    shift_all(u64(0), 1);
    shift_all(u64(0), 31);
    shift_all(u64(0), 32);
    shift_all(u64(0), 63);
    shift_all(1, u8(9));
    shift_all(UINT64_MAX, u8(10));
    shift_all(UINT64_C(1) << 63, u8(11));
    uint32_t accumulated = u32(12);
    accumulated <<= u8(16) % 32;
    accumulated >>= u8(17) % 32;
    show("assigned", accumulated);
    return finish();
}
