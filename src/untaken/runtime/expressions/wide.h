/* Terms of more than 64 bits: integers of up to 128, and long double, whose bits are 80.
 *
 * Nodes keep 64 bits of a value. So each wide node has a companion, the EXTRACT of its bits from 64 on, which keeps the
 * others; a CONCAT has it in its first operand. Operators of nodes that are wide, or have a wide operand, carry
 * UNTAKEN_WIDE: no rule that is made for 64 bits fits them. */
#ifndef UNTAKEN_EXPRESSIONS_WIDE_H
#define UNTAKEN_EXPRESSIONS_WIDE_H

#include "expressions/expressions.h"

#define LOW_BITS 64u
#define WIDEST 128u
#define LONG_DOUBLE_BITS 80u

__extension__ typedef unsigned __int128 wide_bits;
__extension__ typedef __int128 wide_number;

/* As a term, but of 1 to 128 bits. */
struct wide_term {
    untaken_label label;
    unsigned width;
    wide_bits value;
};
typedef struct wide_term wide;

static inline wide_bits wide_mask(unsigned width) { return ~(wide_bits)0 >> (WIDEST - width); }

static inline wide_number wide_signed(wide_bits value, unsigned width) {
    return (wide_number)(value << (WIDEST - width)) >> (WIDEST - width);
}

static inline wide_bits wide_of_halves(uint64_t low, uint64_t high) { return (wide_bits)high << LOW_BITS | low; }

static inline wide wide_constant(unsigned width, wide_bits value) {
    return (wide){0, width, value & wide_mask(width)};
}

static inline wide widened(term a) { return (wide){a.label, a.width, a.value}; }

/* Of 64 bits at most. */
static inline term narrowed_term(wide a) { return (term){a.label, (uint8_t)a.width, (uint64_t)a.value}; }

/* expressions/wide.c */
wide wide_of_label(untaken_label label);
bool wide_is_constant(untaken_label label); /* of any width */
/* The label as the instrumented code sees it; dropped, and counted, if that is not what it says. */
wide wide_believed(untaken_label label, unsigned width, wide_bits value);
/* A node of its own, with its companion. Operands are labels, details or 0. */
wide wide_node(unsigned op, unsigned width, const uint32_t operands[3], wide_bits value);
uint32_t wide_operand_label(wide a); /* constants get one; 0 if there is no room */
wide wide_join(term high, term low); /* low has 64 bits */
wide wide_extract(wide a, unsigned low, unsigned width);
wide wide_extend(unsigned op, wide a, unsigned width); /* ZEXT SEXT TRUNC */
wide wide_ite(term condition, wide then_value, wide else_value);

/* expressions/wide_operations.c: of integers, with requests among them; comparisons have one bit. */
wide wide_binary(unsigned op, wide a, wide b);
/* False if there is no such operation. */
bool wide_unary(unsigned op, wide a, wide *result);

/* expressions/wide_floats.c: of long double, and conversions between that or wide integers and other numbers. */
bool wide_rounds_as_usual(void);
bool wide_is_nan(unsigned width, wide_bits bits);
wide wide_float_binary(unsigned op, wide a, wide b);
wide wide_float_unary(unsigned op, wide a);
wide wide_float_cast(unsigned op, wide a, unsigned width);

/* expressions/monotone.c: FEQ, FLT or FLE of numbers of any width, as a comparison of integers; false if it is none. */
bool wide_float_order(unsigned op, wide a, wide b, term *result);

#endif
