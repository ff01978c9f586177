// checks: tail calls, also ones that must be, state machines made of them, deep ones
#include "collection.h"

#if defined(__has_attribute)
#if __has_attribute(musttail) && defined(__clang__)
#define TAIL __attribute__((musttail)) return
#endif
#endif
#ifndef TAIL
#define TAIL return
#endif

static long in_text(const unsigned char *at, const unsigned char *end, long state);
static long in_number(const unsigned char *at, const unsigned char *end, long state);

static long in_space(const unsigned char *at, const unsigned char *end, long state)
{
    if (at == end)
        return state;
    if (*at >= '0' && *at <= '9')
        TAIL in_number(at, end, state + 1);
    if (*at > ' ')
        TAIL in_text(at, end, state + 100);
    TAIL in_space(at + 1, end, state);
}

static long in_number(const unsigned char *at, const unsigned char *end, long state)
{
    if (at < end && *at >= '0' && *at <= '9')
        TAIL in_number(at + 1, end, state + (*at - '0') * 10000);
    TAIL in_space(at, end, state);
}

static long in_text(const unsigned char *at, const unsigned char *end, long state)
{
    if (at < end && *at > ' ' && (*at < '0' || *at > '9'))
        TAIL in_text(at + 1, end, state ^ *at << 4);
    TAIL in_space(at, end, state);
}

static unsigned count_down(unsigned left, unsigned total)
{
    return left == 0 ? total : count_down(left - 1, total + (left & 3));
}

int main(void)
{
    read_input();
    show("machine", in_space(input, input + 48, 0));
    show("count", count_down(u16(50) & 1023, u8(52)));
    return finish();
}
