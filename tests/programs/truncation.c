// checks: truncation between all widths, and that what was cut off is gone
#include "collection.h"

int main(void)
{
    read_input();
    uint64_t whole = u64(0);
    uint32_t half = (uint32_t)whole;
    uint16_t quarter = (uint16_t)half;
    uint8_t byte = (uint8_t)quarter;
    show("u32", half);
    show("u16", quarter);
    show("u8", byte);
    show("s32", (int32_t)whole);
    show("s16", (int16_t)whole);
    show("s8", (int8_t)whole);
    show("bool", (_Bool)whole);
    show("bool of the low byte", (_Bool)byte);
    expect(byte == (whole & 255) && quarter == (whole & 0xffff));
    expect((uint64_t)(uint32_t)(whole >> 32) << 32 == (whole & 0xffffffff00000000u));
    uint8_t sum = 0;
    for (int i = 8; i < 24; i++)
        sum = (uint8_t)(sum * 31 + input[i]);
    show("sum", sum);
    char narrow = (char)(u16(24) >> 4);
    show("narrow", narrow);
    return finish();
}
