/* Building terms, as far as it is short enough to be inlined: operations that no rule of simplification is for. */
#ifndef UNTAKEN_EXPRESSIONS_TERMS_H
#define UNTAKEN_EXPRESSIONS_TERMS_H

#include "expressions/evaluate.h"
#include "expressions/nodes.h"
#include "expressions/simplify.h"

static inline term raw_node(unsigned op, unsigned width, term a, term b, uint64_t value) {
    uint32_t left = operand_label(a), right = operand_label(b), parent = a.label > b.label ? a.label : b.label;
    untaken_label label = 0;
    if (left != 0 && right != 0 && untaken_recording) {
        label = binary_node(key_for(op, width, left, right, 0), op, parent, value);
    }
    return (term){label, (uint8_t)width, value};
}

static inline bool commutes(unsigned op) {
    return (1u << op) & (1u << UNTAKEN_OP_ADD | 1u << UNTAKEN_OP_MUL | 1u << UNTAKEN_OP_AND | 1u << UNTAKEN_OP_OR |
                         1u << UNTAKEN_OP_XOR | 1u << UNTAKEN_OP_EQ);
}

static inline bool goes_first(term b, term a) { return a.label == 0 || (b.label != 0 && b.label < a.label); }

/* What is extended with zeros is not negative. */
static inline unsigned unsigned_comparison(unsigned op) {
    return op >= UNTAKEN_OP_SLT ? op - (UNTAKEN_OP_SLT - UNTAKEN_OP_ULT) : op;
}

/* How wide a value was before it was extended with zeros; 0 if it is none. Rules of their own are for single bits. */
static inline unsigned width_before(untaken_label label) {
    const struct untaken_node *node = node_of(label);
    if (node->op != UNTAKEN_OP_ZEXT) {
        return 0;
    }
    unsigned width = node_of(node->a)->width;
    return width > 1 ? width : 0;
}

/* term_binary, for an operator of the node table. */
__attribute__((always_inline)) static inline term plain_binary(unsigned op, term a, term b) {
    uint64_t value = evaluate(op, a.width, a.value, b.value);
    uint8_t width = is_comparison(op) ? 1 : a.width;
    if ((a.label | b.label) == 0) {
        return term_constant(width, value);
    }
    if (commutes(op) && goes_first(b, a)) {
        term swap = a;
        a = b;
        b = swap;
    }
    term result;
    if (may_simplify(op, a, b) && untaken_simplify(op, a, b, &result)) {
        return result;
    }
    return raw_node(op, width, a, b, value);
}

#endif
