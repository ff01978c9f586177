/* Five records set a state, one step at a time; the right one of each state opens the next, and there are six in all.
 *
 * Rewards earliest: no decision mentions the state, so what counts is to get to each with input left, and it keeps the way
 * to each branch that took the least. Punishes cfg and bfs, whose first way to a state may take the last record, and
 * which from there have nothing left to decide.
 */
#include <untaken.h>

static int state, errors;

static void count(int kind, int value)
{
    switch (kind) {
    case 0: if (value > 5) errors++; break;
    case 1: if (value & 1) errors--; break;
    case 2: if (errors > 2) errors = 0; break;
    case 3: for (int i = 0; i < (value & 3); i++) errors++; break;
    }
}

static void step(int kind, int value)
{
    switch (state) {
    case 0: if (kind == 2 && value == 100) state = 1; break;
    case 1: if (kind == 0 && value == 103) state = 2; break;
    case 2: if (kind == 3 && value == 106) state = 3; break;
    case 3: if (kind == 1 && value == 109) state = 4; break;
    case 4: if (kind == 2 && value == 112) state = 5; break;
    }
}

int main(void)
{
    for (int record = 0; record < 6; record++) {
        unsigned char bytes[2];
        untaken_input(bytes, sizeof bytes, "record");
        count(bytes[0] % 5, bytes[1]);
        step(bytes[0] % 5, bytes[1]);
    }
    return state == 5;
}
