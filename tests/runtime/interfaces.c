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
    printf("%d %d %d\n", klee_range(-5, 5, "range"), klee_int("int"), (int)klee_choose(100));
    klee_prefer_cex(buffer, 1);
    printf("%d %d %d\n", __VERIFIER_nondet_int(), __VERIFIER_nondet_bool(), __VERIFIER_nondet_uchar());
    printf("%lu %p %g\n", __VERIFIER_nondet_ulong(), (void *)__VERIFIER_nondet_charp(), (double)__VERIFIER_nondet_float());
    untaken_assume(number != 99);
    klee_assume(crest != 99);
    klee_assert(wide != 99);
    __VERIFIER_assume(number != 98);
    return 5;
}
