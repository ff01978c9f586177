// checks: one-bit values: _Bool, comparisons used as numbers, one-bit fields of either sign
#include "collection.h"

struct flags {
    unsigned first : 1;
    signed second : 1;
    _Bool third : 1;
    unsigned rest : 5;
};

static _Bool opposite(_Bool value) { return !value; }
static int as_number(_Bool value) { return value + value; }

int main(void)
{
    read_input();
    _Bool less = u8(0) < u8(1), equal = u8(0) == u8(1);
    show("less", less);
    show("exclusive", less ^ equal);
    show("both", less & equal);
    show("either", less | equal);
    show("sum", less + equal + (u8(2) > 7) + !u8(3));
    show("negated", -(u8(2) > 7));
    show("ordered", less < equal);
    show("opposite", opposite(u8(4)));
    show("doubled", as_number(u8(4) & 2));
    struct flags flags = {.first = u8(5) & 1, .second = u8(6) & 1 ? -1 : 0, .third = u8(7), .rest = u8(8) & 31};
    show("unsigned bit", flags.first);
    show("signed bit", flags.second);
    show("bool bit", flags.third);
    flags.first = !flags.first;
    flags.third = flags.second;
    show("after", flags.first * 4 + flags.third * 2 + flags.second);
    expect(flags.second == 0 || flags.second == -1);
    _Bool incremented = u8(9) & 1;
    incremented++;
    expect(incremented);
    return finish();
}
