/* Between which bytes of the input the bytes lie that each node depends on. The search asks that of every decision of
 * every run; here it takes one look at each node, once, when the run that made it is over.
 *
 * Runs may have written anything into shared memory, and this may be the server: no node is believed. */
#include "expressions/expressions.h"

#define NOTHING ((struct untaken_reach){UINT32_MAX, 0})

static struct untaken_reach joined(struct untaken_reach a, struct untaken_reach b) {
    return (struct untaken_reach){a.first < b.first ? a.first : b.first, a.end > b.end ? a.end : b.end};
}

static struct untaken_reach of_operand(uint32_t operand, uint64_t index) {
    return operand < index ? untaken_state.reach[operand] : NOTHING;
}

static struct untaken_reach of_table(uint32_t offset, uint64_t index) {
    const struct untaken_table *table = (const struct untaken_table *)(untaken_state.tables + offset);
    uint64_t room = untaken_shared->tables.capacity, entry_size = sizeof(uint64_t) + sizeof(uint32_t);
    if (offset + sizeof *table > room || table->count > (room - offset - sizeof *table) / entry_size) {
        return NOTHING;
    }
    const uint32_t *entries = (const uint32_t *)((const uint64_t *)(table + 1) + table->count);
    struct untaken_reach found = NOTHING;
    uint32_t last = 0; /* neighbours are often the same */
    for (uint32_t i = 0; i < table->count; i++) {
        if (entries[i] != last) {
            last = entries[i];
            found = joined(found, of_operand(last, index));
        }
    }
    return found;
}

static struct untaken_reach of_node(const struct untaken_node *node, uint64_t index) {
    struct untaken_reach first = of_operand(node->a, index);
    switch (node->op & ~UNTAKEN_WIDE) {
    case UNTAKEN_OP_INPUT: return (struct untaken_reach){node->a, node->a + 1};
    case UNTAKEN_OP_CONST: return NOTHING;
    case UNTAKEN_OP_EXTRACT:
    case UNTAKEN_OP_FROUND:
    case UNTAKEN_OP_FUNCTION: return first; /* the others are numbers */
    case UNTAKEN_OP_READ: return joined(first, of_table(node->b, index));
    case UNTAKEN_OP_ITE: first = joined(first, of_operand(node->c, index)); /* fall through */
    default: return joined(first, of_operand(node->b, index));
    }
}

/* Of the nodes that have come since the last time. */
void untaken_find_reach(void) {
    struct untaken_shared *shared = untaken_shared;
    uint64_t end = shared->node_count < shared->reach.capacity ? shared->node_count : shared->reach.capacity;
    uint64_t index = shared->reach_count < end ? shared->reach_count : end;
    if (index == 0 && end != 0) {
        untaken_state.reach[index++] = NOTHING;
    }
    for (; index < end; index++) {
        untaken_state.reach[index] = of_node(&untaken_state.nodes[index], index);
    }
    shared->reach_count = index;
}
