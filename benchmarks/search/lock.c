// A lock of STEPS steps. Each record of two bytes may move it one step on; a wrong one leaves it where it is or throws it
// back. The step is never computed from the input: no condition on it can be flipped. Input: STEPS + 1 records.
#include <stdio.h>

#ifndef STEPS
#define STEPS 9
#endif

static const unsigned char codes[] = {0x31, 0x72, 0x15, 0xa4, 0x5b, 0xc6, 0x27, 0x98, 0x69, 0xea, 0x4b, 0x1c, 0xdd, 0x3e};
static int step;

static void turn(int code, int way)
{
    if (way != 'L' && way != 'R')
        return;
    for (int i = 0; i < STEPS; i++) {
        if (step != i)
            continue;
        if (code == codes[i] && way == (i % 2 ? 'L' : 'R'))
            step = i + 1;
        else if (code == codes[i])
            step = i / 2;
        return;
    }
}

int main(void)
{
    unsigned char record[2];
    while (fread(record, 1, sizeof record, stdin) == sizeof record) {
        if (step == STEPS) {
            if (record[0] == 'o' && record[1] == 'k')
                puts("open");
            else
                puts("closed again");
            return 0;
        }
        turn(record[0], record[1]);
    }
    return 1;
}
