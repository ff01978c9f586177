/* Sixteen decisions about bytes of their own, then a machine that reads forty characters: it steps on when the right
 * one comes, and a wrong one takes it back to the start.
 *
 * Rewards cgs: of the many occurrences of a decision it flips one for each context, and a context says how far the
 * machine is.
 * Punishes bfs: it has 2^16 ways through the first decisions before it looks at the machine.
 */
#include <untaken.h>

static int step(int state, char c)
{
    switch (state) {
    case 0:
        return c == '<' ? 1 : 0;
    case 1:
        return c == '!' ? 2 : c == '/' ? 3 : 0;
    case 2:
        return c == '-' ? 4 : 0;
    case 3:
        return c == 'b' ? 5 : 0;
    case 4:
        return c == '-' ? 6 : 0;
    case 5:
        return c == '>' ? 7 : 0;
    default:
        return state;
    }
}

int main(void)
{
    unsigned char bytes[16];
    char text[40];
    int state = 0, large = 0;
    untaken_input(bytes, sizeof bytes, "bytes");
    untaken_input(text, sizeof text, "text");
    for (int i = 0; i < 16; i++)
        if (bytes[i] > 100)
            large++;
    for (int i = 0; i < 40; i++)
        state = step(state, text[i]);
    if (state == 6)
        return 1;
    if (state == 7)
        return 2;
    return large > 20;
}
