// checks: the ctype functions on every kind of character
#include "collection.h"
#include <ctype.h>

static int classes(int c)
{
    return !!isalpha(c) | !!isdigit(c) << 1 | !!isalnum(c) << 2 | !!isspace(c) << 3 | !!isupper(c) << 4 |
           !!islower(c) << 5 | !!ispunct(c) << 6 | !!isprint(c) << 7 | !!iscntrl(c) << 8 | !!isxdigit(c) << 9 |
           !!isgraph(c) << 10 | !!isblank(c) << 11;
}

int main(void)
{
    read_input();
    for (unsigned i = 0; i < 12; i++) {
        int c = u8(i);
        show("classes", classes(c));
        show("upper", toupper(c));
        show("lower", tolower(c));
        expect(!isdigit(c) || (c >= '0' && c <= '9'));
        if (isalpha(c) && !isupper(c))
            show("small letter", c);
    }
    show("end of file", classes(-1));
    return finish();
}
