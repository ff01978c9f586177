/* Look-Ahead, the OSMOSE paper's figure 2: two nested loops that are fully covered by one path, and a goal elsewhere.
 *
 * Depth-first search takes the other side of the first decision at once and then sees every way through the loops.
 * With --prune lookahead it needs three paths: nothing that is uncovered lies behind any decision of the loops.
 */
#include <untaken.h>

static int odd(void)
{
    unsigned char byte;
    untaken_input(&byte, sizeof byte, "byte");
    return byte & 1;
}

int main(void)
{
    unsigned char loops, goal;
    int turns = 0;
    untaken_input(&loops, sizeof loops, "loops");
    untaken_input(&goal, sizeof goal, "goal");
    if (loops) {
        int i = 0, j;
        do {
            j = 0;
            do
                turns++;
            while (odd() != (j++ < 1)); /* on zeros: again once, then on */
        } while (odd() != (i++ < 1));
    } else if (goal == 77)
        return 77;
    return turns > 1000;
}
