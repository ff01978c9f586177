// A container format: magic number, length, checksum. What is behind them is reached only if all are right.
//
// shows: guards that random inputs do not pass; a checksum solved backwards; a null pointer behind it all
// run: untaken run examples/checksum.c --stdin 20
// expect: branches=20/20 findings=1 args="--stdin 20"
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct header {
    uint32_t magic;
    uint16_t length;
    uint16_t checksum;
};

/* Fletcher's checksum. */
static uint16_t fletcher(const uint8_t *data, size_t size)
{
    uint16_t low = 0, high = 0;
    for (size_t i = 0; i < size; i++) {
        low = (uint16_t)((low + data[i]) % 255);
        high = (uint16_t)((high + low) % 255);
    }
    return (uint16_t)(high << 8 | low);
}

static const char *section_name(uint8_t kind)
{
    switch (kind) {
    case 1: return "text";
    case 2: return "data";
    case 7: return NULL; // reserved, never seen
    default: return "other";
    }
}

int main(void)
{
    uint8_t file[20];
    ssize_t got = read(0, file, sizeof file);
    struct header header;
    if (got < (ssize_t)sizeof header)
        return 1;
    memcpy(&header, file, sizeof header);
    if (header.magic != 0x4c465254)
        return 2;
    if (header.length == 0 || header.length > got - (ssize_t)sizeof header)
        return 3;
    const uint8_t *body = file + sizeof header;
    if (fletcher(body, header.length) != header.checksum)
        return 4;
    const char *name = section_name(body[0]);
    if (name[0] == 't')
        puts("text follows");
    return 0;
}
