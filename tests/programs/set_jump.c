// checks: setjmp and longjmp out of nested calls, with volatile and untouched locals, more than once
#include "collection.h"
#include <setjmp.h>

static jmp_buf handler;
static int raised;

__attribute__((noreturn)) static void fail(int code)
{
    raised++;
    longjmp(handler, code);
}

static int parse(const unsigned char *text, int depth)
{
    if (depth > 6)
        fail(3);
    switch (*text & 7) {
    case 0: fail(*text + 4);
    case 1: return parse(text + 1, depth + 1) + 1;
    case 2: return parse(text + 2, depth + 1) * 2;
    default: return *text;
    }
}

int main(void)
{
    read_input();
    for (volatile unsigned i = 0; i < 12; i++) {
        volatile int tried = u8(40 + i);
        int code = setjmp(handler);
        if (code == 0) {
            tried += parse(input + i, 0);
            show("parsed", tried);
        } else
            show("failed", code * 1000 + tried);
    }
    volatile int rounds = 0;
    switch (setjmp(handler)) {
    case 0: fail(1);
    case 1:
        rounds++;
        if (rounds < (u8(60) & 7))
            fail(1);
        fail(2);
    case 2: show("rounds", rounds); break;
    default: show("never", 1);
    }
    // longjmp with 0 arrives as 1.
    int code = setjmp(handler);
    if (code == 0)
        fail(u8(61) & 1);
    expect(code == 1);
    show("raised", raised);
    return finish();
}
