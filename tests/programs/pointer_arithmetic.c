// checks: pointer arithmetic, differences and comparisons with indices that come from the input
#include "collection.h"

struct item {
    int16_t key;
    int32_t values[3];
    uint8_t tail;
};

static struct item items[8];

static const int32_t *find(const int32_t *from, const int32_t *to, int32_t wanted)
{
    while (from < to && *from != wanted)
        from++;
    return from;
}

int main(void)
{
    read_input();
    for (int i = 0; i < 8; i++)
        items[i] = (struct item){(int16_t)(i * 11), {i, i * i, i - 5}, u8((unsigned)i)};
    struct item *some = items + (u8(8) & 7), *other = &items[u8(9) % 8];
    show("key", some->key);
    show("value", some->values[u8(10) % 3]);
    show("tail", *(&some->tail));
    show("difference", some - other);
    show("bytes", (char *)some - (char *)other);
    show("before", some < other);
    show("same", some == other);
    const int32_t *first = items[u8(11) & 7].values;
    show("found at", find(first, first + 3, s8(12)) - first);
    struct item **indirect = &some;
    (*indirect)++;
    some -= 1;
    show("stepped", some->key);
    int32_t *backwards = &items[3].values[2];
    backwards[-(int)(u8(13) % 3)] = s32(16);
    show("stored", items[3].values[0] ^ items[3].values[1] ^ items[3].values[2]);
    uintptr_t number = (uintptr_t)some;
    show("round trip", ((struct item *)number)->values[1]);
    return finish();
}
