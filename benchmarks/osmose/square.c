// Is this a magic square? Rows, columns and diagonals have the same sum, and all numbers differ.
#include <stdint.h>
#include <untaken.h>

#ifndef SIDE
#define SIDE 3
#endif
enum { CELLS = SIDE * SIDE };
enum { MAGIC = 0, ROW = 1, COLUMN = 2, FALLING = 3, RISING = 4, TWICE = 5 };

int main(void)
{
    uint8_t cell[CELLS];
    untaken_input(cell, sizeof cell, "cell");
    uint16_t wanted = 0;
    for (uint8_t row = 0; row < SIDE; row++) {
        uint16_t sum = 0;
        for (uint8_t column = 0; column < SIDE; column++)
            sum += cell[SIDE * row + column];
        if (row == 0)
            wanted = sum;
        else if (sum != wanted)
            return ROW;
    }
    for (uint8_t column = 0; column < SIDE; column++) {
        uint16_t sum = 0;
        for (uint8_t row = 0; row < SIDE; row++)
            sum += cell[SIDE * row + column];
        if (sum != wanted)
            return COLUMN;
    }
    uint16_t falling = 0, rising = 0;
    for (uint8_t i = 0; i < SIDE; i++) {
        falling += cell[SIDE * i + i];
        rising += cell[SIDE * i + SIDE - 1 - i];
    }
    if (falling != wanted)
        return FALLING;
    if (rising != wanted)
        return RISING;
    for (uint8_t i = 0; i < CELLS; i++)
        for (uint8_t j = 0; j < i; j++)
            if (cell[i] == cell[j])
                return TWICE;
    return MAGIC;
}
