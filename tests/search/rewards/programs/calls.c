/* Calls of functions by their names, whose arguments are numbers, lists or calls; what a function does depends on what its
 * argument is.
 *
 * Rewards pieces: a name stands where another did, and `[1]` where a number did. Punishes dfs, bfs and cgs: by the branches
 * that decide about brackets, digits and names each function looks like any other, so they go on elsewhere, or too deep.
 */
#include <stdlib.h>
#include <string.h>
#include <untaken.h>

enum kind { NUMBER, LIST };

static const char *at;
static int items; // of the last list

static enum kind expression(void);

static void require(char c)
{
    if (*at++ != c)
        exit(1);
}

static int accepted(char c)
{
    if (*at != c)
        return 0;
    at++;
    return 1;
}

static enum kind call(int function)
{
    require('(');
    enum kind argument = expression();
    require(')');
    if (function == 2)
        return argument == LIST ? NUMBER : LIST;
    if (function == 3)
        return argument == LIST && items > 1 ? LIST : NUMBER;
    if (function == 4)
        return argument == LIST ? NUMBER : LIST;
    return argument;
}

static enum kind list(void)
{
    int count = 0;
    do {
        expression();
        count++;
    } while (accepted(','));
    require(']');
    items = count;
    return LIST;
}

static enum kind expression(void)
{
    static const char *const names[] = {"abs", "mod", "len", "sort", "sum", "range"};
    for (int i = 0; i < 6; i++)
        if (strncmp(at, names[i], strlen(names[i])) == 0) {
            at += strlen(names[i]);
            return call(i);
        }
    if (*at == '[') {
        at++;
        return list();
    }
    if (*at >= '0' && *at <= '9')
        at++;
    else
        exit(1);
    return NUMBER;
}

int main(void)
{
    char text[25] = "";
    untaken_input(text, 24, "text");
    at = text;
    expression();
    return *at == ';';
}
