/* A few branches from the start to the goal, but only while the first byte is small; and 20 other decisions first.
 *
 * Rewards cfg: the static path from the guard to the goal is short. Rewards generational: each step is new coverage.
 * Punishes dfs: it makes the first byte large at once, and has 2^19 paths to see before it makes it small again.
 */
#include <untaken.h>

static int opened(const char *key)
{
    if (key[0] == 'k')
        if (key[1] == 'e')
            if (key[2] == 'y')
                if (key[3] == '!')
                    return 1;
    return 0;
}

int main(void)
{
    unsigned char bytes[20];
    char key[4];
    unsigned large = 0;
    untaken_input(bytes, sizeof bytes, "bytes");
    untaken_input(key, sizeof key, "key");
    for (int i = 0; i < 20; i++)
        if (bytes[i] > 100)
            large |= 1u << i;
    return large & 1 ? 0 : opened(key);
}
