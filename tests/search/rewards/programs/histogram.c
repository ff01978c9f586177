/* Bytes are counted in a table, and what is decided depends on the counts: where a byte was counted is not followed
 * symbolically, so there is nothing to flip that would change a count on purpose.
 *
 * Rewards random: every input has other counts.
 * Punishes dfs: it flips the decisions about sixteen parities, one after the other, and leaves the counts as they are.
 */
#include <untaken.h>

int main(void)
{
    unsigned char bytes[48];
    int counts[16] = {0}, odd = 0, threes = 0, fives = 0;
    untaken_input(bytes, sizeof bytes, "bytes");
    for (int i = 0; i < 16; i++)
        if (bytes[i] & 1)
            odd++;
    for (int i = 16; i < 48; i++)
        counts[bytes[i] >> 4]++;
    for (int i = 1; i < 16; i++) {
        if (counts[i] == 3)
            threes++;
        if (counts[i] == 5)
            fives++;
    }
    return odd + threes + fives;
}
