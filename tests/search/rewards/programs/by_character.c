/* Lines of a name and a value, and a comparison of its own that knows no case.
 *
 * No function of the library says which name is looked for, and each further character of it is a path that covers
 * nothing. Once a flip has given the first one, auto puts in what the program spells and begins with it.
 */
#include <untaken.h>

enum { LENGTH = 64 };

static int lower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

static int is(const char *name, const char *wanted)
{
    while (*name && *wanted)
        if (lower(*name++) != *wanted++)
            return 0;
    return *name == *wanted;
}

int main(void)
{
    char text[LENGTH + 1] = {0}, name[16];
    int length = 0, close = 0, at = 0;
    untaken_input(text, LENGTH, "text");
    for (const char *next = text; *next; next++) {
        if (*next != ':') {
            if (at == sizeof name - 1)
                return 1;
            name[at++] = *next;
            continue;
        }
        name[at] = 0;
        at = 0;
        if (is(name, "content-length"))
            length++;
        else if (is(name, "connection"))
            close++;
        else if (is(name, "upgrade"))
            return 2;
    }
    return length && close ? 3 : 0;
}
