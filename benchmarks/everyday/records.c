// Records with a checksum: magic, type, length, payload, CRC-16; an index at the end must agree.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint16_t crc(const uint8_t *p, size_t n) {
    uint16_t c = 0xffff;
    while (n--) {
        c ^= (uint16_t)(*p++ << 8);
        for (int i = 0; i < 8; i++) c = (uint16_t)(c & 0x8000 ? c << 1 ^ 0x1021 : c << 1);
    }
    return c;
}

struct state { int records, keys, values, has_index; uint8_t last_key; uint32_t sum; char name[9]; };

static int payload(struct state *s, int type, const uint8_t *p, int n) {
    switch (type) {
    case 1:
        if (n < 1 || n > 8) return 20;
        memcpy(s->name, p, n);
        s->name[n] = '\0';
        if (s->records > 0) return 21;
        break;
    case 2:
        if (n != 2) return 22;
        if (p[0] <= s->last_key && s->keys > 0) return 23;
        s->last_key = p[0];
        s->keys++;
        break;
    case 3:
        if (s->keys == 0) return 24;
        if (n != 4) return 25;
        s->sum += (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
        s->values++;
        break;
    case 4:
        if (n != 3) return 26;
        if (p[0] != s->records) return 27;
        if (p[1] != s->keys) return 28;
        if (p[2] != (s->sum & 0xff)) return 29;
        s->has_index = 1;
        break;
    default:
        return 30;
    }
    return 0;
}

int main(void) {
    uint8_t data[128];
    struct state s = {0};
    size_t n = fread(data, 1, sizeof data, stdin), at = 4;
    if (n < 4 || memcmp(data, "RECS", 4) != 0) return 1;
    while (at < n) {
        if (s.has_index) return 2;
        if (n - at < 4) return 3;
        int type = data[at], length = data[at + 1];
        if (length > 16) return 4;
        if (n - at < (size_t)length + 4) return 5;
        uint16_t want = (uint16_t)(data[at + 2 + length] << 8 | data[at + 3 + length]);
        if (crc(data + at, (size_t)length + 2) != want) { puts("checksum"); return 6; }
        int wrong = payload(&s, type, data + at + 2, length);
        if (wrong) { printf("wrong %d\n", wrong); return wrong; }
        s.records++;
        at += (size_t)length + 4;
    }
    if (!s.has_index) return 7;
    if (s.values > 1 && s.keys > 1) puts("full");
    if (strcmp(s.name, "root") == 0) puts("root");
    return 0;
}
