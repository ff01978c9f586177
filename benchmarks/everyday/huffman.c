// A Huffman decoder: a table of code lengths, canonical codes, then bits; then run lengths.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint8_t in[128];
static size_t size, position;
static int bit;

static int next_bit(void) {
    if (position >= size) return -1;
    int b = in[position] >> (7 - bit) & 1;
    if (++bit == 8) { bit = 0; position++; }
    return b;
}

static int next_bits(int n) {
    int v = 0;
    while (n--) {
        int b = next_bit();
        if (b < 0) return -1;
        v = v << 1 | b;
    }
    return v;
}

#define SYMBOLS 12
static int lengths[SYMBOLS], counts[8], firsts[8], sorted[SYMBOLS];

static int build(void) {
    int code = 0, total = 0, left = 1;
    for (int i = 0; i < SYMBOLS; i++) counts[lengths[i]]++;
    if (counts[0] == SYMBOLS) return -1;
    for (int n = 1; n < 8; n++) {
        left = left * 2 - counts[n];
        if (left < 0) return -2;
    }
    if (left > 0 && counts[0] != SYMBOLS - 1) return -3;
    for (int n = 1; n < 8; n++) {
        firsts[n] = code;
        code = (code + counts[n]) << 1;
        for (int i = 0; i < SYMBOLS; i++)
            if (lengths[i] == n) sorted[total++] = i;
    }
    return 0;
}

static int symbol(void) {
    int code = 0, index = 0;
    for (int n = 1; n < 8; n++) {
        int b = next_bit();
        if (b < 0) return -1;
        code = code << 1 | b;
        if (code - firsts[n] < counts[n]) return sorted[index + code - firsts[n]];
        index += counts[n];
    }
    return -2;
}

int main(void) {
    size = fread(in, 1, sizeof in, stdin);
    if (next_bits(8) != 'H') return 1;
    int mode = next_bits(2);
    if (mode < 0) return 2;
    if (mode == 3) return 3;
    for (int i = 0; i < SYMBOLS; i++) {
        if (mode == 0) lengths[i] = i < 4 ? 3 : 4;
        else {
            int n = next_bits(3);
            if (n < 0) return 4;
            lengths[i] = n;
        }
    }
    int wrong = build();
    if (wrong) { printf("table %d\n", wrong); return 5; }
    char out[64];
    int n = 0, last = -1;
    for (;;) {
        int s = symbol();
        if (s < 0) { printf("data %d\n", s); return 6; }
        if (s == 11) break;
        if (s == 10) {
            int repeat = next_bits(2);
            if (repeat < 0) return 7;
            if (last < 0) { puts("nothing to repeat"); return 8; }
            for (repeat += 3; repeat--;) {
                if (n == 64) return 9;
                out[n++] = (char)last;
            }
        } else {
            if (n == 64) return 9;
            last = 'a' + s;
            out[n++] = (char)last;
        }
    }
    if (mode == 2) {
        int check = 0;
        for (int i = 0; i < n; i++) check ^= out[i];
        if (bit) next_bits(8 - bit);
        if (next_bits(8) != check) { puts("check"); return 10; }
    }
    if (n > 20) puts("long");
    if (n == 0) puts("empty");
    return 0;
}
