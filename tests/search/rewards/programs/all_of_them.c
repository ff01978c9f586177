/* The goal is reached only if all ten bytes are right; a byte more that is right covers nothing new by itself.
 *
 * Rewards dfs: its first descent flips one byte after the other and keeps them.
 * Punishes cfg, cgs, generational and bfs, which have no reason to keep a flip that covered nothing, and random-branch
 * and uniform, which undo as many as they do.
 */
#include <untaken.h>

int main(void)
{
    char bytes[10];
    int right = 0;
    untaken_input(bytes, sizeof bytes, "bytes");
    for (int i = 0; i < 10; i++)
        if (bytes[i] == 'a' + i)
            right++;
    if (right == 10)
        return 1;
    return 0;
}
