// Decodes base64 from standard input, then says whether the result is well-formed UTF-8.
#include <stdio.h>
#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static int decode(const char *text, size_t length, unsigned char *out)
{
    unsigned buffer = 0;
    int bits = 0, padding = 0, count = 0;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (c == '\n' || c == '\r')
            continue;
        if (c == '=') {
            if (++padding > 2)
                return -1;
            continue;
        }
        if (padding)
            return -2;
        const char *at = c ? strchr(alphabet, c) : NULL;
        if (!at)
            return -3;
        buffer = buffer << 6 | (unsigned)(at - alphabet);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            out[count++] = (unsigned char)(buffer >> bits);
        }
    }
    if (padding && (bits + 2 * padding) % 8 != 0 && bits != 2 * padding)
        return -4;
    if (bits && (buffer & ((1u << bits) - 1)))
        return -5;
    return count;
}

struct statistics {
    int characters, ascii, two, three, four;
    int bom, surrogates;
};

static int check_utf8(const unsigned char *data, int length, struct statistics *s)
{
    for (int i = 0; i < length;) {
        unsigned char c = data[i];
        int more;
        unsigned code;
        if (c < 0x80) {
            s->ascii++;
            more = 0;
            code = c;
        } else if ((c & 0xe0) == 0xc0) {
            s->two++;
            more = 1;
            code = c & 0x1f;
        } else if ((c & 0xf0) == 0xe0) {
            s->three++;
            more = 2;
            code = c & 0x0f;
        } else if ((c & 0xf8) == 0xf0) {
            s->four++;
            more = 3;
            code = c & 0x07;
        } else
            return i;
        if (i + more >= length)
            return i;
        for (int k = 1; k <= more; k++) {
            if ((data[i + k] & 0xc0) != 0x80)
                return i;
            code = code << 6 | (data[i + k] & 0x3f);
        }
        if ((more == 1 && code < 0x80) || (more == 2 && code < 0x800) || (more == 3 && code < 0x10000))
            return i;
        if (code >= 0xd800 && code < 0xe000) {
            s->surrogates++;
            return i;
        }
        if (code > 0x10ffff)
            return i;
        if (code == 0xfeff && i == 0)
            s->bom = 1;
        s->characters++;
        i += more + 1;
    }
    return -1;
}

int main(void)
{
    char text[65];
    unsigned char data[64];
    struct statistics statistics = {0};
    size_t length = fread(text, 1, sizeof text - 1, stdin);
    int count = decode(text, length, data);
    switch (count) {
    case -1: puts("too much padding"); return 1;
    case -2: puts("text after padding"); return 1;
    case -3: puts("not in the alphabet"); return 1;
    case -4: puts("wrong padding"); return 1;
    case -5: puts("bits left over"); return 1;
    case 0: puts("empty"); return 0;
    }
    int bad = check_utf8(data, count, &statistics);
    if (bad >= 0) {
        printf("not UTF-8 at byte %d\n", bad);
        return 2;
    }
    if (statistics.bom)
        puts("begins with a byte order mark");
    if (statistics.ascii == statistics.characters)
        puts("plain ASCII");
    else if (statistics.four > 1 && statistics.three > 0)
        puts("many planes");
    if (data[0] == '{' && data[count - 1] == '}')
        puts("may be JSON");
    if (count >= 4 && memcmp(data, "%PDF", 4) == 0)
        puts("a document");
    return 0;
}
