/* The concrete meaning of each operator of the node table. Never traps: division by zero and shifts that are too
 * large follow SMT-LIB, as the solver does. */
#ifndef UNTAKEN_EXPRESSIONS_EVALUATE_H
#define UNTAKEN_EXPRESSIONS_EVALUATE_H

#include "expressions/expressions.h"

static inline uint64_t signed_quotient(unsigned width, uint64_t a, uint64_t b) {
    int64_t dividend = sign_extended(a, width), divisor = sign_extended(b, width);
    if (divisor == 0) {
        return dividend < 0 ? 1 : ~0ull;
    }
    return divisor == -1 ? 0 - (uint64_t)dividend : (uint64_t)(dividend / divisor);
}

static inline uint64_t signed_remainder(unsigned width, uint64_t a, uint64_t b) {
    int64_t dividend = sign_extended(a, width), divisor = sign_extended(b, width);
    if (divisor == 0) {
        return a;
    }
    return divisor == -1 ? 0 : (uint64_t)(dividend % divisor);
}

__attribute__((always_inline)) static inline uint64_t with_bits_above(unsigned op, unsigned width, uint64_t a, uint64_t b) {
    switch (op) {
    case UNTAKEN_OP_ADD: return a + b;
    case UNTAKEN_OP_SUB: return a - b;
    case UNTAKEN_OP_MUL: return a * b;
    case UNTAKEN_OP_UDIV: return b == 0 ? ~0ull : a / b;
    case UNTAKEN_OP_UREM: return b == 0 ? a : a % b;
    case UNTAKEN_OP_SDIV: return signed_quotient(width, a, b);
    case UNTAKEN_OP_SREM: return signed_remainder(width, a, b);
    case UNTAKEN_OP_SHL: return b >= width ? 0 : a << b;
    case UNTAKEN_OP_LSHR: return b >= width ? 0 : a >> b;
    case UNTAKEN_OP_ASHR: return (uint64_t)(sign_extended(a, width) >> (b >= width ? width - 1 : b));
    case UNTAKEN_OP_AND: return a & b;
    case UNTAKEN_OP_OR: return a | b;
    case UNTAKEN_OP_XOR: return a ^ b;
    case UNTAKEN_OP_EQ: return a == b;
    case UNTAKEN_OP_ULT: return a < b;
    case UNTAKEN_OP_ULE: return a <= b;
    case UNTAKEN_OP_SLT: return sign_extended(a, width) < sign_extended(b, width);
    default: return sign_extended(a, width) <= sign_extended(b, width); /* SLE */
    }
}

__attribute__((always_inline)) static inline uint64_t evaluate(unsigned op, unsigned width, uint64_t a, uint64_t b) {
    uint64_t value = with_bits_above(op, width, a, b);
    return is_comparison(op) ? value : value & width_mask(width);
}

static inline uint64_t evaluate_unary(unsigned op, unsigned width, uint64_t a) {
    switch (op) {
    case UNTAKEN_OP_CTPOP: return (uint64_t)__builtin_popcountll(a) & width_mask(width);
    case UNTAKEN_OP_CTLZ: return (a == 0 ? width : (unsigned)__builtin_clzll(a) - (64 - width)) & width_mask(width);
    default: return (a == 0 ? width : (unsigned)__builtin_ctzll(a)) & width_mask(width);
    }
}

#endif
