/* Bytes are counted in a table, and what is decided depends on the counts: which byte counted where is not followed
 * symbolically, so there is nothing to flip that would change a count on purpose.
 *
 * Rewards random: every input has other counts.
 * Punishes dfs: it flips the decisions about the sixteen parities, one by one, and leaves the counts as they are.
 */
#include <untaken.h>

int main(void)
{
    unsigned char bytes[48];
    int counts[16] = {0}, odd = 0, reached = 0;
    untaken_input(bytes, sizeof bytes, "bytes");
    for (int i = 0; i < 16; i++)
        if (bytes[i] & 1)
            odd++;
    for (int i = 16; i < 48; i++)
        counts[bytes[i] >> 4]++;
    for (int i = 1; i < 16; i++) {
        if (counts[i] == 3)
            reached |= 1;
        if (counts[i] == 6)
            reached |= 2;
        if (counts[i] == 7 && counts[i - 1] == 0)
            reached |= 4;
    }
    return reached == 7 && odd > 3;
}
