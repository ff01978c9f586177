/* A sentence of tokens, of which each has to be of one kind: what is asked for is the kind, not the characters.
 *
 * Rewards causes: which kind it is was decided last before it is asked for. All kinds are seen at the first token, so that
 * others have nothing to aim at. Punishes cfg: as it sees it, each token leads there.
 */
#include <untaken.h>

enum { LENGTH = 24 };
enum kind { END, NAME, NUMBER, SIGN };

static const char *next;
static enum kind kind;

static int is_letter(char c) { return c >= 'a' && c <= 'z'; }
static int is_digit(char c) { return c >= '0' && c <= '9'; }

static void advance(void)
{
    while (*next == ' ')
        next++;
    if (!*next) {
        kind = END;
    } else if (is_letter(*next)) {
        while (is_letter(*next))
            next++;
        kind = NAME;
    } else if (is_digit(*next)) {
        while (is_digit(*next))
            next++;
        kind = NUMBER;
    } else {
        next++;
        kind = SIGN;
    }
}

static int is(enum kind wanted)
{
    if (kind != wanted)
        return 0;
    advance();
    return 1;
}

int main(void)
{
    char text[LENGTH + 1] = {0};
    untaken_input(text, LENGTH, "text");
    next = text;
    advance();
    if (!is(NAME))
        return 1;
    if (!is(NUMBER))
        return 2;
    if (!is(SIGN))
        return 3;
    if (!is(NUMBER))
        return 4;
    if (!is(NAME))
        return 5;
    if (!is(SIGN))
        return 6;
    if (!is(NAME))
        return 7;
    return kind == NUMBER;
}
