/* The goal depends on the first four decisions alone, in a mixture; ten others follow.
 *
 * Rewards bfs: it has tried all of the first four before it comes to the others. Rewards uniform and random-branch,
 * which come by any mixture soon.
 * Punishes dfs: it keeps its first choice of the four until it has seen 2^10 paths. Punishes random: a byte is right
 * once in 256 times.
 */
#include <untaken.h>

int main(void)
{
    char bytes[14];
    unsigned code = 0;
    untaken_input(bytes, sizeof bytes, "bytes");
    for (int i = 0; i < 14; i++)
        if (bytes[i] == 'x')
            code |= 1u << i;
    if ((code & 15) == 5)
        return 1;
    return 0;
}
