// checks: sign and zero extension between all widths, through variables, arguments and bit patterns
#include "collection.h"

static int64_t from_s8(int8_t value) { return value; }
static uint64_t from_u8(uint8_t value) { return value; }
static int64_t from_s16(int16_t value) { return value; }
static uint32_t as_u32(int8_t value) { return (uint32_t)value; }
static long from_int(int value) { return value; }

int main(void)
{
    read_input();
    show("s8 to s64", from_s8(s8(0)));
    show("u8 to u64", (long long)from_u8(u8(0)));
    show("s16 to s64", from_s16(s16(2)));
    show("s8 to u32", as_u32(s8(0)));
    show("s32 to long", from_int(s32(4)));
    show("u32 to s64", (int64_t)u32(4));
    show("s32 to u64", (long long)(uint64_t)s32(4));
    show("u8 to s8 to s32", (int)(int8_t)u8(0));
    show("char", (int)(char)u8(0) < 0 ? -1 : 1);
    show("xor trick", (int32_t)((u8(8) ^ 0x80u) - 0x80u));
    expect((int32_t)((u8(8) ^ 0x80u) - 0x80u) == s8(8));
    int nibble = (int)(u32(12) << 28) >> 28;
    expect(nibble >= -8 && nibble <= 7);
    show("nibble", nibble);
    // The comparison is unsigned, as C says.
    show("mixed comparison", (uint32_t)s32(4) < u32(16));
    show("signed comparison", s32(4) < s32(16));
    return finish();
}
