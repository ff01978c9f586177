/* Twelve bytes must be right one after the other; the first wrong one ends the program.
 *
 * Rewards whatever is systematic: dfs, bfs, cgs and generational need one iteration a byte, auto not many more.
 * Punishes random, which has to guess, and uniform, which draws the whole password once in 2^12 times.
 */
#include <untaken.h>

int main(void)
{
    static const char password[] = "open, sesame";
    char bytes[sizeof password - 1];
    untaken_input(bytes, sizeof bytes, "bytes");
    for (unsigned i = 0; i < sizeof bytes; i++)
        if (bytes[i] != password[i])
            return 1;
    return 0;
}
