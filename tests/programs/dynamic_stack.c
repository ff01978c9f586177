// checks: alloca and variable-length arrays of one and two dimensions, in loops and recursion
#include "collection.h"
#include <alloca.h>

static int sum(int rows, int columns, int (*matrix)[columns])
{
    int total = 0;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            total += matrix[r][c] * (r - c);
    return total;
}

static int fill(int rows, int columns)
{
    int matrix[rows][columns];
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            matrix[r][c] = input[(r * columns + c) & 63];
    expect(sizeof matrix == sizeof(int) * (size_t)rows * (size_t)columns);
    return sum(rows, columns, matrix);
}

static int reversed(int count)
{
    unsigned char *copy = alloca((size_t)count);
    for (int i = 0; i < count; i++)
        copy[i] = input[count - 1 - i];
    int result = 0;
    for (int i = 0; i < count; i++)
        result = (result * 7 + copy[i]) & 0xffff;
    return result;
}

static int deepen(int left, const char *outer)
{
    char local[left + 2];
    memset(local, left, sizeof local);
    local[left] = outer[0];
    return left == 0 ? local[0] : deepen(left - 1, local) + local[left];
}

int main(void)
{
    read_input();
    show("matrix", fill((u8(0) & 3) + 1, (u8(1) & 7) + 1));
    show("reversed", reversed((u8(2) & 31) + 1));
    show("deepened", deepen(u8(3) & 7, "q"));
    int total = 0;
    for (int i = 1; i < 6; i++) {
        uint16_t values[i];
        for (int k = 0; k < i; k++)
            values[k] = (uint16_t)(u16((unsigned)(k * 2)) >> i);
        total += values[u8(4) % (unsigned)i];
    }
    show("in a loop", total);
    return finish();
}
