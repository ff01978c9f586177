/* Random terms of up to 128 bits, built over one input and compared with what they are for others: as in test_terms.c,
 * every simplification must hold for all values. The meaning of operators is written a second time here. */
#include "harness.h"
#include "expressions/wide.h"

#define INPUTS 3
#define STEPS 16
#define POOL 96
#define TRIALS 3000
#define OTHERS 40

static uint64_t random_state = 88172645463325252ull;

static uint64_t random_bits(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    return random_state ^= random_state << 17;
}

static unsigned below(unsigned limit) { return (unsigned)(random_bits() >> 33) % limit; }

/* ---- What operators mean ---- */

static wide_bits ones(unsigned width) { return width == WIDEST ? ~(wide_bits)0 : ((wide_bits)1 << width) - 1; }

static bool is_negative(wide_bits a, unsigned width) { return a >> (width - 1) & 1; }

static wide_bits magnitude(wide_bits a, unsigned width) { return (is_negative(a, width) ? 0 - a : a) & ones(width); }

static wide_bits divided(unsigned op, unsigned width, wide_bits a, wide_bits b) {
    bool keeps_sign = op == UNTAKEN_OP_SDIV || op == UNTAKEN_OP_SREM, minus = keeps_sign && is_negative(a, width);
    bool quotient = op == UNTAKEN_OP_UDIV || op == UNTAKEN_OP_SDIV;
    if (b == 0) {
        return !quotient ? a : minus ? 1 : ~(wide_bits)0;
    }
    wide_bits x = keeps_sign ? magnitude(a, width) : a, y = keeps_sign ? magnitude(b, width) : b;
    bool negates = quotient ? minus != (keeps_sign && is_negative(b, width)) : minus;
    wide_bits result = quotient ? x / y : x % y;
    return negates ? 0 - result : result;
}

static wide_bits shifted(unsigned op, unsigned width, wide_bits a, wide_bits b) {
    wide_bits sign = op == UNTAKEN_OP_ASHR && is_negative(a, width) ? (wide_bits)1 << (width - 1) : 0;
    for (wide_bits i = 0; i < b && i < width; i++) {
        a = op == UNTAKEN_OP_SHL ? a << 1 : a >> 1 | sign;
    }
    return a;
}

static bool is_less(unsigned op, unsigned width, wide_bits a, wide_bits b) {
    wide_bits flip = op >= UNTAKEN_OP_SLT ? (wide_bits)1 << (width - 1) : 0;
    return (a ^ flip) < (b ^ flip);
}

static bool product_overflows(bool keeps_sign, unsigned width, wide_bits a, wide_bits b) {
    wide_bits x = keeps_sign ? magnitude(a, width) : a, y = keeps_sign ? magnitude(b, width) : b;
    bool minus = keeps_sign && is_negative(a, width) != is_negative(b, width);
    wide_bits limit = keeps_sign ? ((wide_bits)1 << (width - 1)) - !minus : ones(width);
    return x != 0 && y > limit / x;
}

static bool sum_overflows(unsigned op, unsigned width, wide_bits a, wide_bits b) {
    bool subtracts = op == UNTAKEN_OP_SSUB_OVERFLOW;
    wide_bits result = subtracts ? a - b : a + b;
    bool alike = is_negative(a, width) == (is_negative(b, width) != subtracts);
    return alike && is_negative(result, width) != is_negative(a, width);
}

static wide_bits meaning(unsigned op, unsigned width, wide_bits a, wide_bits b) {
    switch (op) {
    case UNTAKEN_OP_ADD: return a + b;
    case UNTAKEN_OP_SUB: return a - b;
    case UNTAKEN_OP_MUL: return a * b;
    case UNTAKEN_OP_UDIV:
    case UNTAKEN_OP_SDIV:
    case UNTAKEN_OP_UREM:
    case UNTAKEN_OP_SREM: return divided(op, width, a, b);
    case UNTAKEN_OP_SHL:
    case UNTAKEN_OP_LSHR:
    case UNTAKEN_OP_ASHR: return shifted(op, width, a, b);
    case UNTAKEN_OP_AND: return a & b;
    case UNTAKEN_OP_OR: return a | b;
    case UNTAKEN_OP_XOR: return a ^ b;
    case UNTAKEN_OP_EQ: return a == b;
    case UNTAKEN_OP_NE: return a != b;
    case UNTAKEN_OP_ULT:
    case UNTAKEN_OP_SLT: return is_less(op, width, a, b);
    case UNTAKEN_OP_ULE:
    case UNTAKEN_OP_SLE: return !is_less(op, width, b, a);
    case UNTAKEN_OP_SMIN: return is_less(UNTAKEN_OP_SLT, width, a, b) ? a : b;
    case UNTAKEN_OP_SMAX: return is_less(UNTAKEN_OP_SLT, width, a, b) ? b : a;
    case UNTAKEN_OP_UMIN: return a < b ? a : b;
    case UNTAKEN_OP_UMAX: return a < b ? b : a;
    case UNTAKEN_OP_UADD_OVERFLOW: return b > ones(width) - a;
    case UNTAKEN_OP_USUB_OVERFLOW: return a < b;
    case UNTAKEN_OP_UMUL_OVERFLOW:
    case UNTAKEN_OP_SMUL_OVERFLOW: return product_overflows(op == UNTAKEN_OP_SMUL_OVERFLOW, width, a, b);
    default: return sum_overflows(op, width, a, b);
    }
}

static wide_bits bit(wide_bits a, unsigned place) { return a >> place & 1; }

static wide_bits meaning_of_one(unsigned op, unsigned width, wide_bits a) {
    unsigned count = 0;
    wide_bits result = 0;
    switch (op) {
    case UNTAKEN_OP_ABS: return magnitude(a, width);
    case UNTAKEN_OP_CTLZ:
    case UNTAKEN_OP_CTTZ:
        while (count < width && !bit(a, op == UNTAKEN_OP_CTTZ ? count : width - 1 - count)) {
            count++;
        }
        return count;
    default: break;
    }
    for (unsigned i = 0; i < width; i++) {
        unsigned from = op == UNTAKEN_OP_BSWAP ? (width / 8 - 1 - i / 8) * 8 + i % 8 : width - 1 - i;
        result = op == UNTAKEN_OP_CTPOP ? result + bit(a, i) : result | bit(a, from) << i;
    }
    return result;
}

static wide_bits extended(unsigned op, unsigned from, wide_bits a) {
    return op == UNTAKEN_OP_SEXT && is_negative(a, from) ? a | ~ones(from) : a;
}

/* ---- Nodes, for another input ---- */

static wide_bits node_values[1 << 15];

static wide_bits node_value(const struct untaken_node *node, const uint8_t *input) {
    const wide_bits *of = node_values;
    unsigned op = node->op & ~UNTAKEN_WIDE, from = node_of(node->a)->width;
    switch (op) {
    case UNTAKEN_OP_INPUT: return input[node->a];
    case UNTAKEN_OP_CONST: return node->b | (wide_bits)node->c << 32;
    case UNTAKEN_OP_CONCAT: return of[node->a] << node_of(node->b)->width | of[node->b];
    case UNTAKEN_OP_EXTRACT: return of[node->a] >> node->b;
    case UNTAKEN_OP_ZEXT:
    case UNTAKEN_OP_SEXT: return extended(op, from, of[node->a]);
    case UNTAKEN_OP_ITE: return of[node->a] ? of[node->b] : of[node->c];
    case UNTAKEN_OP_CTPOP:
    case UNTAKEN_OP_CTLZ:
    case UNTAKEN_OP_CTTZ: return meaning_of_one(op, node->width, of[node->a]);
    default: return meaning(op, from, of[node->a], of[node->b]);
    }
}

static void evaluate_nodes(const uint8_t *input) {
    CHECK(untaken_shared->node_count < sizeof node_values / sizeof *node_values);
    for (uint64_t i = 1; i < untaken_shared->node_count; i++) {
        node_values[i] = node_value(node((untaken_label)i), input) & ones(node((untaken_label)i)->width);
    }
}

/* ---- Terms ---- */

/* How a term was asked for, to compute it again for other inputs. */
struct recipe {
    enum { BYTE, PLAIN, BINARY, UNARY, EXTEND, EXTRACT, ITE } kind;
    unsigned op, a, b, c, low, width;
    wide_bits value;
};
static struct recipe recipes[POOL];
static wide terms[POOL];
static unsigned pool;

static unsigned add(struct recipe recipe, wide built) {
    CHECK(pool < POOL && built.width == recipe.width);
    recipes[pool] = recipe;
    terms[pool] = built;
    return pool++;
}

/* Constants that rules like to look at. */
static wide_bits interesting(unsigned width) {
    wide_bits any = (wide_bits)random_bits() << 64 | random_bits();
    switch (below(6)) {
    case 0: return 0;
    case 1: return 1;
    case 2: return ones(width);
    case 3: return (wide_bits)1 << below(width);
    case 4: return ((wide_bits)1 << below(width)) - 1;
    default: return any >> below(WIDEST) & ones(width);
    }
}

static unsigned add_plain(unsigned width, wide_bits value) {
    return add((struct recipe){.kind = PLAIN, .width = width, .value = value}, wide_constant(width, value));
}

static unsigned fitted(unsigned from, unsigned width) {
    unsigned op = below(2) ? UNTAKEN_OP_ZEXT : UNTAKEN_OP_SEXT, before = terms[from].width;
    if (before == width) {
        return from;
    }
    if (before < width) {
        return add((struct recipe){.kind = EXTEND, .op = op, .a = from, .width = width},
                   wide_extend(op, terms[from], width));
    }
    unsigned low = below(before - width + 1);
    return add((struct recipe){.kind = EXTRACT, .a = from, .low = low, .width = width},
               wide_extract(terms[from], low, width));
}

static unsigned any_width(void) {
    static const unsigned widths[] = {1, 8, 16, 33, 64, 65, 80, 100, 127, 128, 128, 128};
    return widths[below(sizeof widths / sizeof *widths)];
}

static unsigned any_of(unsigned width) {
    return below(3) == 0 ? add_plain(width, interesting(width)) : fitted(below(pool), width);
}

static void step_binary(void) {
    static const uint8_t ops[] = {3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18,
                                  19, 20, 60, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 10, 11, 14};
    unsigned op = ops[below(sizeof ops)], width = 65 + below(64), a = any_of(width), b = any_of(width);
    if (op >= UNTAKEN_OP_SHL && op <= UNTAKEN_OP_ASHR && below(3) != 0) {
        b = add_plain(width, below(width));
    }
    wide built = wide_binary(op, terms[a], terms[b]);
    add((struct recipe){.kind = BINARY, .op = op, .a = a, .b = b, .width = built.width}, built);
}

static void step_unary(void) {
    static const uint8_t ops[] = {UNTAKEN_OP_CTPOP, UNTAKEN_OP_CTLZ,  UNTAKEN_OP_CTTZ,
                                  UNTAKEN_OP_ABS,   UNTAKEN_OP_BSWAP, UNTAKEN_OP_BITREVERSE};
    unsigned op = ops[below(sizeof ops)], width = below(2) ? 128 : 96, a = any_of(width);
    wide built;
    bool known = wide_unary(op, terms[a], &built);
    CHECK(known == (width == 128 || (op != UNTAKEN_OP_BSWAP && op != UNTAKEN_OP_BITREVERSE)));
    if (known) {
        add((struct recipe){.kind = UNARY, .op = op, .a = a, .width = width}, built);
    }
}

static void step_ite(void) {
    unsigned width = any_width(), a = any_of(1), b = any_of(width), c = any_of(width);
    add((struct recipe){.kind = ITE, .a = a, .b = b, .c = c, .width = width},
        wide_ite(narrowed_term(terms[a]), terms[b], terms[c]));
}

static void step(void) {
    switch (below(8)) {
    case 0:
    case 1: fitted(below(pool), any_width()); break;
    case 2: step_unary(); break;
    case 3: step_ite(); break;
    default: step_binary(); break;
    }
}

static wide_bits recompute(const struct recipe *recipe, const uint8_t *input, const wide_bits *made) {
    switch (recipe->kind) {
    case BYTE: return input[recipe->low];
    case PLAIN: return recipe->value;
    case BINARY: return meaning(recipe->op, terms[recipe->a].width, made[recipe->a], made[recipe->b]);
    case UNARY: return meaning_of_one(recipe->op, recipe->width, made[recipe->a]);
    case EXTEND: return extended(recipe->op, terms[recipe->a].width, made[recipe->a]);
    case EXTRACT: return made[recipe->a] >> recipe->low;
    default: return made[recipe->a] ? made[recipe->b] : made[recipe->c];
    }
}

static void check_term(unsigned i, wide_bits expected, bool concrete) {
    wide_bits got = terms[i].label != 0 ? node_values[terms[i].label] : terms[i].value;
    bool right = got == expected && (!concrete || terms[i].value == expected);
    if (!right) {
        fprintf(stderr, "term %u (kind %d, op %u, width %u) is %llx %llx, not %llx %llx\n", i, recipes[i].kind,
                recipes[i].op, recipes[i].width, (unsigned long long)(got >> 64), (unsigned long long)got,
                (unsigned long long)(expected >> 64), (unsigned long long)expected);
        exit(1);
    }
    if (concrete && terms[i].label != 0) {
        CHECK(wide_of_label(terms[i].label).value == expected);
        CHECK(wide_believed(terms[i].label, terms[i].width, expected).label == terms[i].label);
    }
}

static void check_input(const uint8_t *input, bool concrete) {
    wide_bits made[POOL];
    evaluate_nodes(input);
    for (unsigned i = 0; i < pool; i++) {
        made[i] = recompute(&recipes[i], input, made) & ones(recipes[i].width);
        check_term(i, made[i], concrete);
    }
}

static void trial(void) {
    uint8_t input[INPUTS];
    untaken_shared->node_count = 0;
    for (unsigned i = 0; i < INPUTS; i++) {
        set_input(i, input[i] = (uint8_t)random_bits());
    }
    begin();
    pool = 0;
    for (unsigned i = 0; i < INPUTS; i++) {
        add((struct recipe){.kind = BYTE, .low = i, .width = 8}, widened(input_byte(i)));
    }
    for (unsigned i = 0; i < STEPS && pool + 6 < POOL; i++) {
        step();
    }
    check_input(input, true);
    for (unsigned i = 0; i < OTHERS; i++) {
        uint8_t other[INPUTS] = {(uint8_t)random_bits(), (uint8_t)(below(2) ? 0 : 255), (uint8_t)random_bits()};
        check_input(other, false);
    }
    CHECK(untaken_shared->cut_off == 0);
}

/* A wide value goes through memory in two pieces, and comes out as it was. */
static void check_shapes(void) {
    untaken_shared->node_count = 0;
    begin();
    wide x = wide_extend(UNTAKEN_OP_SEXT, widened(input_byte(0)), 128), y = wide_extend(UNTAKEN_OP_ZEXT, widened(input_byte(1)), 128);
    wide values[] = {x, y, wide_binary(UNTAKEN_OP_MUL, x, y), wide_binary(UNTAKEN_OP_ADD, x, wide_constant(128, 5))};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        term low = narrowed_term(wide_extract(values[i], 0, 64)), high = narrowed_term(wide_extract(values[i], 64, 64));
        CHECK(wide_join(high, low).label == values[i].label);
    }
    wide up = wide_binary(UNTAKEN_OP_SHL, y, wide_constant(128, 64)), both = wide_binary(UNTAKEN_OP_OR, up, y);
    CHECK(node(both.label)->op == (UNTAKEN_OP_CONCAT | UNTAKEN_WIDE));
    CHECK(wide_extract(wide_binary(UNTAKEN_OP_LSHR, both, wide_constant(128, 64)), 0, 8).label == input_byte(1).label);
    CHECK(node(wide_binary(UNTAKEN_OP_SLT, y, wide_constant(128, 7)).label)->op == UNTAKEN_OP_ULT); /* a narrow one */
}

/* A label that is not of this value, or of another width, is dropped. */
static void check_belief(void) {
    untaken_shared->node_count = 0;
    begin();
    wide x = wide_extend(UNTAKEN_OP_ZEXT, widened(input_byte(0)), 128);
    wide product = wide_binary(UNTAKEN_OP_MUL, x, wide_constant(128, (wide_bits)3 << 70));
    CHECK(wide_believed(product.label, 128, product.value).label == product.label);
    CHECK(wide_believed(product.label, 128, product.value ^ (wide_bits)1 << 100).label == 0);
    CHECK(wide_believed(product.label, 100, product.value).label == 0);
    CHECK(untaken_shared->concretised[UNTAKEN_BY_OTHER] == 2);
    CHECK(term_believed(product.label, 64, (uint64_t)product.value).label == 0); /* a function of another type */
}

int main(void) {
    start(&usual_sizes);
    for (unsigned i = 0; i < TRIALS; i++) {
        trial();
    }
    check_shapes();
    check_belief();
    return 0;
}
