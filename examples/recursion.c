// Brackets of three kinds, matched by a function that calls itself; nesting is limited, but the limit is one off.
//
// shows: paths through recursive calls, an assertion that only deep nesting breaks
// (the branch behind the assertion cannot be taken)
// run: untaken run examples/recursion.c --stdin 12
// expect: branches=23/24 findings=1 args="--stdin 12"
#include <assert.h>
#include <stdio.h>

enum { DEEPEST = 3 };

static const char *at;
static char opened[DEEPEST];

static char closing(char c)
{
    switch (c) {
    case '(': return ')';
    case '[': return ']';
    case '{': return '}';
    default: return 0;
    }
}

static void push(int depth, char c)
{
    assert(depth < DEEPEST);
    opened[depth] = c;
}

/* Returns how many pairs were matched, or -1. */
static int match(int depth)
{
    int pairs = 0;
    while (*at) {
        char close = closing(*at);
        if (!close)
            break;
        if (depth > DEEPEST) // one too late
            return -1;
        push(depth, *at++);
        int inside = match(depth + 1);
        if (inside < 0 || *at != close)
            return -1;
        at++;
        pairs += inside + 1;
    }
    return pairs;
}

int main(void)
{
    char line[13] = "";
    if (!fgets(line, sizeof line, stdin))
        return 1;
    at = line;
    int pairs = match(0);
    if (pairs >= 4 && *at == '!')
        puts("four pairs, well done");
    printf("%d\n", pairs);
    return pairs < 0;
}
