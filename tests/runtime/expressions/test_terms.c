/* Random terms, built over one input and compared with the reference for all inputs: every simplification must
 * hold for all values, and a term without label must be constant. */
#include "harness.h"
#include "steps.h"
#include "reference.h"
#include "expressions/terms.h"

#define STEPS 14
#define POOL 64
#define TRIALS 1000

static uint64_t random_state = 88172645463325252ull;

static uint64_t random_bits(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    return random_state ^= random_state << 17;
}

static unsigned below(unsigned limit) { return (unsigned)(random_bits() >> 33) % limit; }

/* How a term was asked for, to compute it again for other inputs. */
struct recipe {
    enum { BYTE, PLAIN, BINARY, UNARY, EXTEND, EXTRACT, CONCAT, ITE, FUNNEL } kind;
    unsigned op, a, b, c, low;
    unsigned width;
    uint64_t value;
};
static struct recipe recipes[POOL];
static term terms[POOL];
static unsigned pool;

static unsigned add(struct recipe recipe, term built) {
    CHECK(pool < POOL);
    CHECK(built.width == recipe.width);
    recipes[pool] = recipe;
    terms[pool] = built;
    return pool++;
}

static unsigned add_plain(unsigned width, uint64_t value) {
    value &= width_mask(width);
    return add((struct recipe){.kind = PLAIN, .width = width, .value = value}, term_constant((uint8_t)width, value));
}

/* Constants that rules like to look at. */
static uint64_t interesting(unsigned width) {
    switch (below(6)) {
    case 0: return 0;
    case 1: return 1;
    case 2: return width_mask(width);
    case 3: return 1ull << below(width);
    case 4: return (1ull << below(width)) - 1;
    default: return random_bits() & width_mask(width);
    }
}

static unsigned pick(void) { return below(pool); }

static unsigned fitted(unsigned from, unsigned width) {
    term t = terms[from];
    if (t.width == width) {
        return from;
    }
    if (t.width > width) {
        unsigned low = below(t.width - width + 1);
        return add((struct recipe){.kind = EXTRACT, .a = from, .low = low, .width = width},
                   term_extract(t, (uint8_t)low, (uint8_t)width));
    }
    unsigned op = below(2) ? UNTAKEN_OP_ZEXT : UNTAKEN_OP_SEXT;
    term extended = term_extend(op, t, (uint8_t)width);
    CHECK(ask_cast(op | (uint32_t)t.width << 8 | width << 16, t.label, t.value, extended.value) == extended.label);
    return add((struct recipe){.kind = EXTEND, .op = op, .a = from, .width = width}, extended);
}

static unsigned pick_width(unsigned width) {
    return below(3) == 0 ? add_plain(width, interesting(width)) : fitted(pick(), width);
}

/* What simplify.h says that no rule is for, no rule is for. */
static void check_filter(unsigned op, term a, term b) {
    bool exchanged = commutes(op) && goes_first(b, a);
    term first = exchanged ? b : a, second = exchanged ? a : b, result;
    if ((a.label | b.label) != 0 && !may_simplify(op, first, second)) {
        CHECK(!untaken_simplify(op, first, second, &result));
    }
}

static void check_step_with_constant(uint32_t descriptor, term a, uint64_t b, untaken_label built) {
    unsigned op = descriptor & 0xff;
    CHECK(ask_with_constant(descriptor, a.label, a.value, b, false) == built);
    if (is_comparison(op) || op == UNTAKEN_OP_NE) {
        CHECK(ask_with_constant(descriptor, a.label, a.value, b, true) == built);
    }
}

/* A step of instrumented code that asks for the same has the same expression. */
static void check_step(unsigned op, term a, term b, term built) {
    bool undefined = op >= UNTAKEN_OP_SHL && op <= UNTAKEN_OP_ASHR && b.value >= b.width;
    if (!undefined) {
        untaken_label label = ask_binary(op | (uint32_t)a.width << 8, a.label, b.label, a.value, b.value, built.value);
        CHECK(label == built.label);
        if (a.label != 0 && b.label == 0) {
            check_step_with_constant(op | (uint32_t)a.width << 8, a, b.value, built.label);
        }
    }
}

static void step_binary(void) {
    static const uint8_t ops[] = {3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 60, 61, 62, 63,
                                  64, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84};
    unsigned op = ops[below(sizeof ops)], a = pick(), width = terms[a].width;
    unsigned b = op >= UNTAKEN_OP_SSHL_SAT ? add_plain(width, below(width)) : pick_width(width);
    if (below(2) && op < UNTAKEN_OP_SSHL_SAT) {
        unsigned swap = a;
        a = b;
        b = swap;
    }
    term built = term_binary(op, terms[a], terms[b]);
    if (op <= UNTAKEN_OP_NE) {
        check_filter(op == UNTAKEN_OP_NE ? UNTAKEN_OP_EQ : op, terms[a], terms[b]);
        check_step(op, terms[a], terms[b], built);
    }
    add((struct recipe){.kind = BINARY, .op = op, .a = a, .b = b, .width = built.width}, built);
}

static void step_unary(void) {
    static const uint8_t ops[] = {UNTAKEN_OP_CTPOP, UNTAKEN_OP_CTLZ,  UNTAKEN_OP_CTTZ,
                                  UNTAKEN_OP_ABS,   UNTAKEN_OP_BSWAP, UNTAKEN_OP_BITREVERSE};
    unsigned op = ops[below(sizeof ops)], a = pick();
    if (op != UNTAKEN_OP_BSWAP || terms[a].width % 8 == 0) {
        add((struct recipe){.kind = UNARY, .op = op, .a = a, .width = terms[a].width}, term_unary(op, terms[a]));
    }
}

static void step_concat(void) {
    unsigned a = pick(), b = pick(), width = terms[a].width + terms[b].width;
    if (width <= 64) {
        add((struct recipe){.kind = CONCAT, .a = a, .b = b, .width = width}, term_concat(terms[a], terms[b]));
    }
}

static void step_ite(void) {
    unsigned a = fitted(pick(), 1), b = pick(), width = terms[b].width, c = pick_width(width);
    if (below(3) == 0) {
        b = add_plain(width, interesting(width));
    }
    add((struct recipe){.kind = ITE, .a = a, .b = b, .c = c, .width = width}, term_ite(terms[a], terms[b], terms[c]));
}

static void step_funnel(void) {
    unsigned a = pick(), width = terms[a].width, b = pick_width(width), c = pick_width(width), right = below(2);
    add((struct recipe){.kind = FUNNEL, .op = right, .a = a, .b = b, .c = c, .width = width},
        term_funnel(terms[a], terms[b], terms[c], right));
}

static void step(void) {
    static const unsigned widths[] = {1, 2, 3, 5, 8, 12, 16, 32, 33, 48, 64};
    switch (below(12)) {
    case 0: fitted(pick(), widths[below(11)]); break;
    case 1: step_unary(); break;
    case 2: step_concat(); break;
    case 3: step_ite(); break;
    case 4: step_funnel(); break;
    default: step_binary(); break;
    }
}

static uint64_t funnel(const struct recipe *recipe, uint64_t high, uint64_t low, uint64_t shift) {
    unsigned width = recipe->width;
    unsigned __int128 both = (unsigned __int128)high << width | low;
    unsigned amount = (unsigned)(shift % width);
    both = recipe->op ? both >> amount : both << amount >> width;
    return (uint64_t)both & width_mask(width);
}

static uint64_t recompute(const struct recipe *recipe, const uint8_t *input, const uint64_t *made) {
    switch (recipe->kind) {
    case BYTE: return input[recipe->low];
    case PLAIN: return recipe->value;
    case BINARY:
        return reference_binary(recipe->op, terms[recipe->a].width, made[recipe->a], made[recipe->b]);
    case UNARY: return reference_unary(recipe->op, recipe->width, made[recipe->a]);
    case EXTEND: return reference_extend(recipe->op, terms[recipe->a].width, recipe->width, made[recipe->a]);
    case EXTRACT: return made[recipe->a] >> recipe->low & width_mask(recipe->width);
    case CONCAT: return made[recipe->a] << terms[recipe->b].width | made[recipe->b];
    case ITE: return made[recipe->a] ? made[recipe->b] : made[recipe->c];
    default: return funnel(recipe, made[recipe->a], made[recipe->b], made[recipe->c]);
    }
}

static uint64_t node_values[1 << 16];

static void check_input(const uint8_t *input, bool concrete) {
    uint64_t made[POOL];
    CHECK(untaken_shared->node_count < sizeof node_values / sizeof *node_values);
    reference_nodes(input, node_values);
    for (unsigned i = 0; i < pool; i++) {
        made[i] = recompute(&recipes[i], input, made);
        uint64_t got = terms[i].label != 0 ? node_values[terms[i].label] : terms[i].value;
        if (got != made[i] || (concrete && terms[i].value != made[i])) {
            fprintf(stderr, "term %u (kind %d, op %u, width %u) is %llx, not %llx\n", i, recipes[i].kind, recipes[i].op,
                    recipes[i].width, (unsigned long long)got, (unsigned long long)made[i]);
            exit(1);
        }
    }
    for (uint64_t i = 1; concrete && i < untaken_shared->node_count; i++) {
        CHECK(node_of((untaken_label)i)->value == node_values[i]);
    }
}

static void trial(void) {
    static const uint8_t others[] = {0, 1, 0x7f, 0xff};
    uint8_t input[2] = {(uint8_t)random_bits(), (uint8_t)random_bits()};
    untaken_shared->node_count = 0;
    set_input(0, input[0]);
    set_input(1, input[1]);
    begin();
    pool = 0;
    for (unsigned i = 0; i < 2; i++) {
        add((struct recipe){.kind = BYTE, .low = i, .width = 8}, input_byte(i));
    }
    for (unsigned i = 0; i < STEPS && pool + 4 < POOL; i++) {
        step();
    }
    check_input(input, true);
    for (unsigned x = 0; x < 256; x += 1 + below(2)) {
        check_input((uint8_t[]){(uint8_t)x, others[below(4)]}, false);
    }
    CHECK(untaken_shared->cut_off == 0);
}

static term bits_of(unsigned index, unsigned width) { return term_extend(UNTAKEN_OP_ZEXT, input_byte(index), (uint8_t)width); }

/* What C makes of conditions comes down to the condition itself. */
static void check_shapes(void) {
    untaken_shared->node_count = 0;
    begin();
    term x = input_byte(0), y = input_byte(1), zero = term_constant(32, 0);
    term equal = term_binary(UNTAKEN_OP_EQ, x, y);
    term as_int = term_extend(UNTAKEN_OP_ZEXT, equal, 32);
    CHECK(term_not(term_binary(UNTAKEN_OP_EQ, as_int, zero)).label == equal.label);
    CHECK(term_binary(UNTAKEN_OP_EQ, bits_of(1, 32), bits_of(0, 32)).label == equal.label);
    CHECK(term_binary(UNTAKEN_OP_EQ, bits_of(0, 32), term_constant(32, 300)).label == 0);
    CHECK(term_ite(equal, term_constant(1, 1), term_constant(1, 0)).label == equal.label);
    term word = term_concat(term_extract(bits_of(0, 32), 0, 8), y);
    CHECK(term_extract(word, 0, 8).label == y.label && term_extract(word, 8, 8).label == x.label);
    term sum = term_binary(UNTAKEN_OP_ADD, bits_of(0, 32), bits_of(1, 32));
    term halves = term_concat(term_extract(sum, 16, 16), term_extract(sum, 0, 16));
    CHECK(halves.label == sum.label);
    term same = term_binary(UNTAKEN_OP_ADD, bits_of(1, 32), bits_of(0, 32));
    CHECK(same.label == sum.label);
    CHECK(term_binary(UNTAKEN_OP_SUB, term_binary(UNTAKEN_OP_ADD, sum, term_constant(32, 5)), term_constant(32, 5)).label ==
          sum.label);
}

static term shifted_up(term a, uint64_t by) { return term_binary(UNTAKEN_OP_SHL, a, term_constant(a.width, by)); }

/* Numbers put together from bytes, in both orders, and taken apart. */
static void check_assembly(void) {
    untaken_shared->node_count = 0;
    begin();
    term x = bits_of(0, 32), y = bits_of(1, 32), byte = term_constant(32, 0xff);
    term word = term_or(x, shifted_up(y, 8));
    CHECK(node(word.label)->op == UNTAKEN_OP_ZEXT && node(node(word.label)->a)->op == UNTAKEN_OP_CONCAT);
    CHECK(term_and(word, byte).label == x.label);
    CHECK(term_binary(UNTAKEN_OP_LSHR, word, term_constant(32, 8)).label == y.label);
    CHECK(term_binary(UNTAKEN_OP_ADD, shifted_up(y, 8), x).label == word.label);
    term upper = term_or(shifted_up(shifted_up(y, 8), 16), shifted_up(x, 16));
    CHECK(term_extract(upper, 16, 16).label == term_extract(word, 0, 16).label);
    term ends = term_or(shifted_up(y, 24), x); /* with a gap between them */
    term full = term_or(ends, term_or(shifted_up(x, 16), shifted_up(y, 8)));
    CHECK(term_extract(full, 0, 16).label == term_extract(word, 0, 16).label);
    CHECK(term_extract(full, 24, 8).label == input_byte(1).label && term_extract(full, 16, 8).label == input_byte(0).label);
    term tagged = term_or(shifted_up(x, 8), term_constant(32, 0x12));
    CHECK(tagged.label == term_extend(UNTAKEN_OP_ZEXT, term_concat(input_byte(0), term_constant(8, 0x12)), 32).label);
    CHECK(node(term_or(shifted_up(x, 4), y).label)->op == UNTAKEN_OP_OR); /* they overlap */
}

/* The program traps or is undefined there; the runtime must neither trap nor claim anything. */
static void check_edges(void) {
    untaken_shared->node_count = 0;
    set_input(0, 0x80);
    set_input(1, 0xff);
    begin();
    term lowest = input_byte(0), minus_one = input_byte(1);
    CHECK(term_binary(UNTAKEN_OP_SDIV, lowest, minus_one).value == 0x80);
    CHECK(term_binary(UNTAKEN_OP_SREM, lowest, minus_one).value == 0);
    CHECK(term_binary(UNTAKEN_OP_UDIV, lowest, term_constant(8, 0)).value == 0xff);
    uint32_t shift = UNTAKEN_OP_SHL | 8 << 8;
    CHECK(ask_binary(shift, lowest.label, 0, 0x80, 8, 0) == 0);
    CHECK(untaken_shared->concretised[UNTAKEN_BY_UNDEFINED] == 1);
    uint32_t add64 = UNTAKEN_OP_ADD | 64 << 8;
    CHECK(ask_binary(add64, lowest.label, 0, 0x81, 1, 0) == 0); /* not the value of the label */
    CHECK(untaken_shared->concretised[UNTAKEN_BY_OTHER] == 1);
    CHECK(node(ask_binary(add64, lowest.label, 0, 0x80, 1, 0))->width == 64); /* another width: adapted */
}

/* What a read has beside its index is a place in the tables, which may lie far beyond the last node. */
static void check_far_read(void) {
    untaken_shared->node_count = 0;
    begin();
    term read = term_of_label(untaken_node(UNTAKEN_OP_READ, 8, input_byte(0).label, UINT32_MAX - 7, 0, 7));
    term sum = term_binary(UNTAKEN_OP_ADD, read, term_constant(8, 1));
    untaken_label equal = term_binary(UNTAKEN_OP_EQ, read, term_constant(8, 7)).label;
    CHECK(equal != 0 && term_binary(UNTAKEN_OP_EQ, sum, term_constant(8, 8)).label == equal);
}

static void check_counts(void) {
    untaken_shared->node_count = 0;
    begin();
    term sum = term_binary(UNTAKEN_OP_ADD, input_byte(0), input_byte(1));
    uint64_t nodes = untaken_shared->node_count, asked = untaken_shared->nodes_asked;
    CHECK(asked == 3 && nodes == 4);
    CHECK(term_binary(UNTAKEN_OP_ADD, input_byte(0), input_byte(1)).label == sum.label);
    CHECK(untaken_shared->node_count == nodes && untaken_shared->nodes_asked == 2 * asked);
}

int main(void) {
    start(&usual_sizes);
    for (unsigned i = 0; i < TRIALS; i++) {
        trial();
    }
    check_shapes();
    check_assembly();
    check_edges();
    check_far_read();
    check_counts();
    return 0;
}
