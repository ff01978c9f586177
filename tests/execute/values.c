/* Instrumented for real by tests/execute/test_session.py: a little of everything whose value the evaluator recomputes. */
#include <untaken.h>

static const unsigned char table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};

int main(void) {
    int x;
    unsigned char s[4];
    int found = 0;
    untaken_input(&x, sizeof x, "x");
    untaken_input(s, sizeof s, "s");
    if (x / 3 == 5 && x % 7 == 1)
        found += 1;
    if ((unsigned)x >> (s[0] & 31) == 77)
        found += 2;
    if (table[s[1] & 15] == 9)
        found += 4;
    for (int i = 0; i < 4; i++)
        if (s[i] * 3u == 9u)
            found += 8;
    return found;
}
