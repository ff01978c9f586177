/* Functions of libm that have no expression: their results are nodes that name the function (model/mathematics.py). */
#include "expressions/floats.h"
#include "expressions/nodes.h"
#include "tracking/tracking.h"

/* A descriptor, taken apart. */
struct call {
    uint8_t result_width, a_width, b_width;
    uint32_t function;
};

static struct call call_of(uint32_t descriptor) {
    return (struct call){(uint8_t)descriptor, (uint8_t)(descriptor >> 8), (uint8_t)(descriptor >> 16), descriptor >> 24};
}

static bool is_square(struct call call, term exponent) {
    uint64_t two = call.b_width == 64 ? 0x4000000000000000ull : 0x40000000u;
    return call.function < UNTAKEN_POWERS && exponent.label == 0 && exponent.value == two;
}

static untaken_label function_node(struct call call, uint64_t a, uint64_t b, uint64_t result) {
    term first = term_believed(__untaken_arguments[0], call.a_width, a);
    if (call.b_width == 0) {
        return first.label == 0 ? 0 : untaken_node(UNTAKEN_OP_FUNCTION, call.result_width, first.label, 0, call.function, result);
    }
    term second = term_believed(__untaken_arguments[1], call.b_width, b);
    if ((first.label | second.label) == 0) {
        return 0;
    }
    if (is_square(call, second)) {
        term square = term_float_binary(UNTAKEN_OP_FMUL, first, first);
        if (square.value == result) {
            return square.label;
        }
    }
    return untaken_node(UNTAKEN_OP_FUNCTION2, call.result_width, operand_label(first), operand_label(second), call.function,
                        result);
}

/* ---- errno ----
 * Most of these functions set it where their result is infinite or no number. That is a decision of theirs, which matters
 * only to programs that ask for errno after the call. */
static __thread term last_result;

void untaken_may_set_errno(term result) {
    if (result.label != 0) {
        last_result = result;
    }
}

void __untaken_errno_asked(void) {
    if (last_result.label == 0 || !runtime_begin()) {
        return;
    }
    uint64_t exponent = last_result.width == 64 ? 0x7ff0000000000000ull : 0x7f800000u;
    term bits = term_and(last_result, term_constant(last_result.width, exponent));
    untaken_decide(UNTAKEN_LIBRARY, term_binary(UNTAKEN_OP_EQ, bits, term_constant(bits.width, exponent)), 0);
    last_result.label = 0;
    runtime_leave();
}

/* The program's own function of that name took its labels, and says what the result is. */
static void pass_on_result(void *self, void *real) {
    if (__untaken_return_owner == real) {
        __untaken_return_owner = self;
    }
}

void __untaken_function(void *self, void *real, uint32_t descriptor, uint64_t a, uint64_t b, uint64_t result) {
    if (__untaken_callee != real) {
        pass_on_result(self, real);
        return;
    }
    __untaken_callee = NULL;
    if (!runtime_begin()) {
        return;
    }
    if (untaken_rounds_as_usual()) {
        struct call call = call_of(descriptor);
        untaken_label label = function_node(call, a, b, result);
        untaken_return(self, label);
        untaken_may_set_errno((term){label, call.result_width, result});
    } else {
        untaken_count_concretised(UNTAKEN_BY_FLOAT);
    }
    runtime_leave();
}
