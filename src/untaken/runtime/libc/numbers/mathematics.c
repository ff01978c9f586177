/* Models of the mathematical functions that have an exact result. The program gets that of libm; of a program that
 * is not linked with it, as compilers mostly have instructions for them (build/instrument/floats.py), they are
 * computed here. */
#include "expressions/floats.h"
#include "libc/model.h"

#include <errno.h>
#include <string.h>

static void record(void *self, unsigned op, unsigned width, uint64_t bits, uint64_t result) {
    untaken_label label;
    if (!model_begin(self, &label, 1))
        return;
    term expression = term_float_unary(op, model_argument(label, (uint8_t)width, bits));
    if (op == UNTAKEN_OP_FSQRT)
        untaken_may_set_errno(expression);
    model_end(self, untaken_rounds_as_usual() ? expression : term_constant((uint8_t)width, result), result);
}

static uint64_t computed(unsigned op, unsigned width, uint64_t bits) {
    uint64_t result = term_float_unary(op, term_constant((uint8_t)width, bits)).value;
    if (untaken_is_nan(width, result) && !untaken_is_nan(width, bits))
        errno = EDOM;
    return result;
}

#define MODEL(type, width, function, op)                                                   \
    type function(type) __attribute__((weak));                                             \
    type untaken_model_##function(type argument) {                                         \
        uint##width##_t bits, result_bits;                                                 \
        type result;                                                                       \
        memcpy(&bits, &argument, sizeof bits);                                             \
        if (function) {                                                                    \
            result = function(argument);                                                   \
            memcpy(&result_bits, &result, sizeof result);                                  \
        } else {                                                                           \
            result_bits = (uint##width##_t)computed(op, width, bits);                      \
            memcpy(&result, &result_bits, sizeof result);                                  \
        }                                                                                  \
        record(SELF(function), op, width, bits, result_bits);                              \
        return result;                                                                     \
    }
#define MODELS(function, op)         \
    MODEL(double, 64, function, op)  \
    MODEL(float, 32, function##f, op)

MODELS(sqrt, UNTAKEN_OP_FSQRT)
MODELS(round, UNTAKEN_OP_FROUND_FIRST + UNTAKEN_AWAY)
MODELS(ceil, UNTAKEN_OP_FROUND_FIRST + UNTAKEN_UP)
MODELS(floor, UNTAKEN_OP_FROUND_FIRST + UNTAKEN_DOWN)
MODELS(trunc, UNTAKEN_OP_FROUND_FIRST + UNTAKEN_TO_ZERO)
