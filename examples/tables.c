// Six digits are looked up in the tables of the Damm check digit; only a few combinations pass.
//
// shows: loads through a symbolic index from tables of known size, chained; untaken.h
// run: untaken run examples/tables.c
// expect: branches=16/16 findings=0 args=""
#include <stdio.h>
#include <untaken.h>

enum { DIGITS = 6 };

static const unsigned char damm[10][10] = {
    {0, 3, 1, 7, 5, 9, 8, 6, 4, 2}, {7, 0, 9, 2, 1, 5, 4, 8, 6, 3}, {4, 2, 0, 6, 8, 7, 1, 3, 5, 9},
    {1, 7, 5, 0, 9, 8, 3, 4, 2, 6}, {6, 1, 2, 3, 0, 4, 5, 9, 7, 8}, {3, 6, 7, 4, 2, 0, 9, 5, 8, 1},
    {5, 8, 6, 9, 7, 2, 0, 1, 3, 4}, {8, 9, 4, 5, 3, 6, 2, 0, 1, 7}, {9, 4, 3, 8, 6, 1, 7, 2, 0, 5},
    {2, 5, 8, 1, 4, 3, 6, 7, 9, 0},
};

static const char *const regions[] = {"north", "east", "south", "west"};
static const unsigned char region_of[10] = {0, 0, 1, 1, 1, 2, 3, 2, 0, 3};

static int check_digit(const unsigned char *digits)
{
    int state = 0;
    for (int i = 0; i < DIGITS; i++)
        state = damm[state][digits[i]];
    return state;
}

int main(void)
{
    unsigned char digits[DIGITS];
    untaken_input(digits, sizeof digits, "digits");
    for (int i = 0; i < DIGITS; i++)
        if (digits[i] > 9)
            return 2;
    if (check_digit(digits) != 0)
        return 1;
    unsigned char region = region_of[digits[0]];
    if (region == 3)
        puts("the far west");
    else if (region == 1 && digits[1] == region_of[digits[2]])
        puts("the near east");
    puts(regions[region]);
    return digits[1] + digits[2] == 18 ? 3 : 0;
}
