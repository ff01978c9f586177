#include "reference.h"
#include "harness.h"

typedef __int128 wide;

static wide low_bits(wide value, unsigned width) { return value & (((wide)1 << width) - 1); }

static wide as_signed(uint64_t value, unsigned width) {
    wide number = (wide)value;
    return number >> (width - 1) & 1 ? number - ((wide)1 << width) : number;
}

static wide divide(unsigned op, unsigned width, uint64_t a, uint64_t b) {
    wide sa = as_signed(a, width), sb = as_signed(b, width);
    switch (op) {
    case UNTAKEN_OP_UDIV: return b == 0 ? -1 : (wide)a / (wide)b;
    case UNTAKEN_OP_UREM: return b == 0 ? (wide)a : (wide)a % (wide)b;
    case UNTAKEN_OP_SDIV: return b == 0 ? (sa < 0 ? 1 : -1) : sa / sb;
    default: return b == 0 ? sa : sa % sb;
    }
}

static wide shift(unsigned op, unsigned width, uint64_t a, uint64_t b) {
    wide number = op == UNTAKEN_OP_ASHR ? as_signed(a, width) : (wide)a;
    unsigned amount = b > width ? width : (unsigned)b;
    for (unsigned i = 0; i < amount; i++) {
        number = op == UNTAKEN_OP_SHL ? low_bits(number * 2, width) : number >> 1;
    }
    return number;
}

static int outside(wide value, unsigned width, int is_signed) {
    wide low = is_signed ? -((wide)1 << (width - 1)) : 0;
    wide high = is_signed ? ((wide)1 << (width - 1)) - 1 : ((wide)1 << width) - 1;
    return value < low ? -1 : value > high;
}

static wide saturate(wide value, unsigned width, int is_signed) {
    int where = outside(value, width, is_signed);
    if (where == 0) {
        return value;
    }
    wide top = is_signed ? ((wide)1 << (width - 1)) - 1 : ((wide)1 << width) - 1;
    return where > 0 ? top : is_signed ? -top - 1 : 0;
}

static wide requested(unsigned op, unsigned width, uint64_t a, uint64_t b) {
    wide ua = (wide)a, ub = (wide)b, sa = as_signed(a, width), sb = as_signed(b, width);
    switch (op) {
    case UNTAKEN_OP_NE: return a != b;
    case UNTAKEN_OP_UGT: return a > b;
    case UNTAKEN_OP_UGE: return a >= b;
    case UNTAKEN_OP_SGT: return sa > sb;
    case UNTAKEN_OP_SGE: return sa >= sb;
    case UNTAKEN_OP_SMIN: return sa < sb ? sa : sb;
    case UNTAKEN_OP_SMAX: return sa > sb ? sa : sb;
    case UNTAKEN_OP_UMIN: return a < b ? ua : ub;
    case UNTAKEN_OP_UMAX: return a > b ? ua : ub;
    case UNTAKEN_OP_SADD_OVERFLOW: return outside(sa + sb, width, 1) != 0;
    case UNTAKEN_OP_UADD_OVERFLOW: return outside(ua + ub, width, 0) != 0;
    case UNTAKEN_OP_SSUB_OVERFLOW: return outside(sa - sb, width, 1) != 0;
    case UNTAKEN_OP_USUB_OVERFLOW: return outside(ua - ub, width, 0) != 0;
    case UNTAKEN_OP_SMUL_OVERFLOW: return outside(sa * sb, width, 1) != 0;
    case UNTAKEN_OP_UMUL_OVERFLOW: return ua != 0 && ub > (((wide)1 << width) - 1) / ua;
    case UNTAKEN_OP_SADD_SAT: return saturate(sa + sb, width, 1);
    case UNTAKEN_OP_UADD_SAT: return saturate(ua + ub, width, 0);
    case UNTAKEN_OP_SSUB_SAT: return saturate(sa - sb, width, 1);
    case UNTAKEN_OP_USUB_SAT: return saturate(ua - ub, width, 0);
    case UNTAKEN_OP_SSHL_SAT: return saturate(sa * ((wide)1 << b), width, 1);
    default: return saturate(ua * ((wide)1 << b), width, 0);
    }
}

static wide binary(unsigned op, unsigned width, uint64_t a, uint64_t b) {
    switch (op) {
    case UNTAKEN_OP_ADD: return (wide)a + (wide)b;
    case UNTAKEN_OP_SUB: return (wide)a - (wide)b;
    case UNTAKEN_OP_MUL: return (wide)((unsigned __int128)a * b & ~(uint64_t)0);
    case UNTAKEN_OP_AND: return a & b;
    case UNTAKEN_OP_OR: return a | b;
    case UNTAKEN_OP_XOR: return a ^ b;
    case UNTAKEN_OP_EQ: return a == b;
    case UNTAKEN_OP_ULT: return a < b;
    case UNTAKEN_OP_ULE: return a <= b;
    case UNTAKEN_OP_SLT: return as_signed(a, width) < as_signed(b, width);
    case UNTAKEN_OP_SLE: return as_signed(a, width) <= as_signed(b, width);
    case UNTAKEN_OP_SHL:
    case UNTAKEN_OP_LSHR:
    case UNTAKEN_OP_ASHR: return shift(op, width, a, b);
    default: return op >= UNTAKEN_OP_NE ? requested(op, width, a, b) : divide(op, width, a, b);
    }
}

uint64_t reference_binary(unsigned op, unsigned width, uint64_t a, uint64_t b) {
    int bit = (op >= UNTAKEN_OP_EQ && op <= UNTAKEN_OP_SLE) || (op >= UNTAKEN_OP_NE && op <= UNTAKEN_OP_SGE) ||
              (op >= UNTAKEN_OP_SADD_OVERFLOW && op <= UNTAKEN_OP_UMUL_OVERFLOW);
    return (uint64_t)low_bits(binary(op, width, a, b), bit ? 1 : width);
}

static unsigned bit_of(uint64_t a, unsigned i) { return (unsigned)(a >> i & 1); }

uint64_t reference_unary(unsigned op, unsigned width, uint64_t a) {
    uint64_t result = 0;
    unsigned count = 0;
    switch (op) {
    case UNTAKEN_OP_CTPOP:
        for (unsigned i = 0; i < width; i++) {
            count += bit_of(a, i);
        }
        return (uint64_t)low_bits(count, width);
    case UNTAKEN_OP_CTLZ:
        while (count < width && !bit_of(a, width - 1 - count)) {
            count++;
        }
        return (uint64_t)low_bits(count, width);
    case UNTAKEN_OP_CTTZ:
        while (count < width && !bit_of(a, count)) {
            count++;
        }
        return (uint64_t)low_bits(count, width);
    case UNTAKEN_OP_ABS: return (uint64_t)low_bits(as_signed(a, width) < 0 ? -as_signed(a, width) : (wide)a, width);
    default:
        for (unsigned i = 0; i < width; i++) {
            unsigned from = op == UNTAKEN_OP_BSWAP ? (width / 8 - 1 - i / 8) * 8 + i % 8 : width - 1 - i;
            result |= (uint64_t)bit_of(a, from) << i;
        }
        return result;
    }
}

uint64_t reference_extend(unsigned op, unsigned from, unsigned to, uint64_t a) {
    return (uint64_t)low_bits(op == UNTAKEN_OP_SEXT ? as_signed(a, from) : (wide)a, to);
}

static uint64_t read_entry(const struct untaken_node *read, const uint64_t *values) {
    const struct untaken_table *table = (const struct untaken_table *)(untaken_state.tables + read->b);
    const uint64_t *plain = (const uint64_t *)(table + 1);
    const uint32_t *entries = (const uint32_t *)(plain + table->count);
    uint64_t index = values[read->a];
    if (index >= table->count) {
        return 0;
    }
    return entries[index] != 0 ? values[entries[index]] : plain[index];
}

static uint64_t node_value(const struct untaken_node *node, const uint8_t *input, const uint64_t *values) {
    const struct untaken_node *nodes = untaken_state.nodes;
    switch (node->op) {
    case UNTAKEN_OP_INPUT: return input[node->a];
    case UNTAKEN_OP_CONST: return node->b | (uint64_t)node->c << 32;
    case UNTAKEN_OP_CONCAT: return (uint64_t)((wide)values[node->a] << nodes[node->b].width | (wide)values[node->b]);
    case UNTAKEN_OP_EXTRACT: return (uint64_t)low_bits((wide)values[node->a] >> node->b, node->width);
    case UNTAKEN_OP_ZEXT:
    case UNTAKEN_OP_SEXT: return reference_extend(node->op, nodes[node->a].width, node->width, values[node->a]);
    case UNTAKEN_OP_ITE: return values[node->a] ? values[node->b] : values[node->c];
    case UNTAKEN_OP_READ: return read_entry(node, values);
    case UNTAKEN_OP_CTPOP:
    case UNTAKEN_OP_CTLZ:
    case UNTAKEN_OP_CTTZ: return reference_unary(node->op, node->width, values[node->a]);
    default: return reference_binary(node->op, nodes[node->a].width, values[node->a], values[node->b]);
    }
}

void reference_nodes(const uint8_t *input, uint64_t *values) {
    for (uint64_t i = 1; i < untaken_shared->node_count; i++) {
        values[i] = node_value(&untaken_state.nodes[i], input, values);
    }
}
