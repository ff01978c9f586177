/* Models of the mathematical functions that have an exact result. They are computed here, for a program that needs
 * nothing else of libm is not linked with it. Compilers mostly have instructions for them (build/instrument/floats.py). */
#include "floats.h"
#include "models.h"

#include <errno.h>
#include <string.h>

static term recorded(void *self, unsigned op, unsigned width, uint64_t bits) {
    term argument = term_constant((uint8_t)width, bits), result = term_float_unary(op, argument);
    untaken_label label;
    if (model_begin(self, &label, 1))
        model_end(self, term_float_unary(op, model_argument(label, argument.width, bits)), result.value);
    if (untaken_is_nan(width, result.value) && !untaken_is_nan(width, bits))
        errno = EDOM;
    return result;
}

#define MODEL(type, width, function, op)                                         \
    type untaken_model_##function(type argument) {                               \
        uint##width##_t bits;                                                    \
        memcpy(&bits, &argument, sizeof bits);                                   \
        bits = (uint##width##_t)recorded(SELF(function), op, width, bits).value; \
        type result;                                                             \
        memcpy(&result, &bits, sizeof result);                                   \
        return result;                                                           \
    }
#define MODELS(function, op)         \
    MODEL(double, 64, function, op)  \
    MODEL(float, 32, function##f, op)

MODELS(sqrt, UNTAKEN_OP_FSQRT)
MODELS(round, UNTAKEN_OP_FROUND_FIRST + UNTAKEN_AWAY)
MODELS(ceil, UNTAKEN_OP_FROUND_FIRST + UNTAKEN_UP)
MODELS(floor, UNTAKEN_OP_FROUND_FIRST + UNTAKEN_DOWN)
MODELS(trunc, UNTAKEN_OP_FROUND_FIRST + UNTAKEN_TO_ZERO)
