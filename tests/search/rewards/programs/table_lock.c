/* A lock whose right codes are in a table: no branch says which step it has come to, only how often a loop went round.
 *
 * Rewards earliest, which takes each length of such a streak for a state of its own, and goes on from what is new behind
 * it, though it is old elsewhere. Punishes cfg, which goes by branches alone: after the second step nothing is new until
 * the last.
 */
#include <untaken.h>

static const unsigned char codes[] = {0x31, 0x72, 0x15, 0xa4};
enum { STEPS = sizeof codes };
static int step;

static void turn(int code, int way)
{
    for (int i = 0; i < STEPS; i++) {
        if (step != i)
            continue;
        if (code == codes[i] && way == 'L' + i)
            step = i + 1;
        return;
    }
}

int main(void)
{
    for (int record = 0; record < STEPS + 1; record++) {
        unsigned char bytes[2];
        untaken_input(bytes, sizeof bytes, "record");
        turn(bytes[0], bytes[1]);
    }
    return step == STEPS ? 0 : 1;
}
