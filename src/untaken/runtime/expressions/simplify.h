/* Where expressions/simplify.c has a rule, told from the operands' operators alone: for most operations there is
 * none. */
#ifndef UNTAKEN_EXPRESSIONS_SIMPLIFY_H
#define UNTAKEN_EXPRESSIONS_SIMPLIFY_H

#include "expressions/expressions.h"

/* True if a rule applied. At least one label is nonzero, operands are in canonical order. */
bool untaken_simplify(unsigned op, term a, term b, term *result);

#define SET1(a) (1ull << UNTAKEN_OP_##a)
#define SET2(a, b) (SET1(a) | SET1(b))
#define SET3(a, b, c) (SET2(a, b) | SET1(c))
#define SET4(a, b, c, d) (SET2(a, b) | SET2(c, d))
#define ANYTHING (~0ull)

/* Operators of a node that a rule looks for: beside a constant, or of both of two nodes. And how many constants are
 * special, from all ones on over zero: of single bits all are. */
struct fitting {
    uint64_t with_constant, with_node;
    uint32_t special;
};

static const struct fitting fitting_operands[] = {
    [UNTAKEN_OP_ADD] = {SET1(ADD), SET3(ZEXT, AND, CONCAT), 2},
    [UNTAKEN_OP_SUB] = {ANYTHING, 0, 2},
    [UNTAKEN_OP_MUL] = {0, 0, 3},
    [UNTAKEN_OP_UDIV] = {ANYTHING, 0, 2},
    [UNTAKEN_OP_SDIV] = {ANYTHING, 0, 2},
    [UNTAKEN_OP_UREM] = {ANYTHING, 0, 2},
    [UNTAKEN_OP_SREM] = {ANYTHING, 0, 2},
    [UNTAKEN_OP_SHL] = {SET2(ZEXT, CONCAT), 0, 2},
    [UNTAKEN_OP_LSHR] = {SET2(ZEXT, CONCAT), 0, 2},
    [UNTAKEN_OP_ASHR] = {SET1(ZEXT), 0, 2},
    [UNTAKEN_OP_AND] = {SET3(AND, ZEXT, CONCAT), SET2(ZEXT, SEXT), 2},
    [UNTAKEN_OP_OR] = {SET3(AND, ZEXT, CONCAT), SET4(AND, ZEXT, SEXT, CONCAT), 2},
    [UNTAKEN_OP_XOR] = {SET2(XOR, ZEXT), SET4(AND, ZEXT, SEXT, CONCAT), 2},
    [UNTAKEN_OP_EQ] = {SET3(ADD, SUB, XOR) | SET3(ZEXT, SEXT, ITE), SET2(ZEXT, SEXT), 0},
    [UNTAKEN_OP_ULT] = {SET3(ZEXT, SEXT, ITE), SET2(ZEXT, SEXT), 3},
    [UNTAKEN_OP_ULE] = {SET3(ZEXT, SEXT, ITE), SET2(ZEXT, SEXT), 2},
    [UNTAKEN_OP_SLT] = {SET3(ZEXT, SEXT, ITE), SET2(ZEXT, SEXT), 0},
    [UNTAKEN_OP_SLE] = {SET3(ZEXT, SEXT, ITE), SET2(ZEXT, SEXT), 0},
};

/* Constants that rules look for: in most cases zero and all ones. */
static inline bool is_special(unsigned op, term constant) {
    uint64_t from_the_top = (constant.value + 1) & width_mask(constant.width);
    return from_the_top < fitting_operands[op].special || constant.width == 1;
}

static inline bool is_large_shift(unsigned op, term by) {
    return op >= UNTAKEN_OP_SHL && op <= UNTAKEN_OP_ASHR && by.value >= by.width;
}

/* Where an operator is in a set. That of a wide node has the place of a narrow one, but no rule is for it: then a rule
 * is asked in vain. */
static inline unsigned set_place(unsigned op) { return op & 63; }

/* Whether a rule may fit the operation of this label with a constant. Of ITE nodes: those between two constants. */
static inline bool fits_beside_constant(unsigned op, untaken_label label) {
    const struct untaken_node *node = node_of(label);
    if (is_comparison(op) && node->op == UNTAKEN_OP_ITE) {
        return is_constant_node(node->b) && is_constant_node(node->c);
    }
    return fitting_operands[op].with_constant >> set_place(node->op) & 1;
}

static inline bool fit_together(unsigned op, untaken_label a, untaken_label b) {
    uint64_t fitting = fitting_operands[op].with_node;
    return (fitting >> set_place(node_of(a)->op) & 1) != 0 && (fitting >> set_place(node_of(b)->op) & 1) != 0;
}

__attribute__((always_inline)) static inline bool may_simplify(unsigned op, term a, term b) {
    if (b.label == 0) {
        return is_special(op, b) || is_large_shift(op, b) || fits_beside_constant(op, a.label);
    }
    if (a.label == 0) {
        return op != UNTAKEN_OP_SUB && (is_special(op, a) || fits_beside_constant(op, b.label));
    }
    return a.label == b.label || fit_together(op, a.label, b.label);
}

#undef SET1
#undef SET2
#undef SET3
#undef SET4
#undef ANYTHING

#endif
