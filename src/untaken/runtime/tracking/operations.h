/* Which node an operation of a group is, told from its operands' labels: as far as no rule simplifies it. */
#ifndef UNTAKEN_TRACKING_OPERATIONS_H
#define UNTAKEN_TRACKING_OPERATIONS_H

#include "expressions/terms.h"
#include "tracking/group.h"

#define INLINE __attribute__((always_inline)) static inline

/* Whether an operand is what its label says: nearly always it is. */
INLINE bool is_plain(const struct group_state *state, unsigned number, untaken_label label, unsigned width,
                            uint64_t value) {
    return label == 0 || made_here(state, number) || has_value(label, width, value);
}

INLINE bool shifts_all_out(unsigned op, unsigned width, uint64_t b) {
    return op - UNTAKEN_OP_SHL <= UNTAKEN_OP_ASHR - UNTAKEN_OP_SHL && b >= width;
}

/* An operation on values; labels are 0 where they have none. */
struct request {
    unsigned op, width;
    untaken_label la, lb;
    uint64_t a, b;
};

/* The node of an operation without a rule that simplifies it; false if there may be one, or that is not simple. */
INLINE bool key_with_constant(struct request ask, unsigned width, struct key *key) {
    term a = {ask.la, (uint8_t)ask.width, ask.a}, b = {0, (uint8_t)ask.width, ask.b};
    uint32_t right;
    if (may_simplify(ask.op, a, b) || (right = constant_label(b.width, b.value)) == 0) {
        return false;
    }
    *key = key_for(ask.op, width, ask.la, right, 0);
    return true;
}

INLINE bool key_after_constant(struct request ask, unsigned width, struct key *key) {
    term a = {0, (uint8_t)ask.width, ask.a}, b = {ask.lb, (uint8_t)ask.width, ask.b};
    uint32_t left;
    if (may_simplify(ask.op, a, b) || (left = constant_label(a.width, a.value)) == 0) {
        return false;
    }
    *key = key_for(ask.op, width, left, ask.lb, 0);
    return true;
}

INLINE bool key_of_two(struct request ask, unsigned width, struct key *key) {
    bool swapped = commutes(ask.op) && ask.lb < ask.la;
    untaken_label left = swapped ? ask.lb : ask.la, right = swapped ? ask.la : ask.lb;
    *key = key_for(ask.op, width, left, right, 0);
    return left != right && !fit_together(ask.op, left, right);
}

INLINE struct request exchanged(struct request ask) {
    return (struct request){ask.op, ask.width, ask.lb, ask.la, ask.b, ask.a};
}

/* What is added to a value that is equal to a constant can be taken off the constant. */
INLINE struct request solved(struct request ask) {
    const struct untaken_node *node = node_of(ask.la);
    if (ask.op == UNTAKEN_OP_EQ && node->op == UNTAKEN_OP_ADD && is_constant_node(node->b)) {
        uint64_t added = node_of(node->b)->value, mask = width_mask(ask.width);
        return (struct request){ask.op, ask.width, node->a, 0, (ask.a - added) & mask, (ask.b - added) & mask};
    }
    return ask;
}

/* A comparison of an extended value with a constant that is narrow enough is one of the value itself. */
INLINE struct request narrowed(struct request ask) {
    const struct untaken_node *node = node_of(ask.la);
    if (node->op == UNTAKEN_OP_ZEXT) {
        unsigned width = node_of(node->a)->width;
        if (width > 1 && ask.b <= width_mask(width)) {
            return (struct request){unsigned_comparison(ask.op), width, node->a, 0, ask.a, ask.b};
        }
    }
    return ask;
}

/* So is one of two extended values. */
INLINE struct request narrowed_both(struct request ask) {
    const struct untaken_node *a = node_of(ask.la), *b = node_of(ask.lb);
    if (a->op == UNTAKEN_OP_ZEXT && b->op == UNTAKEN_OP_ZEXT && ask.la != ask.lb) {
        unsigned width = node_of(a->a)->width;
        if (width > 1 && node_of(b->a)->width == width) {
            return (struct request){unsigned_comparison(ask.op), width, a->a, b->a, ask.a, ask.b};
        }
    }
    return ask;
}

INLINE bool key_of_comparison(struct request ask, bool constant, struct key *key) {
    if (constant || ask.lb == 0) {
        return key_with_constant(narrowed(solved(ask)), 1, key);
    }
    if (ask.la != 0) {
        return key_of_two(narrowed_both(ask), 1, key);
    }
    return commutes(ask.op) ? key_with_constant(narrowed(solved(exchanged(ask))), 1, key)
                            : key_after_constant(ask, 1, key);
}

INLINE bool key_of_arithmetic(struct request ask, bool constant, struct key *key) {
    if (constant || ask.lb == 0) {
        return key_with_constant(ask, ask.width, key);
    }
    if (ask.la != 0) {
        return key_of_two(ask, ask.width, key);
    }
    return commutes(ask.op) ? key_with_constant(exchanged(ask), ask.width, key)
                            : key_after_constant(ask, ask.width, key);
}

/* Whether the second operand is a zero that changes nothing. */
INLINE bool adds_nothing(struct request ask) {
    bool neutral = ask.op <= UNTAKEN_OP_SUB || (ask.op >= UNTAKEN_OP_SHL && ask.op <= UNTAKEN_OP_ASHR) ||
                   ask.op == UNTAKEN_OP_OR || ask.op == UNTAKEN_OP_XOR;
    return neutral && ask.lb == 0 && ask.b == 0;
}

/* False if an operand is not what its label says. */
INLINE bool read_operands(const struct group_state *state, unsigned op, bool constant, struct request *ask) {
    const struct untaken_step *step = state->step;
    *ask = (struct request){.op = op, .width = step->descriptor >> 8 & 0xff};
    ask->a = constant ? state->values[step->a] : value_of(state, step->a);
    ask->la = constant ? state->labels[step->a] : label_of(state, step->a, 0);
    ask->b = constant ? constant_of(state, step->b) : state->values[step->b];
    ask->lb = constant ? 0 : label_of(state, step->b, 1);
    return !shifts_all_out(op, ask->width, ask->b) && is_plain(state, 0, ask->la, ask->width, ask->a) &&
           is_plain(state, 1, ask->lb, ask->width, ask->b);
}

#endif
