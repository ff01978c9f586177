// Lists an archive: headers with octal numbers and a checksum, each followed by its data in blocks.
#include <stdio.h>
#include <string.h>

#define BLOCK 64

// A short form of tar's header, one block of 64 bytes.
struct header {
    char name[16];
    char mode[4];
    char size[8];
    char checksum[6];
    char type;
    char magic[5];
    char link[16];
    char padding[8];
};

static int is_zero(const unsigned char *block)
{
    for (int i = 0; i < BLOCK; i++)
        if (block[i])
            return 0;
    return 1;
}

static long parse_octal(const char *text, int size)
{
    long value = 0;
    int i = 0;
    while (i < size && text[i] == ' ')
        i++;
    if (i == size)
        return -1;
    for (; i < size && text[i] && text[i] != ' '; i++) {
        if (text[i] < '0' || text[i] > '7')
            return -1;
        value = value * 8 + (text[i] - '0');
    }
    return value;
}

static unsigned checksum(const unsigned char *block)
{
    unsigned sum = 0;
    for (int i = 0; i < BLOCK; i++)
        sum += i >= 28 && i < 34 ? ' ' : block[i];
    return sum;
}

static int skip(long size)
{
    unsigned char block[BLOCK];
    for (; size > 0; size -= BLOCK)
        if (fread(block, 1, BLOCK, stdin) != BLOCK)
            return -1;
    return 0;
}

static int list(const struct header *header, long size)
{
    switch (header->type) {
    case '0':
    case '\0':
        printf("file %.16s, %ld bytes\n", header->name, size);
        break;
    case '2':
        if (!header->link[0])
            return -1;
        printf("link %.16s -> %.16s\n", header->name, header->link);
        if (strncmp(header->link, "../", 3) == 0 || header->link[0] == '/')
            puts("  leads out of the archive");
        break;
    case '5':
        printf("folder %.16s\n", header->name);
        if (size != 0)
            return -1;
        break;
    default:
        return -1;
    }
    long mode = parse_octal(header->mode, sizeof header->mode);
    if (mode < 0)
        return -1;
    if (mode & 04000)
        puts("  set user id");
    if (mode & 0111)
        puts("  executable");
    return 0;
}

int main(void)
{
    unsigned char block[BLOCK];
    int entries = 0, zeros = 0;
    while (fread(block, 1, BLOCK, stdin) == BLOCK) {
        struct header header;
        if (is_zero(block)) {
            if (++zeros == 2)
                break;
            continue;
        }
        zeros = 0;
        memcpy(&header, block, sizeof header);
        if (memcmp(header.magic, "ustar", 5) != 0) {
            puts("not an archive");
            return 1;
        }
        long expected = parse_octal(header.checksum, sizeof header.checksum);
        if (expected < 0 || (unsigned)expected != checksum(block)) {
            puts("bad checksum");
            return 2;
        }
        long size = parse_octal(header.size, sizeof header.size);
        if (size < 0 || size > 4096) {
            puts("bad size");
            return 3;
        }
        if (!header.name[0] || list(&header, size) < 0) {
            puts("bad entry");
            return 4;
        }
        if (skip(size) < 0) {
            puts("truncated");
            return 5;
        }
        entries++;
    }
    if (entries == 0)
        puts("empty");
    else if (zeros < 2)
        puts("no end marker");
    return 0;
}
