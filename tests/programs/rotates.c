// checks: rotates of every width (funnel shifts), by constants and by the input, and double-width shifts
#include "collection.h"

static uint8_t rotate8(uint8_t v, unsigned by) { return (uint8_t)(v << (by & 7) | v >> (-by & 7)); }
static uint16_t rotate16(uint16_t v, unsigned by) { return (uint16_t)(v << (by & 15) | v >> (-by & 15)); }
static uint32_t rotate32(uint32_t v, unsigned by) { return v << (by & 31) | v >> (-by & 31); }
static uint64_t rotate64(uint64_t v, unsigned by) { return v << (by & 63) | v >> (-by & 63); }
static uint32_t double_shift(uint32_t high, uint32_t low, unsigned by)
{
    return (uint32_t)(((uint64_t)high << 32 | low) >> (by & 31));
}

int main(void)
{
    read_input();
    for (unsigned i = 0; i < 4; i++) {
        unsigned by = u8(32 + i);
        show("8", rotate8(u8(i), by));
        show("16", rotate16(u16(i), by));
        show("32", rotate32(u32(i), by));
        show("64", (long long)rotate64(u64(i), by));
        expect(rotate32(rotate32(u32(i), by), 0u - by) == u32(i));
    }
    show("by 0", rotate32(u32(0), 0));
    show("by 7", rotate32(u32(0), 7));
    show("by 8", (long long)rotate64(u64(0), 8));
    show("double", double_shift(u32(8), u32(12), u8(36)));
#if defined(__clang__)
    show("builtin 8", __builtin_rotateleft8(u8(16), u8(37)));
    show("builtin 16", __builtin_rotateright16(u16(16), u8(38)));
    show("builtin 32", __builtin_rotateleft32(u32(16), u8(39)));
    show("builtin 64", (long long)__builtin_rotateright64(u64(16), u8(40)));
    expect(__builtin_rotateleft32(u32(16), u8(39)) == rotate32(u32(16), u8(39)));
#endif
    return finish();
}
