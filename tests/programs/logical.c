// checks: && and || in every position: conditions, values, arguments, loops, negated and nested
#include "collection.h"

static int both(int a, int b) { return a && b; }
static int count_true(int a, int b, int c) { return !!a + !!b + !!c; }

static int matches(const unsigned char *p)
{
    return p[0] == 'O' && p[1] == 'K' && (p[2] == '!' || p[2] == '?') && !(p[3] && p[3] < 32);
}

int main(void)
{
    read_input();
    int a = u8(0), b = u8(1), c = u8(2), d = u8(3);
    show("matches", matches(input));
    if ((a && b) || (c && d))
        show("or of ands", 1);
    if ((a || b) && (c || d))
        show("and of ors", 1);
    if (!(a > 9 && b > 9))
        show("negated", 1);
    show("value", (a < b && b < c) * 2 + (a > b || c > d));
    show("arguments", count_true(a && b, b || c, both(c > 3, d < 200)));
    int i = 4;
    while (i < 20 && input[i] != 0 && (input[i] < 100 || input[i] > 150))
        i++;
    show("stopped", i);
    for (int k = 20; k < 28 || (k < 32 && a); k += 1 + (input[k] > 127 && k & 1))
        show("step", k);
    int flag = a > 50 ? b && c : b || c;
    show("flag", flag);
    do
        i--;
    while (i > 0 && (i & 3 || input[i] > 10));
    show("back", i);
    return finish();
}
