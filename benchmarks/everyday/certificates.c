// A decoder of nested tag-length-value records, as certificates have them.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint8_t data[256];
static size_t total;
static int integers, strings, oids, booleans, nulls, depth_seen, dates;
static long version = -1;

static int fail(const char *why, size_t at) { printf("%zu: %s\n", at, why); return -1; }

static int length_of(size_t *at, size_t end, size_t *length) {
    if (*at >= end) return fail("no length", *at);
    uint8_t first = data[(*at)++];
    if (first < 0x80) *length = first;
    else if (first == 0x80) return fail("indefinite", *at);
    else {
        int bytes = first & 0x7f;
        if (bytes > 2) return fail("length too long", *at);
        *length = 0;
        while (bytes--) {
            if (*at >= end) return fail("length cut", *at);
            *length = *length << 8 | data[(*at)++];
        }
        if (*length < 0x80) return fail("not minimal", *at);
    }
    if (*length > end - *at) return fail("too long", *at);
    return 0;
}

static int integer(size_t at, size_t length, int depth) {
    if (length == 0) return fail("empty integer", at);
    if (length > 1 && data[at] == 0 && !(data[at + 1] & 0x80)) return fail("padded", at);
    if (length > 4) return fail("large", at);
    long value = (int8_t)data[at];
    for (size_t i = 1; i < length; i++) value = value * 256 + data[at + i];
    if (depth == 1 && integers == 0) version = value;
    if (value < 0) printf("negative\n");
    integers++;
    return 0;
}

static int oid(size_t at, size_t length) {
    static const uint8_t rsa[] = {0x2a, 0x86, 0x48, 0x86, 0xf7};
    if (length == 0) return fail("empty oid", at);
    if (data[at + length - 1] & 0x80) return fail("oid cut", at);
    if (length >= sizeof rsa && memcmp(data + at, rsa, sizeof rsa) == 0) printf("rsa\n");
    oids++;
    return 0;
}

static int date(size_t at, size_t length) {
    if (length != 7) return fail("date length", at);
    for (size_t i = 0; i < 6; i++)
        if (data[at + i] < '0' || data[at + i] > '9') return fail("digit", at);
    if (data[at + 6] != 'Z') return fail("zone", at);
    int month = (data[at + 2] - '0') * 10 + data[at + 3] - '0', day = (data[at + 4] - '0') * 10 + data[at + 5] - '0';
    if (month < 1 || month > 12) return fail("month", at);
    if (day < 1 || day > 31 || (month == 2 && day > 29)) return fail("day", at);
    dates++;
    return 0;
}

static int decode(size_t at, size_t end, int depth) {
    if (depth > 5) return fail("too deep", at);
    if (depth > depth_seen) depth_seen = depth;
    while (at < end) {
        uint8_t tag = data[at++];
        size_t length;
        if (length_of(&at, end, &length) < 0) return -1;
        switch (tag) {
        case 0x01:
            if (length != 1) return fail("boolean length", at);
            if (data[at] != 0 && data[at] != 0xff) return fail("boolean", at);
            booleans++;
            break;
        case 0x02:
            if (integer(at, length, depth) < 0) return -1;
            break;
        case 0x05:
            if (length != 0) return fail("null", at);
            nulls++;
            break;
        case 0x06:
            if (oid(at, length) < 0) return -1;
            break;
        case 0x0c: case 0x13:
            for (size_t i = 0; i < length; i++) {
                if (tag == 0x13 && (data[at + i] < 32 || data[at + i] > 126)) return fail("character", at);
                if (data[at + i] == 0) return fail("zero", at);
            }
            strings++;
            break;
        case 0x17:
            if (date(at, length) < 0) return -1;
            break;
        case 0x30: case 0x31: {
            int before = integers;
            if (decode(at, at + length, depth + 1) < 0) return -1;
            if (tag == 0x31 && integers == before) return fail("set without integer", at);
            break;
        }
        default:
            if ((tag & 0xc0) != 0x80) return fail("tag", at);
            if (tag & 0x20 && decode(at, at + length, depth + 1) < 0) return -1;
        }
        at += length;
    }
    return 0;
}

int main(void) {
    total = fread(data, 1, sizeof data, stdin);
    if (total < 2 || data[0] != 0x30) { puts("no certificate"); return 1; }
    if (decode(0, total, 0) < 0) return 1;
    if (version == 2 && oids > 0 && strings > 1) puts("version 3");
    else if (version == 0) puts("version 1");
    if (dates == 2) puts("validity");
    else if (dates > 2) puts("too many dates");
    if (depth_seen > 3 && booleans && nulls) puts("rich");
    return 0;
}
