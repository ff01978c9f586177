// A decoder of run-length encoded pixels, as a fuzz target: no main, one function that takes the data.
//
// shows: LLVMFuzzerTestOneInput, unchanged; a heap overrun seen with -fsanitize=address
// run: untaken run examples/run_length.c
// expect: branches=23/24 findings=1 args=""
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 4, HEIGHT = 2 };

static int decode(const uint8_t *data, size_t size, uint8_t *pixels)
{
    size_t at = 0, row = 0, column = 0;
    while (at + 1 < size) {
        uint8_t count = data[at], value = data[at + 1];
        at += 2;
        if (count > 0) {
            if (column + count > WIDTH)
                return -1;
            memset(pixels + row * WIDTH + column, value, count);
            column += count;
        } else if (value == 0) { // end of the line
            column = 0;
            row++;
        } else if (value == 1) // end of the picture
            return (int)row;
        if (row > HEIGHT)        // one too late
            return -1;
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 4 || memcmp(data, "RL", 2) != 0)
        return 0;
    uint8_t *pixels = calloc(HEIGHT, WIDTH);
    if (!pixels)
        return 0;
    int rows = decode(data + 2, size - 2, pixels);
    if (rows == HEIGHT && pixels[0] == 0xff && pixels[WIDTH * HEIGHT - 1] == 0x7f)
        abort();
    free(pixels);
    return 0;
}
