/* Floating point in expressions: the bits of floats and doubles. */
#ifndef UNTAKEN_EXPRESSIONS_FLOATS_H
#define UNTAKEN_EXPRESSIONS_FLOATS_H

#include "expressions/expressions.h"

static inline bool is_float_operation(unsigned op) {
    return (op >= UNTAKEN_OP_FADD && op <= UNTAKEN_OP_TO_SIGNED) || op >= UNTAKEN_OP_FNE;
}

/* Whether numbers are rounded as expressions say: to nearest, and none is flushed to zero. Else what the program
 * computes is what we would compute in its place, but no expression. */
bool untaken_rounds_as_usual(void);

/* Not a number. There are many of them, and which one a program gets is up to its compiler. */
bool untaken_is_nan(unsigned width, uint64_t bits);

term term_float_binary(unsigned op, term a, term b);
term term_float_unary(unsigned op, term a);
term term_float_cast(unsigned op, term a, unsigned width);

#endif
