// checks: packed structs and unaligned loads and stores of every size
#include "collection.h"

struct __attribute__((packed)) record {
    uint8_t tag;
    uint32_t number;
    uint16_t small;
    uint64_t big;
    int8_t last;
};

struct __attribute__((packed, aligned(2))) half { uint8_t a; uint32_t b; };

static uint32_t load32(const void *from)
{
    struct __attribute__((packed)) word { uint32_t value; };
    return ((const struct word *)from)->value;
}

static void store64(void *to, uint64_t value)
{
    struct __attribute__((packed)) word { uint64_t value; };
    ((struct word *)to)->value = value;
}

int main(void)
{
    read_input();
    struct record records[3];
    memcpy(records, input, sizeof records);
    for (int i = 0; i < 3; i++) {
        show("number", records[i].number);
        show("big", (long long)records[i].big);
        records[i].small += records[i].tag;
        records[i].big ^= records[i].number;
        show("last", records[i].last);
    }
    show("changed", records[1].small ^ (long long)(records[2].big >> 40));
    for (unsigned i = 50; i < 58; i++)
        show("unaligned", load32(input + i));
    store64(input + 3, u64(41));
    store64(input + 5, u64(1) * 3);
    show("overlapping", (long long)u64(2));
    struct half half = {u8(60), u32(16)};
    show("half", half.a + half.b);
    expect(sizeof(struct record) == 16 && sizeof(struct half) == 6);
    return finish();
}
