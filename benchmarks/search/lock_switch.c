// A lock as state machines are mostly written: one case a state, each with its own way on. Nine steps, ten records of two
// bytes; wrong ones leave it where it is, or throw it back to an earlier state.
#include <stdio.h>

enum state { SHUT, ONE, TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, READY };
static enum state state = SHUT;

static void take(unsigned char kind, unsigned char value)
{
    switch (state) {
    case SHUT:
        if (kind == 1 && value == 'a')
            state = ONE;
        break;
    case ONE:
        if (kind == 2)
            state = value > 200 ? TWO : SHUT;
        break;
    case TWO:
        if (kind == 3 && (value & 15) == 9)
            state = THREE;
        else if (kind == 3)
            state = ONE;
        break;
    case THREE:
        if (kind == 1)
            state = value == 'd' ? FOUR : TWO;
        break;
    case FOUR:
        if (kind == 7 && value < 10)
            state = FIVE;
        else if (kind == 0)
            state = SHUT;
        break;
    case FIVE:
        if (kind == value)
            state = kind == 77 ? SIX : FOUR;
        break;
    case SIX:
        if (kind == 2 && value == 0)
            state = SEVEN;
        break;
    case SEVEN:
        if (kind + value == 300)
            state = EIGHT;
        else if (kind == 9)
            state = SHUT;
        break;
    case EIGHT:
        if (kind == 4 && value == 'z')
            state = READY;
        break;
    case READY:
        if (kind == 'g' && value == 'o')
            puts("open");
        break;
    }
}

int main(void)
{
    unsigned char record[2];
    while (fread(record, 1, sizeof record, stdin) == sizeof record)
        take(record[0], record[1]);
    return state == READY ? 0 : 1;
}
