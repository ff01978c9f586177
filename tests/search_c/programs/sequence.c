/* A machine reads sixty characters and steps on when the right one comes; a wrong one takes it back to the start.
 *
 * Rewards cgs: of the sixty occurrences of a decision it flips one for each context, and a context says how far the
 * machine is.
 * Punishes bfs: it tries everything about the first characters before it looks at what becomes of a right one.
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
        return c == '\0' ? state : 0;
    }
}

int main(void)
{
    char text[60];
    int state = 0;
    untaken_input(text, sizeof text, "text");
    for (int i = 0; i < 60; i++)
        state = step(state, text[i]);
    if (state == 6)
        return 1;
    if (state == 7)
        return 2;
    return 0;
}
