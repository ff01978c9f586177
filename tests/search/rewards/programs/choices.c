/* Solve-First, the OSMOSE paper's figure 5: eight choices in a row, each between two sides, all independent.
 *
 * The first path goes the same way everywhere. Depth-first search with look-ahead adds one new side with each path, nine
 * in all. solve-first turns the first choice with all else left open, and that path goes the other way nearly everywhere.
 */
#include <untaken.h>

#define CHOICE(i)        \
    if (bytes[i])        \
        other++;         \
    else                 \
        first++;

int main(void)
{
    unsigned char bytes[8];
    int first = 0, other = 0;
    untaken_input(bytes, sizeof bytes, "bytes");
    CHOICE(0) CHOICE(1) CHOICE(2) CHOICE(3)
    CHOICE(4) CHOICE(5) CHOICE(6) CHOICE(7)
    return first > other;
}
