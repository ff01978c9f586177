/* All public interfaces on one input, built with the runtime and with the replay object alike: prints what it got. */
#include "include/crest.h"
#include "include/klee/klee.h"
#include "include/untaken.h"

#include <stdio.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool();
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern char *__VERIFIER_nondet_charp(void);
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int condition);

int main(void) {
    int number, crest;
    long wide;
    _Bool truth;
    char buffer[4] = "....";
    untaken_int(&number);
    untaken_long(&wide);
    untaken_bool(&truth);
    CREST_int(crest);
    klee_make_symbolic(buffer + 1, 2, "part");
    printf("%d %ld %d %d %.4s\n", number, wide, truth, crest, buffer);
    /* One input a statement: compilers differ in which argument of a call they compute first. */
    int range = klee_range(-5, 5, "range"), any = klee_int("int"), choice = (int)klee_choose(100);
    printf("%d %d %d\n", range, any, choice);
    klee_prefer_cex(buffer, 1);
    int integer = __VERIFIER_nondet_int(), boolean = __VERIFIER_nondet_bool(), byte = __VERIFIER_nondet_uchar();
    printf("%d %d %d\n", integer, boolean, byte);
    unsigned long large = __VERIFIER_nondet_ulong();
    char *pointer = __VERIFIER_nondet_charp();
    float real = __VERIFIER_nondet_float();
    printf("%lu %p %g\n", large, (void *)pointer, (double)real);
    untaken_assume(number != 99);
    klee_assume(crest != 99);
    klee_assert(wide != 99);
    __VERIFIER_assume(number != 98);
    return 5;
}
