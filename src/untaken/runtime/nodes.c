/* Hash-consed expression nodes, kept over the whole campaign in shared memory.
 *
 * The hash table is made so that a run touches few cache lines and pages of it. It grows with the number of
 * nodes: the table of size 2^k lies at slots[2^k .. 2^(k+1)), and which one is in use follows from node_count
 * alone. And a node is first looked for in the line of slots that belongs to its youngest operand, since
 * expressions are built on what was built just before; only when that line is full, in those that its hash
 * names. The nodes are the truth and the slots only an index to them: a bigger table is filled before
 * node_count says that it is in use, and a node is counted only when its record is whole, so a run may be
 * killed at any instant. A slot holds a node's index and, in the bits that no index of its table needs, a part of
 * its hash, which spares looks at other nodes.
 */
#include "core.h"

#include <string.h>

#define SMALLEST_LEVEL 4096u
#define GROWTH 4u
#define LINE_SLOTS 16u /* one cache line */
#define LINE_OPERANDS_SHIFT 3
#define HOME_SLOTS 4u

struct key {
    uint32_t kind; /* op and width */
    uint32_t a, b, c;
};

static inline uint64_t hash_of(struct key key) {
    uint64_t x = ((uint64_t)key.b << 32 | key.a) * 0x9e3779b97f4a7c15ull;
    uint64_t y = ((uint64_t)key.kind << 32 | key.c) * 0xc2b2ae3d27d4eb4full;
    x ^= (y << 31 | y >> 33);
    x ^= x >> 32;
    return x * 0xd6e8feb86659fd93ull;
}

static inline uint32_t kind_of(const struct untaken_node *node) { return node->op | (uint32_t)node->width << 8; }

static inline struct key key_of(const struct untaken_node *node) {
    return (struct key){kind_of(node), node->a, node->b, node->c};
}

static inline uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* The line that a node should be in. Constants have no operands, and not all of `b` are nodes. */
static inline uint64_t home_line(struct key key, uint64_t hash) {
    switch (key.kind & 0xff) {
    case UNTAKEN_OP_CONST: return hash >> 32;
    case UNTAKEN_OP_READ: return key.a >> LINE_OPERANDS_SHIFT;
    default: return larger(larger(key.a, key.b), key.c) >> LINE_OPERANDS_SHIFT;
    }
}

static uint64_t largest_level(void) { return untaken_shared->slots.capacity / 2; }

static void use_level(uint64_t size) {
    struct untaken_core *core = &untaken_core;
    core->level_size = size;
    core->level = core->slots + size;
    core->index_mask = (uint32_t)(size - 1); /* no table holds more nodes than slots */
    core->grow_at = size < largest_level() ? size / 2 : UINT64_MAX;
}

static uint64_t next_level(uint64_t size) {
    return GROWTH * size < largest_level() ? GROWTH * size : largest_level();
}

static uint64_t level_for(uint64_t node_count) {
    uint64_t size = SMALLEST_LEVEL < largest_level() ? SMALLEST_LEVEL : largest_level();
    while (size < 2 * node_count && size < largest_level()) {
        size = next_level(size);
    }
    return size;
}

/* Above the indices of this table. */
static inline uint32_t mark_of(uint64_t hash) { return (uint32_t)hash & ~untaken_core.index_mask; }

static inline uint32_t index_in(uint32_t slot) { return slot & untaken_core.index_mask; }

static inline bool is_node(const struct untaken_node *node, struct key key) {
    return node->a == key.a && node->b == key.b && kind_of(node) == key.kind && node->c == key.c;
}

/* The slot of the node, or a free one for it, among those of a line from where its hash says; null if there is none. */
static inline uint32_t *find_in_line(uint32_t *slots, unsigned count, struct key key, uint64_t hash) {
    const struct untaken_core *core = &untaken_core;
    uint32_t mark = mark_of(hash);
    for (unsigned i = 0; i < count; i++) {
        uint32_t *slot = &slots[(hash + i) % LINE_SLOTS];
        if (*slot == 0 || ((*slot ^ mark) <= core->index_mask && is_node(&core->nodes[index_in(*slot)], key))) {
            return slot;
        }
    }
    return NULL;
}

/* The slot of the node, or the free one where it belongs. */
static inline uint32_t *find_slot(struct key key, uint64_t hash) {
    const struct untaken_core *core = &untaken_core;
    uint64_t lines = core->level_size / LINE_SLOTS - 1, next = hash >> 24;
    uint32_t *slot = find_in_line(core->level + (home_line(key, hash) & lines) * LINE_SLOTS, HOME_SLOTS, key, hash);
    while (slot == NULL) {
        slot = find_in_line(core->level + (next++ & lines) * LINE_SLOTS, LINE_SLOTS, key, hash);
    }
    return slot;
}

static void insert_slot(uint32_t index) {
    struct key key = key_of(node_of(index));
    uint64_t hash = hash_of(key);
    uint32_t *slot = find_slot(key, hash);
    if (*slot == 0) {
        *slot = index | mark_of(hash);
    }
}

static void fill_level(uint64_t size, uint64_t node_count) {
    use_level(size);
    for (uint64_t slot = 0; slot < size; slot += UNTAKEN_PAGE / sizeof(uint32_t)) {
        before_writing(&untaken_core.level[slot]);
    }
    memset(untaken_core.level, 0, size * sizeof(uint32_t));
    for (uint64_t index = 1; index < node_count; index++) {
        insert_slot((uint32_t)index);
    }
}

static void forget_epochs(void) {
    for (uint64_t index = 1; index < untaken_shared->node_count; index++) {
        untaken_core.nodes[index].reserved = 0;
    }
}

void untaken_nodes_start(void) {
    uint64_t room = largest_level() / 8 * 7;
    uint64_t limit = untaken_shared->nodes.capacity < room ? untaken_shared->nodes.capacity : room;
    untaken_core.node_limit = limit < UNTAKEN_NODE_MASK ? limit : UNTAKEN_NODE_MASK;
    forget_epochs();
    if (untaken_shared->node_count > 1) {
        fill_level(level_for(untaken_shared->node_count), untaken_shared->node_count);
    }
}

/* From 1 to the largest; then the marks of old runs are wiped out, and it begins again. */
static void next_epoch(void) {
    untaken_core.epoch = (uint16_t)(untaken_shared->run_count % UINT16_MAX + 1);
    if (untaken_core.epoch == 1) {
        forget_epochs();
    }
}

void untaken_nodes_begin_run(void) {
    if (untaken_shared->node_count <= 1) { /* new, or cleared by the driver: that is all it has to do */
        untaken_shared->node_count = 1;
        fill_level(level_for(1), 1);
    } else {
        use_level(level_for(untaken_shared->node_count));
        insert_slot((uint32_t)(untaken_shared->node_count - 1)); /* its run may have been killed just before */
    }
    memset(untaken_core.constants, 0, sizeof untaken_core.constants);
    next_epoch();
}

void untaken_nodes_warm_up(void) {
    use_level(level_for(untaken_shared->node_count));
    (void)*(volatile uint32_t *)untaken_core.level;
    (void)*(volatile uint8_t *)&untaken_core.nodes[untaken_shared->node_count];
}

static untaken_label add_node(const struct untaken_node *node, uint32_t *slot, uint64_t hash) {
    struct untaken_core *core = &untaken_core;
    uint64_t index = untaken_shared->node_count;
    if (index >= core->node_limit) {
        untaken_cut(UNTAKEN_CUT_NODES);
        return 0;
    }
    before_writing(&core->nodes[index]);
    core->nodes[index] = *node;
    bool grows = index + 1 > core->grow_at;
    if (grows) {
        fill_level(next_level(core->level_size), index);
    }
    __atomic_store_n(&untaken_shared->node_count, index + 1, __ATOMIC_RELEASE);
    if (grows) {
        insert_slot((uint32_t)index);
    } else {
        __atomic_store_n(slot, (uint32_t)index | mark_of(hash), __ATOMIC_RELEASE);
    }
    return (untaken_label)index;
}

untaken_label untaken_node(uint8_t op, uint8_t width, uint32_t a, uint32_t b, uint32_t c, uint64_t value) {
    if (!untaken_recording) {
        return 0;
    }
    untaken_shared->nodes_asked++;
    struct key key = {op | (uint32_t)width << 8, a, b, c};
    uint64_t hash = hash_of(key);
    uint32_t *slot = find_slot(key, hash);
    if (*slot == 0) {
        return add_node(&(struct untaken_node){op, width, 0, a, b, c, value}, slot, hash);
    }
    uint32_t index = index_in(*slot);
    struct untaken_node *node = &untaken_core.nodes[index];
    if (node->value != value) {
        node->value = value;
    }
    return index;
}

untaken_label untaken_constant(uint8_t width, uint64_t value) {
    if (!untaken_recording) {
        return 0;
    }
    uint64_t hash = (value ^ width) * 0x9e3779b97f4a7c15ull;
    struct untaken_constant_entry *entry = &untaken_core.constants[hash >> 57];
    if (entry->label != 0 && entry->value == value && entry->width == width) {
        return entry->label;
    }
    value &= width_mask(width);
    untaken_label label =
        untaken_node(UNTAKEN_OP_CONST, width, 0, (uint32_t)value, (uint32_t)(value >> 32), value);
    *entry = (struct untaken_constant_entry){value, label, width};
    return label;
}

untaken_label untaken_input_node(uint64_t index, uint8_t value) {
    uint64_t labelled = index - untaken_core.input_base;
    if (index < untaken_core.input_base || labelled > UINT32_MAX) {
        return 0;
    }
    return untaken_node(UNTAKEN_OP_INPUT, 8, (uint32_t)labelled, 0, 0, value);
}

uint64_t untaken_value(untaken_label label) { return node_of(label)->value; }

uint8_t untaken_width(untaken_label label) { return node_of(label)->width; }
