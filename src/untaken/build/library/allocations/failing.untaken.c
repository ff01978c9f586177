/* Allocations that fail if the input says so (--fail-malloc): each takes a byte of it. This is part of the tested
 * program, in the instrumented build and in the plain one, so that the same input makes the same ones fail in both. */
#include <stddef.h>

extern void untaken_input_uchar(unsigned char *pointer, const char *name); /* of untaken.h, which C89 does not take */

#define FAILS 255 /* seldom by chance */
#define MOST 1000 /* allocations of a run that may fail: the first ones */

int untaken_allocations_may_fail = 1; /* drivers of functions allow it only while these run */
/* Where the program allocates: instrumented code writes it down before each call. */
const char *untaken_allocation_file = "";
int untaken_allocation_line;

static unsigned long allocations;

static char *written(char *to, const char *end, const char *text) {
    while (*text && to < end)
        *to++ = *text++;
    *to = 0;
    return to;
}

static char *number(char *to, const char *end, unsigned long value) {
    char digits[24], *first = digits + sizeof digits - 1;
    *first = 0;
    do {
        *--first = (char)('0' + value % 10);
    } while (value /= 10);
    return written(to, end, first);
}

static int untaken_fails(void) {
    unsigned char byte;
    char name[40] = "", *to = name;
    const char *end = name + sizeof name - 1;
    if (!untaken_allocations_may_fail || allocations >= MOST)
        return 0;
    to = number(written(to, end, "allocation "), end, ++allocations);
    if (untaken_allocation_line > 0) {
        to = number(written(to, end, " at line "), end, (unsigned long)untaken_allocation_line);
        written(written(to, end, " of "), end, untaken_allocation_file);
        untaken_allocation_line = 0; /* a call through a pointer does not say where it is */
    }
    untaken_input_uchar(&byte, name);
    return byte == FAILS;
}

#include "functions.untaken.c"
