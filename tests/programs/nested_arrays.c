// checks: arrays of two and three dimensions, rows as pointers, symbolic indices in each dimension
#include "collection.h"

static int16_t cube[3][4][5];
static const uint8_t steps[4][2] = {{0, 1}, {1, 0}, {0, 3}, {3, 0}};

static int row_sum(int16_t (*rows)[5], int count)
{
    int sum = 0;
    for (int r = 0; r < count; r++)
        for (int c = 0; c < 5; c++)
            sum += rows[r][c];
    return sum;
}

int main(void)
{
    read_input();
    for (int i = 0; i < 60; i++)
        cube[i / 20][i / 5 % 4][i % 5] = (int16_t)(input[i] - i);
    show("element", cube[u8(0) % 3][u8(1) % 4][u8(2) % 5]);
    cube[u8(3) % 3][1][u8(4) % 5] = s16(6);
    show("plane", row_sum(cube[1], 4));
    show("row", row_sum(&cube[2][u8(5) & 3], 1));
    int x = 0, y = 0, visited[4][4] = {{0}};
    for (unsigned i = 8; i < 24; i++) {
        const uint8_t *step = steps[u8(i) & 3];
        x = (x + step[0]) & 3, y = (y + step[1]) & 3;
        visited[x][y]++;
    }
    int most = 0, distinct = 0;
    for (int i = 0; i < 16; i++) {
        most = visited[i / 4][i % 4] > most ? visited[i / 4][i % 4] : most;
        distinct += visited[i / 4][i % 4] != 0;
    }
    show("most", most);
    show("distinct", distinct);
    int (*pointer)[4] = &visited[1];
    show("pointer", (*pointer)[2] + pointer[1][3]);
    char board[2][2][3] = {{"ab", "cd"}, {"ef", "gh"}};
    show("letter", board[u8(24) & 1][u8(25) & 1][u8(26) & 1]);
    return finish();
}
