/* Numbers that programs put together from bytes and take apart again, with shifts, masks and ors, as what they are:
 * concatenations and extracts. So a magic number of four bytes is a condition on each of them, and a field that was
 * packed is found again. */
#include "expressions/expressions.h"

#define DEPTH 10 /* eight bytes, one after the other, and an extension */
#define RUNS 9

/* The bits that are not zero for all inputs, as far as a look at the shape tells. */
static uint64_t possible_bits(term a, unsigned depth) {
    const struct untaken_node *node = node_of(a.label);
    uint64_t all = width_mask(a.width);
    if (a.label == 0) {
        return a.value;
    }
    if (depth == 0) {
        return all;
    }
    switch (node->op) {
    case UNTAKEN_OP_ZEXT: return possible_bits(term_of_operand(node->a), depth - 1);
    case UNTAKEN_OP_AND: return is_constant_node(node->b) ? node_of(node->b)->value : all;
    case UNTAKEN_OP_CONCAT: {
        term low = term_of_operand(node->b);
        return possible_bits(term_of_operand(node->a), depth - 1) << low.width | possible_bits(low, depth - 1);
    }
    default: return all;
    }
}

/* How many bits from `low` on are the same in a set. */
static unsigned run_length(uint64_t bits, unsigned low, unsigned width) {
    uint64_t rest = bits >> low, same = rest & 1 ? ~rest : rest;
    unsigned length = same == 0 ? 64 : (unsigned)__builtin_ctzll(same);
    return length < width - low ? length : width - low;
}

static unsigned runs_of(uint64_t bits, unsigned width) {
    unsigned count = 0;
    for (unsigned low = 0; low < width; low += run_length(bits, low, width)) {
        count++;
    }
    return count;
}

/* Whether each bit may be set. */
static bool is_full(term a) {
    unsigned op = node_of(a.label)->op;
    return a.label != 0 && op != UNTAKEN_OP_ZEXT && op != UNTAKEN_OP_AND &&
           (op != UNTAKEN_OP_CONCAT || possible_bits(a, DEPTH) == width_mask(a.width));
}

static term without_extension(term a) {
    const struct untaken_node *node = node_of(a.label);
    return node->op == UNTAKEN_OP_ZEXT ? term_of_operand(node->a) : a;
}

/* What most pieces are: one above zeros, and one as wide as these. The first operand is cut at its own bits, so what
 * the second has above them is one piece, zeros included. */
static bool join_above_zeros(term above, term below, bool is_first, term *result) {
    term low = without_extension(below);
    const struct untaken_node *node = node_of(without_extension(above).label), *zeros = node_of(node->b);
    if (node->op != UNTAKEN_OP_CONCAT || zeros->op != UNTAKEN_OP_CONST || zeros->value != 0 ||
        zeros->width != low.width) {
        return false;
    }
    term high = term_of_operand(node->a);
    if (!is_full(high) || !is_full(low)) {
        return false;
    }
    if (!is_first) {
        high = term_extend(UNTAKEN_OP_ZEXT, high, (uint8_t)(above.width - low.width));
    }
    *result = term_extend(UNTAKEN_OP_ZEXT, term_concat(high, low), above.width);
    return true;
}

bool untaken_join_disjoint(term a, term b, term *result) {
    if (join_above_zeros(a, b, true, result) || join_above_zeros(b, a, false, result)) {
        return true;
    }
    uint64_t from_a = possible_bits(a, DEPTH);
    if (from_a == width_mask(a.width) || (from_a & possible_bits(b, DEPTH)) != 0 || runs_of(from_a, a.width) > RUNS) {
        return false;
    }
    unsigned low = run_length(from_a, 0, a.width);
    *result = term_extract(from_a & 1 ? a : b, 0, (uint8_t)low);
    while (low < a.width) {
        unsigned length = run_length(from_a, low, a.width);
        term piece = term_extract(from_a >> low & 1 ? a : b, (uint8_t)low, (uint8_t)length);
        *result = term_concat(piece, *result);
        low += length;
    }
    return true;
}

/* Whether a piece of the value is simpler than the value. */
static bool falls_apart(term a) {
    unsigned op = node_of(a.label)->op;
    return op == UNTAKEN_OP_CONCAT || op == UNTAKEN_OP_ZEXT;
}

bool untaken_shift_up(term a, unsigned by, term *result) {
    term inner = without_extension(a);
    uint8_t left = (uint8_t)(a.width - by);
    if (!falls_apart(a)) {
        return false;
    }
    term kept = inner.width <= left ? term_extend(UNTAKEN_OP_ZEXT, inner, left) : term_extract(a, 0, left);
    *result = term_concat(kept, term_constant((uint8_t)by, 0));
    return true;
}

bool untaken_shift_down(term a, unsigned by, term *result) {
    if (!falls_apart(a)) {
        return false;
    }
    *result = term_extend(UNTAKEN_OP_ZEXT, term_extract(a, (uint8_t)by, (uint8_t)(a.width - by)), a.width);
    return true;
}

bool untaken_mask_low(term a, uint64_t mask, term *result) {
    if ((mask & (mask + 1)) != 0 || !falls_apart(a)) {
        return false;
    }
    unsigned width = (unsigned)__builtin_popcountll(mask);
    *result = term_extend(UNTAKEN_OP_ZEXT, term_extract(a, 0, (uint8_t)width), a.width);
    return true;
}
