/* Simplification of binary operations. Each rule holds for all inputs, not just those of this run; a result
 * without a label is the same constant for all inputs. Rules look one or two nodes deep: their purpose is to
 * undo what C's promotions and boolean ints add, and to make equal things equal nodes; the solver does the
 * rest. What a new rule looks for must also be said in expressions/simplify.h, or it is never asked. */
#include "expressions/simplify.h"
#include "expressions/evaluate.h"
#include "expressions/wide.h"

typedef bool rule(term a, term b, term *result);

static bool give(term *result, term value) {
    *result = value;
    return true;
}

static bool give_constant(term *result, unsigned width, uint64_t value) {
    return give(result, term_constant((uint8_t)width, value & width_mask(width)));
}

static bool same(term a, term b) { return a.label != 0 && a.label == b.label; }

static bool power_of_two(uint64_t value) { return value != 0 && (value & (value - 1)) == 0; }

static term constant_like(term a, uint64_t value) { return term_constant(a.width, value & width_mask(a.width)); }

/* If `a` is `op` with a constant as its second operand. */
static bool has_constant(term a, unsigned op, term *operand, uint64_t *constant) {
    const struct untaken_node *node = node_of(a.label);
    if (node->op != op || !is_constant_node(node->b)) {
        return false;
    }
    *operand = term_of_operand(node->a);
    *constant = node_of(node->b)->value;
    return true;
}

static bool rule_add(term a, term b, term *result) {
    term inner;
    uint64_t constant;
    if (b.label != 0) {
        return untaken_join_disjoint(a, b, result);
    }
    if (b.value == 0) {
        return give(result, a);
    }
    if (has_constant(a, UNTAKEN_OP_ADD, &inner, &constant)) {
        return give(result, term_binary(UNTAKEN_OP_ADD, inner, constant_like(a, constant + b.value)));
    }
    return false;
}

static bool rule_sub(term a, term b, term *result) {
    if (same(a, b)) {
        return give_constant(result, a.width, 0);
    }
    if (b.label == 0) {
        return give(result, term_binary(UNTAKEN_OP_ADD, a, constant_like(b, 0 - b.value)));
    }
    return false;
}

static bool rule_mul(term a, term b, term *result) {
    if (b.label == 0 && b.value == 0) {
        return give_constant(result, a.width, 0);
    }
    return b.label == 0 && b.value == 1 && give(result, a);
}

static bool rule_udiv(term a, term b, term *result) {
    if (b.label != 0 || !power_of_two(b.value)) {
        return false;
    }
    return give(result, term_binary(UNTAKEN_OP_LSHR, a, constant_like(a, (uint64_t)__builtin_ctzll(b.value))));
}

static bool rule_urem(term a, term b, term *result) {
    if (b.label != 0 || !power_of_two(b.value)) {
        return false;
    }
    return give(result, term_binary(UNTAKEN_OP_AND, a, constant_like(a, b.value - 1)));
}

static bool rule_sdiv(term a, term b, term *result) {
    return b.label == 0 && b.value == 1 && a.width > 1 && give(result, a);
}

static bool rule_srem(term a, term b, term *result) {
    return b.label == 0 && b.value == 1 && a.width > 1 && give_constant(result, a.width, 0);
}

/* What holds for zeros and shifts by constants holds both ways. */
static bool rule_shift(term a, term b, term *result) {
    if (a.label == 0) {
        return a.value == 0 && give_constant(result, a.width, 0);
    }
    if (b.label != 0) {
        return false;
    }
    if (b.value >= a.width) {
        return give_constant(result, a.width, 0);
    }
    return b.value == 0 && give(result, a);
}

static bool rule_shl(term a, term b, term *result) {
    return rule_shift(a, b, result) || (b.label == 0 && untaken_shift_up(a, (unsigned)b.value, result));
}

static bool rule_lshr(term a, term b, term *result) {
    return rule_shift(a, b, result) || (b.label == 0 && untaken_shift_down(a, (unsigned)b.value, result));
}

static bool rule_ashr(term a, term b, term *result) {
    if (a.label == 0) {
        return (a.value == 0 || a.value == width_mask(a.width)) && give(result, a);
    }
    if (b.label == 0 && b.value == 0) {
        return give(result, a);
    }
    bool positive = node_of(a.label)->op == UNTAKEN_OP_ZEXT;
    return b.label == 0 && positive && give(result, term_binary(UNTAKEN_OP_LSHR, a, b));
}

/* Bitwise operations on extended values: done on the narrow ones, if the other operand allows it. */
static bool narrow_bitwise(unsigned op, term a, term b, term *result) {
    const struct untaken_node *wide = node_of(a.label), *other = node_of(b.label);
    if (wide->op != UNTAKEN_OP_ZEXT && wide->op != UNTAKEN_OP_SEXT) {
        return false;
    }
    term inner = term_of_operand(wide->a), operand;
    if (b.label != 0) {
        if (other->op != wide->op || node_of(other->a)->width != inner.width) {
            return false;
        }
        operand = term_of_operand(other->a);
    } else if (wide->op == UNTAKEN_OP_ZEXT && (op == UNTAKEN_OP_AND || (b.value & ~width_mask(inner.width)) == 0)) {
        operand = constant_like(inner, b.value);
    } else {
        return false;
    }
    return give(result, term_extend(wide->op, term_binary(op, inner, operand), a.width));
}

static bool rule_and(term a, term b, term *result) {
    term inner;
    uint64_t constant;
    if (same(a, b) || (b.label == 0 && b.value == width_mask(a.width))) {
        return give(result, a);
    }
    if (b.label == 0 && b.value == 0) {
        return give_constant(result, a.width, 0);
    }
    if (b.label == 0 && has_constant(a, UNTAKEN_OP_AND, &inner, &constant)) {
        return give(result, term_binary(UNTAKEN_OP_AND, inner, constant_like(a, constant & b.value)));
    }
    if (b.label == 0 && untaken_mask_low(a, b.value, result)) {
        return true;
    }
    return narrow_bitwise(UNTAKEN_OP_AND, a, b, result);
}

static bool rule_or(term a, term b, term *result) {
    if (same(a, b) || (b.label == 0 && b.value == 0)) {
        return give(result, a);
    }
    if (b.label == 0 && b.value == width_mask(a.width)) {
        return give_constant(result, a.width, b.value);
    }
    return untaken_join_disjoint(a, b, result) || narrow_bitwise(UNTAKEN_OP_OR, a, b, result);
}

static bool rule_xor(term a, term b, term *result) {
    term inner;
    uint64_t constant;
    if (same(a, b)) {
        return give_constant(result, a.width, 0);
    }
    if (b.label == 0 && b.value == 0) {
        return give(result, a);
    }
    if (b.label == 0 && has_constant(a, UNTAKEN_OP_XOR, &inner, &constant)) {
        return give(result, term_binary(UNTAKEN_OP_XOR, inner, constant_like(a, constant ^ b.value)));
    }
    if (b.label != 0 && untaken_join_disjoint(a, b, result)) {
        return true;
    }
    return narrow_bitwise(UNTAKEN_OP_XOR, a, b, result);
}

/* ---- Comparisons ---- */

static uint64_t compare(unsigned op, bool swapped, unsigned width, uint64_t varying, uint64_t constant) {
    return swapped ? evaluate(op, width, constant, varying) : evaluate(op, width, varying, constant);
}

/* A value that depends on one bit, compared with a constant: the bit, its negation, or a constant. */
static bool compare_bit(unsigned op, term value, term constant, bool swapped, term *result) {
    const struct untaken_node *node = node_of(value.label);
    uint64_t when_true, when_false;
    if ((node->op == UNTAKEN_OP_ZEXT || node->op == UNTAKEN_OP_SEXT) && node_of(node->a)->width == 1) {
        when_true = node->op == UNTAKEN_OP_ZEXT ? 1 : width_mask(value.width);
        when_false = 0;
    } else if (node->op == UNTAKEN_OP_ITE && is_constant_node(node->b) && is_constant_node(node->c)) {
        when_true = node_of(node->b)->value;
        when_false = node_of(node->c)->value;
    } else {
        return false;
    }
    term bit = term_of_operand(node->a);
    uint64_t yes = compare(op, swapped, value.width, when_true, constant.value);
    uint64_t no = compare(op, swapped, value.width, when_false, constant.value);
    if (yes == no) {
        return give_constant(result, 1, yes);
    }
    return give(result, yes ? bit : term_not(bit));
}

UNTAKEN_OWN void (*untaken_on_beyond)(unsigned op, bool swapped, term narrow, int64_t constant);

static term compare_terms(unsigned op, term varying, term other, bool swapped) {
    return swapped ? term_binary(op, other, varying) : term_binary(op, varying, other);
}

/* An extended value against a constant: the comparison of the narrow value if the constant fits, otherwise the
 * constant is beyond all of its values and any one of them decides. */
static bool compare_extended(unsigned op, term value, term constant, bool swapped, term *result) {
    const struct untaken_node *node = node_of(value.label);
    bool is_signed = op == UNTAKEN_OP_SLT || op == UNTAKEN_OP_SLE;
    if (node->op != UNTAKEN_OP_ZEXT && (node->op != UNTAKEN_OP_SEXT || (!is_signed && op != UNTAKEN_OP_EQ))) {
        return false;
    }
    term inner = term_of_operand(node->a);
    term narrow = constant_like(inner, constant.value);
    uint64_t back = node->op == UNTAKEN_OP_ZEXT ? narrow.value : (uint64_t)sign_extended(narrow.value, inner.width);
    if ((back & width_mask(value.width)) != constant.value) {
        if (untaken_on_beyond != NULL) {
            bool is_unsigned = op == UNTAKEN_OP_ULT || op == UNTAKEN_OP_ULE;
            untaken_on_beyond(op, swapped, inner,
                              is_unsigned ? (int64_t)constant.value : sign_extended(constant.value, value.width));
        }
        return give_constant(result, 1, compare(op, swapped, value.width, 0, constant.value));
    }
    if (node->op == UNTAKEN_OP_ZEXT && is_signed) {
        op = op == UNTAKEN_OP_SLT ? UNTAKEN_OP_ULT : UNTAKEN_OP_ULE;
    }
    return give(result, compare_terms(op, inner, narrow, swapped));
}

static bool compare_both_extended(unsigned op, term a, term b, term *result) {
    const struct untaken_node *left = node_of(a.label), *right = node_of(b.label);
    bool is_signed = op == UNTAKEN_OP_SLT || op == UNTAKEN_OP_SLE;
    bool zero = left->op == UNTAKEN_OP_ZEXT;
    if (left->op != right->op || (!zero && left->op != UNTAKEN_OP_SEXT) ||
        node_of(left->a)->width != node_of(right->a)->width) {
        return false;
    }
    if (zero && is_signed) {
        op = op == UNTAKEN_OP_SLT ? UNTAKEN_OP_ULT : UNTAKEN_OP_ULE;
    }
    /* Sign extension also keeps the unsigned order: the upper half stays above the lower. */
    return give(result, term_binary(op, term_of_operand(left->a), term_of_operand(right->a)));
}

static bool compare_shapes(unsigned op, term a, term b, term *result) {
    if (b.label == 0) {
        return compare_bit(op, a, b, false, result) || compare_extended(op, a, b, false, result);
    }
    if (a.label == 0) {
        return compare_bit(op, b, a, true, result) || compare_extended(op, b, a, true, result);
    }
    return compare_both_extended(op, a, b, result);
}

static bool is_invertible(const struct untaken_node *node) {
    return node->op == UNTAKEN_OP_ADD || node->op == UNTAKEN_OP_SUB || node->op == UNTAKEN_OP_XOR;
}

/* Moves what is invertible to the side of the constant: x + c == d is x == d - c. */
static bool solve_equation(term *a, term *b) {
    const struct untaken_node *node = node_of(a->label);
    if (!is_invertible(node)) {
        return false; /* nor are its operands nodes, maybe: a read has a place in the tables there */
    }
    term left = term_of_operand(node->a), right = term_of_operand(node->b);
    if (node->op == UNTAKEN_OP_ADD && right.label == 0) {
        *b = constant_like(*b, b->value - right.value);
    } else if (node->op == UNTAKEN_OP_XOR && right.label == 0) {
        *b = constant_like(*b, b->value ^ right.value);
    } else if (node->op == UNTAKEN_OP_SUB && left.label == 0) {
        *b = constant_like(*b, left.value - b->value);
        left = right;
    } else if (node->op != UNTAKEN_OP_ADD && b->value == 0) {
        *b = right;
    } else {
        return false;
    }
    *a = left;
    return true;
}

static bool rule_eq(term a, term b, term *result) {
    if (same(a, b)) {
        return give_constant(result, 1, 1);
    }
    if (a.width == 1 && b.label == 0) {
        return give(result, b.value ? a : term_not(a));
    }
    if (b.label == 0 && solve_equation(&a, &b)) {
        for (int steps = 0; steps < 64 && b.label == 0 && solve_equation(&a, &b); steps++) {
        }
        return give(result, term_binary(UNTAKEN_OP_EQ, a, b));
    }
    return compare_shapes(UNTAKEN_OP_EQ, a, b, result);
}

static bool rule_ult(term a, term b, term *result) {
    if (same(a, b) || (b.label == 0 && b.value == 0) || (a.label == 0 && a.value == width_mask(a.width))) {
        return give_constant(result, 1, 0);
    }
    if (a.label == 0 && a.value == 0) {
        return give(result, term_not(term_binary(UNTAKEN_OP_EQ, b, a)));
    }
    if (b.label == 0 && b.value == 1) {
        return give(result, term_binary(UNTAKEN_OP_EQ, a, constant_like(a, 0)));
    }
    return compare_shapes(UNTAKEN_OP_ULT, a, b, result);
}

static bool rule_ule(term a, term b, term *result) {
    if (same(a, b) || (a.label == 0 && a.value == 0) || (b.label == 0 && b.value == width_mask(a.width))) {
        return give_constant(result, 1, 1);
    }
    if (b.label == 0 && b.value == 0) {
        return give(result, term_binary(UNTAKEN_OP_EQ, a, b));
    }
    return compare_shapes(UNTAKEN_OP_ULE, a, b, result);
}

static bool rule_slt(term a, term b, term *result) {
    return same(a, b) ? give_constant(result, 1, 0) : compare_shapes(UNTAKEN_OP_SLT, a, b, result);
}

static bool rule_sle(term a, term b, term *result) {
    return same(a, b) ? give_constant(result, 1, 1) : compare_shapes(UNTAKEN_OP_SLE, a, b, result);
}

bool untaken_simplify(unsigned op, term a, term b, term *result) {
    static rule *const rules[] = {
        [UNTAKEN_OP_ADD] = rule_add,   [UNTAKEN_OP_SUB] = rule_sub,   [UNTAKEN_OP_MUL] = rule_mul,
        [UNTAKEN_OP_UDIV] = rule_udiv, [UNTAKEN_OP_SDIV] = rule_sdiv, [UNTAKEN_OP_UREM] = rule_urem,
        [UNTAKEN_OP_SREM] = rule_srem, [UNTAKEN_OP_SHL] = rule_shl,   [UNTAKEN_OP_LSHR] = rule_lshr,
        [UNTAKEN_OP_ASHR] = rule_ashr, [UNTAKEN_OP_AND] = rule_and,   [UNTAKEN_OP_OR] = rule_or,
        [UNTAKEN_OP_XOR] = rule_xor,   [UNTAKEN_OP_EQ] = rule_eq,     [UNTAKEN_OP_ULT] = rule_ult,
        [UNTAKEN_OP_ULE] = rule_ule,   [UNTAKEN_OP_SLT] = rule_slt,   [UNTAKEN_OP_SLE] = rule_sle,
    };
    return rules[op](a, b, result);
}
