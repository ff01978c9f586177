// checks: fread of all sizes, from buffers of all sizes, between characters that are read and pushed back
#define _GNU_SOURCE
#include "collection.h"
#include <string.h>

static char buffer[16]; /* smaller than what is read at once, and than what is there */

static void block(FILE *file, size_t size, size_t count)
{
    unsigned char bytes[64] = {0};
    size_t got = fread(bytes, size, count, file);
    unsigned sum = 0;
    for (size_t i = 0; i < sizeof bytes; i++)
        sum = sum * 31 + bytes[i];
    show("got", (long long)got);
    show("sum", sum);
    if (got > 0 && bytes[0] >= 'a' && bytes[0] < 'm')
        show("early", bytes[0]);
}

static void all_sizes(FILE *file)
{
    block(file, 1, 1);
    block(file, 2, 1);
    block(file, 0, 5);
    int c = getc(file);
    if (c != EOF)
        ungetc(c == 'x' ? 'y' : c, file);
    block(file, 1, 3);
    block(file, 4, 1);
    block(file, 1, 19);
    block(file, 8, 1);
    block(file, 3, 2);
    block(file, 5, 0);
    block(file, 2, 20);
    show("end", feof(file) != 0);
    block(file, 1, 1);
    show("character", getc(file));
}

int main(void)
{
    char copy[40], *written = NULL;
    size_t size = 0;
    setvbuf(stdin, buffer, _IOFBF, sizeof buffer);
    memset(copy, 'c', sizeof copy);
    size_t got = fread(copy, 1, 20, stdin);
    all_sizes(stdin);
    FILE *memory = fmemopen(copy, got + 9, "r"); /* a FILE without a descriptor */
    all_sizes(memory);
    fclose(memory);
    memory = open_memstream(&written, &size);
    fwrite(copy, 1, got, memory);
    show("not for reading", (long long)fread(copy, 1, 1, memory));
    fclose(memory);
    show("written", (long long)size);
    free(written);
    return finish();
}
