// checks: fall through, a default in the middle, nested switches, and a switch around a loop
#include "collection.h"

static int falling(int value)
{
    int result = 0;
    switch (value & 7) {
    case 1: result += 1; /* fall through */
    case 2: result += 10; /* fall through */
    default: result += 100; /* fall through */
    case 3: result += 1000; break;
    case 5: result = -1; /* fall through */
    case 6: result *= 3;
    }
    return result;
}

static int nested(int outer, int inner)
{
    switch (outer & 3) {
    case 0:
        switch (inner & 3) {
        case 0: return 1;
        case 1: break;
        case 2: return 2;
        default: outer += 9;
        }
        return outer + 20;
    case 1: outer = inner; /* fall through */
    case 3: return outer * 2;
    }
    return 40;
}

static int into_loop(int start, int times)
{
    int done = 0;
    switch (start & 3) {
        for (; times > 0; times--) {
        case 0: done += 1; /* fall through */
        case 1: done += 5; /* fall through */
        case 2: done += 25; continue;
        }
    }
    return done;
}

int main(void)
{
    read_input();
    for (unsigned i = 0; i < 8; i++) {
        show("falling", falling(u8(i)));
        show("nested", nested(u8(i), u8(i + 8)));
    }
    show("into loop", into_loop(u8(16), u8(17) & 7));
    switch (u8(18)) {
    }
    switch (u8(19))
    default: show("only default", 1);
    return finish();
}
