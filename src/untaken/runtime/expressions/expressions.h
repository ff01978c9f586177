/* Expressions, for the other rooms: nodes, terms (values with their expressions), and what can be said of them.
 *
 * A label is the index of a node; 0 is none. Everything that takes labels also takes the concrete values beside
 * them, so that a node always knows its value in this run. */
#ifndef UNTAKEN_EXPRESSIONS_EXPRESSIONS_H
#define UNTAKEN_EXPRESSIONS_EXPRESSIONS_H

#include "state.h"

/* ---- nodes.c: hash-consed expression nodes --------------------------------------------------------------
 * All return 0 if recording is off or the table is full (which is noted in cut_off). `value` is the concrete
 * value of the new node in this run. */
untaken_label untaken_node(uint8_t op, uint8_t width, uint32_t a, uint32_t b, uint32_t c, uint64_t value);
untaken_label untaken_constant(uint8_t width, uint64_t value);
untaken_label untaken_input_node(uint64_t index, uint8_t value);
uint64_t untaken_value(untaken_label label); /* concrete value in this run */
uint8_t untaken_width(untaken_label label);
void untaken_nodes_start(void);     /* once, in the server */
void untaken_nodes_begin_run(void); /* before each run */
void untaken_nodes_prefault(void);
/* reach.c: after each run, which input bytes the nodes depend on that it made. */
void untaken_find_reach(void);

static inline struct untaken_constant_entry *constant_entry(unsigned width, uint64_t value) {
    return &untaken_state.constants[((value ^ width) * 0x9e3779b97f4a7c15ull) >> 57];
}

/* Label 0 leads to node 0, whose operator is NONE: no rule fits it. */
static inline const struct untaken_node *node_of(untaken_label label) { return &untaken_state.nodes[label]; }

static inline bool is_constant_node(uint32_t index) { return node_of(index)->op == UNTAKEN_OP_CONST; }

static inline bool is_comparison(unsigned op) { return op >= UNTAKEN_OP_EQ && op <= UNTAKEN_OP_SLE; }

/* Of 1 to 64 bits. */
static inline uint64_t width_mask(unsigned width) { return ~0ull >> (-width & 63); }

static inline int64_t sign_extended(uint64_t value, unsigned width) {
    unsigned shift = 64 - width;
    return (int64_t)(value << shift) >> shift;
}

/* ---- terms.c: a value with its expression; label 0 means just the value. Widths up to 64; wide.h has others. ---- */
struct untaken_term {
    untaken_label label;
    uint8_t width;
    uint64_t value;
};
typedef struct untaken_term term;

/* simplify.c: told where a value is compared with a constant that is beyond all that it can be, so that nothing depends on
 * it. `swapped`: the constant is on the left. Null: nobody wants to know. */
extern UNTAKEN_OWN void (*untaken_on_beyond)(unsigned op, bool swapped, term narrow, int64_t constant);

static inline term term_constant(uint8_t width, uint64_t value) { return (term){0, width, value}; }
term term_of_label(untaken_label label); /* label must be nonzero */
/* op: any binary op of abi.h, the request-only ones included; computes the concrete value itself. */
term term_binary(enum untaken_op op, term a, term b);
term term_unary(enum untaken_op op, term a);
term term_not(term a); /* of width 1 */
term term_and(term a, term b); /* bitwise, any width */
term term_or(term a, term b);
term term_raw_node(unsigned op, unsigned width, term a, term b, uint64_t value); /* no rule simplifies it */

/* The operand of a node as a term; constants become plain values. */
static inline term term_of_operand(uint32_t index) {
    const struct untaken_node *node = node_of(index);
    return (term){node->op == UNTAKEN_OP_CONST ? 0 : index, node->width, node->value};
}

/* A label that does not fit its value (a function declared with another type, say) is adapted to it, or dropped if
 * the value differs. */
term term_adapted(untaken_label label, unsigned width, uint64_t value);

static inline bool has_value(untaken_label label, unsigned width, uint64_t value) {
    const struct untaken_node *node = node_of(label);
    return label < untaken_shared->node_count && node->width == width && node->value == value;
}

/* The label as the instrumented code sees it, beside the width and value that it computed. */
static inline term term_believed(untaken_label label, unsigned width, uint64_t value) {
    value &= width_mask(width);
    if (label == 0 || has_value(label, width, value)) {
        return (term){label, (uint8_t)width, value};
    }
    return term_adapted(label, width, value);
}

/* ---- extract_concat.c ---- */
term term_extend(enum untaken_op op, term a, uint8_t width); /* ZEXT SEXT TRUNC */
term term_extract(term a, uint8_t low, uint8_t width);
term term_concat(term high, term low);
term term_ite(term condition, term then_value, term else_value);

/* ---- byte_packing.c: shifts, masks and ors that are concatenations and extracts; false if they are none ---- */
bool untaken_join_disjoint(term a, term b, term *result); /* a | b, if no bit may be set in both */
bool untaken_shift_up(term a, unsigned by, term *result); /* 0 < by < width */
bool untaken_shift_down(term a, unsigned by, term *result);
bool untaken_mask_low(term a, uint64_t mask, term *result); /* a & mask, if that is the lowest bits; some, not all */

/* ---- funnel_shift.c ---- */
term term_funnel(term high, term low, term shift, bool right);

/* ---- ranges.c: what is known of an expression without a solver ---- */
struct untaken_range {
    uint64_t low, high;
};
struct untaken_range untaken_range_of(untaken_label label);
unsigned untaken_fixed_low_bits(untaken_label label); /* how many of its lowest bits are the same for all inputs */

#endif
