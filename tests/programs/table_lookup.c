// checks: loads and stores through symbolic indices: constant tables, tables of the input, several widths
#include "collection.h"

static const uint8_t sbox[16] = {12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2};
static const int32_t wide[8] = {-1, 1000000, 7, -70000, 0, 3, INT32_MAX, INT32_MIN};
static const int64_t widest[4] = {INT64_MIN, -1, 1, INT64_MAX};
static uint16_t counts[16];

int main(void)
{
    read_input();
    uint8_t byte = u8(0);
    show("substituted", sbox[byte >> 4] << 4 | sbox[byte & 15]);
    show("twice", sbox[sbox[u8(1) & 15]]);
    show("wide", wide[u8(2) & 7]);
    show("widest", widest[u8(3) & 3]);
    for (unsigned i = 8; i < 24; i++)
        counts[u8(i) & 15]++;
    unsigned largest = 0;
    for (unsigned i = 1; i < 16; i++)
        if (counts[i] > counts[largest])
            largest = i;
    show("largest", largest);
    uint8_t table[16];
    for (unsigned i = 0; i < 16; i++)
        table[i] = (uint8_t)(u8(24 + i) ^ i);
    show("symbolic entries", table[u8(40) & 15] + table[u8(41) & 15]);
    table[u8(42) & 15] = 200;
    show("after store", table[u8(40) & 15]);
    uint8_t permutation[16];
    for (uint8_t i = 0; i < 16; i++)
        permutation[i] = i;
    for (unsigned i = 0; i < 16; i++) {
        unsigned k = (u8(i) + permutation[i]) & 15;
        uint8_t old = permutation[i];
        permutation[i] = permutation[k], permutation[k] = old;
    }
    unsigned seen = 0;
    for (unsigned i = 0; i < 16; i++)
        seen |= 1u << permutation[i];
    expect(seen == 0xffff);
    show("permuted", permutation[0] * 256 + permutation[u8(43) & 15]);
    show("negative", wide[4 - (int)(u8(44) & 3)]);
    return finish();
}
