/* A date as people write it: the library looks at one character after the other, and says only how many numbers it read.
 *
 * Rewards frontier, which goes on from flips after which the program comes to the same condition in another way, and
 * dfs, which goes through the tree of paths. Punishes cfg and cgs: nothing that leads on covers anything.
 */
#include <stdio.h>
#include <untaken.h>

int main(void)
{
    char text[12] = {0};
    int year, month, day;
    untaken_input(text, sizeof text - 1, "text");
    if (sscanf(text, "%4d-%2d-%2d", &year, &month, &day) < 3)
        return 1;
    if (month < 1 || month > 12)
        return 2;
    return day == 29;
}
