/* Three texts, each up to a delimiter, which the first character chooses: frontier search goes back to where a text was
 * not ended, and looks at the decisions just before; so does cfg, by control flow.
 *
 * All branches of until() are covered by the first text, so flipping one of them again promises nothing by itself, and
 * before any of them noise() offers many decisions, whose branches are all covered soon.
 */
#include <untaken.h>

#define TEXT 60
#define NOISE 40

static unsigned char text[TEXT];
static int at;

static int until(unsigned char delimiter)
{
    while (at < TEXT) {
        if (text[at++] == delimiter)
            return 1;
    }
    return 0;
}

static int noise(const unsigned char *bytes)
{
    int score = 0;
    for (int i = 0; i < NOISE; i++) {
        if (bytes[i] > 100)
            score++;
        if (bytes[i] & 1)
            score += 2;
    }
    return score;
}

int main(void)
{
    unsigned char bytes[NOISE];
    untaken_input(bytes, sizeof bytes, "bytes");
    untaken_input(text, sizeof text, "text");
    int score = noise(bytes);
    unsigned char delimiter = text[at++];
    if (delimiter <= ' ')
        return 1;
    if (!until(delimiter))
        return 2;
    if (!until(delimiter))
        return 3;
    if (!until(delimiter))
        return 4;
    return score / 1000;
}
