/* The goal lies a few branches behind the first decision, on the side where the program begins; twenty decisions that
 * have nothing to do with it follow.
 *
 * Rewards cfg: the static path from the first decision to the goal is short, and from the twenty there is none.
 * Rewards cgs and generational, which try each decision of the first path before they go deeper.
 * Punishes dfs: it takes the other side of the first decision at once, and has 2^20 paths to see before it comes back.
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
    unsigned char closed, bytes[20];
    char key[4];
    int large = 0, goal = 0;
    untaken_input(&closed, sizeof closed, "closed");
    untaken_input(key, sizeof key, "key");
    untaken_input(bytes, sizeof bytes, "bytes");
    if (!closed)
        goal = opened(key);
    for (int i = 0; i < 20; i++)
        if (bytes[i] > 100)
            large++;
    return goal + large;
}
