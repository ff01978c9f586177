// checks: labels as values: a bytecode interpreter that jumps through a table of labels
#include "collection.h"

static long interpret(const unsigned char *code, int steps)
{
    static const void *const table[] = {&&push, &&add, &&multiply, &&negate, &&duplicate, &&swap, &&skip, &&stop};
    long stack[40] = {1, 2};
    int top = 2;
    const unsigned char *at = code, *end = code + 48;

#define NEXT                             \
    do {                                 \
        if (--steps < 0 || at >= end)    \
            goto stop;                   \
        if (top < 2 || top > 38)         \
            goto stop;                   \
        goto *table[*at++ & 7];          \
    } while (0)

    NEXT;
push:
    stack[top++] = *at++;
    NEXT;
add:
    top--;
    stack[top - 1] = (stack[top - 1] + stack[top]) & 0xffff;
    NEXT;
multiply:
    top--;
    stack[top - 1] = stack[top - 1] * stack[top] & 0xffff;
    NEXT;
negate:
    stack[top - 1] = -stack[top - 1];
    NEXT;
duplicate:
    stack[top] = stack[top - 1];
    top++;
    NEXT;
swap: {
    long old = stack[top - 1];
    stack[top - 1] = stack[top - 2];
    stack[top - 2] = old;
    NEXT;
}
skip:
    if (stack[top - 1] & 1)
        at++;
    NEXT;
stop:
    return stack[top - 1] * 64 + top;
}

int main(void)
{
    read_input();
    show("one step", interpret(input, 1));
    show("ten steps", interpret(input, 10));
    show("all", interpret(input + 4, 40));
    void *choice = u8(60) & 1 ? &&first : &&second;
    goto *choice;
first:
    show("first", 1);
second:
    show("second", 2);
    return finish();
}
