/* Hash-consed expression nodes, kept over the whole campaign in shared memory.
 *
 * The index of the nodes is made so that a run touches few cache lines and pages of it, and so that it grows without
 * being made again. Expressions are built on what was built just before, and mostly little is built on one of them: a
 * node is in a list of its youngest operand's children, if that is short enough. A node with constant operands goes by
 * the others, for many nodes share a constant. What is built on no node, or finds the list full, is a stray, and so are
 * comparisons. Strays are in a hash table behind the links, which grows with their number: the table of 2^k slots lies
 * at slots [2^k .. 2^(k+1)) there, and the first slot, which counts them, says which one is in use.
 *
 * The nodes are the truth and the index only leads to them. A node's links are written before it is counted, a bigger
 * table is filled before it is in use, and a node is counted only when its record is whole, so a run may be killed at
 * any instant.
 */
#include "expressions/nodes.h"

#define SMALLEST_TABLE 32768u /* slots */
#define LARGEST_PREFAULTED 65536u
#define GROWTH 2u
#define AT_ONCE 512u /* nodes that room is made for */

static uint32_t youngest(uint32_t a, uint32_t b) {
    uint32_t first = is_constant_node(a) ? 0 : a, second = is_constant_node(b) ? 0 : b;
    return first > second ? first : second;
}

/* The operand whose child a node is; 0 if there is none. Not all of `a` and `b` are nodes. */
static uint32_t parent_of(struct untaken_node node) {
    if (is_comparison(node.op)) {
        return 0;
    }
    switch (node.op) {
    case UNTAKEN_OP_INPUT:
    case UNTAKEN_OP_CONST: return 0;
    case UNTAKEN_OP_EXTRACT:
    case UNTAKEN_OP_EXTRACT | UNTAKEN_WIDE:
    case UNTAKEN_OP_READ: return node.a;
    case UNTAKEN_OP_FUNCTION:
    case UNTAKEN_OP_FUNCTION2: return youngest(node.a, node.b);
    default: return youngest(youngest(node.a, node.b), node.c);
    }
}

/* ---- Children ---- */

/* The child that has the key, else 0; and how many there are before it. */
static uint32_t find_child(uint32_t parent, struct key key, unsigned *before) {
    uint32_t child = untaken_state.links[parent].child;
    for (*before = 0; child != 0 && !has_key(child, key); ++*before) {
        child = untaken_state.links[child].elder;
    }
    return child;
}

static void put_child(uint32_t parent, uint32_t index) {
    untaken_state.links[index].elder = untaken_state.links[parent].child;
    untaken_state.links[parent].child = index;
}

/* ---- Strays ---- */

static uint64_t largest_table(void) {
    uint64_t room = untaken_shared->slots.capacity - 2 * untaken_shared->nodes.capacity;
    return 1ull << (62 - __builtin_clzll(room));
}

static uint64_t table_slots(void) { return untaken_state.table_mask + 1; }

static uint64_t next_table(uint64_t slots) {
    return GROWTH * slots < largest_table() ? GROWTH * slots : largest_table();
}

/* Half full, a slot has few that are looked at in vain before it. */
static void use_table(uint64_t slots) {
    struct untaken_state *state = &untaken_state;
    state->table_mask = slots - 1;
    state->table = state->strays + slots;
    state->grow_at = slots < largest_table() ? slots / 2 : slots / 8 * 7;
}

static void use_table_for(uint64_t count) {
    use_table(SMALLEST_TABLE < largest_table() ? SMALLEST_TABLE : largest_table());
    while (count > untaken_state.grow_at && table_slots() < largest_table()) {
        use_table(next_table(table_slots()));
    }
}

static void clear_table(void) {
    uint64_t slots = table_slots();
    for (uint64_t slot = 0; slot < slots; slot += UNTAKEN_PAGE / sizeof *untaken_state.table) {
        before_writing(&untaken_state.table[slot]);
    }
    memset(untaken_state.table, 0, slots * sizeof *untaken_state.table);
}

static void grow(void) {
    const uint32_t *old = untaken_state.table, *end = old + table_slots();
    use_table(next_table(table_slots()));
    clear_table();
    for (; old < end; old++) {
        if (*old != 0) {
            *stray_slot(key_of(node_of(*old))) = *old;
        }
    }
}

/* Counts one stray more, in a bigger table if need be. False if there is no room. */
static bool stray_room(void) {
    if (count_stray()) {
        return true;
    }
    if (table_slots() == largest_table()) {
        return false;
    }
    grow();
    return count_stray();
}

/* ---- Runs ---- */

static void clear_index(void) {
    *untaken_state.strays = 0;
    use_table_for(0);
    clear_table();
}

static bool put_stray(struct key key, uint32_t index) {
    bool room = stray_room();
    if (room) {
        *stray_slot(key) = index;
    }
    return room;
}

/* Makes sure that a node is in the index. */
static void index_node(uint32_t index) {
    struct key key = key_of(node_of(index));
    uint32_t parent = parent_of(*node_of(index));
    unsigned children = MOST_CHILDREN;
    if ((parent != 0 && find_child(parent, key, &children) != 0) || *stray_slot(key) != 0) {
        return;
    }
    if (children < MOST_CHILDREN) {
        put_child(parent, index);
    } else {
        (void)put_stray(key, index);
    }
}

static void forget_epochs(void) {
    for (uint64_t index = 1; index < untaken_shared->node_count; index++) {
        untaken_state.nodes[index].reserved = 0;
    }
}

void untaken_nodes_start(void) {
    struct untaken_state *state = &untaken_state;
    uint64_t capacity = untaken_shared->nodes.capacity;
    state->node_limit = capacity < UNTAKEN_NODE_MASK ? capacity : UNTAKEN_NODE_MASK;
    state->strays = (uint32_t *)(state->links + capacity);
    forget_epochs();
    clear_index();
    for (uint64_t index = 1; index < untaken_shared->node_count; index++) {
        state->links[index] = (struct untaken_links){0, 0};
        index_node((uint32_t)index);
    }
}

/* From 1 to the largest; then the marks of old runs are wiped out, and it begins again. */
static void next_epoch(void) {
    untaken_state.epoch = (uint16_t)(untaken_shared->run_count % UINT16_MAX + 1);
    if (untaken_state.epoch == 1) {
        forget_epochs();
    }
}

void untaken_nodes_begin_run(void) {
    if (untaken_shared->node_count <= 1) { /* new, or cleared by the driver: that is all it has to do */
        untaken_shared->node_count = 1;
        clear_index();
    } else {
        use_table_for(*untaken_state.strays);
        index_node((uint32_t)(untaken_shared->node_count - 1)); /* its run may have been killed just before */
    }
    untaken_state.room_until = untaken_shared->node_count;
    memset(untaken_state.constants, 0, sizeof untaken_state.constants);
    next_epoch();
}

/* Maps the memory that nodes and their links will soon go to. */
static void look_ahead(uint64_t index) {
    if (index < untaken_state.node_limit) {
        before_writing(&untaken_state.nodes[index]);
        before_writing(&untaken_state.links[index]);
    }
}

/* Only the beginning of a large table: a run uses little of it. */
void untaken_nodes_prefault(void) {
    use_table_for(*untaken_state.strays);
    uint64_t slots = table_slots() < LARGEST_PREFAULTED ? table_slots() : LARGEST_PREFAULTED;
    for (uint64_t slot = 0; slot < slots; slot += UNTAKEN_FAULT_AROUND / sizeof *untaken_state.table) {
        before_writing(&untaken_state.table[slot]);
    }
    before_writing(&untaken_state.table[slots - 1]);
    look_ahead(untaken_shared->node_count);
}

/* Before node `index` is written: makes room for it and some more, if there may be any. */
static bool node_room(uint64_t index) {
    struct untaken_state *state = &untaken_state;
    if (index < state->room_until) {
        return true;
    }
    if (index >= state->node_limit) {
        untaken_note_cut_off(UNTAKEN_CUT_NODES);
        return false;
    }
    uint64_t end = index - index % AT_ONCE + AT_ONCE;
    state->room_until = end < state->node_limit ? end : state->node_limit;
    look_ahead(end + AT_ONCE);
    return true;
}

static untaken_label add_node(struct key key, uint32_t parent, uint64_t value) {
    uint64_t index = untaken_shared->node_count;
    untaken_state.links[index] = (struct untaken_links){0, 0};
    write_node(index, key, value);
    if (parent != 0) {
        put_child(parent, (uint32_t)index);
    } else {
        *stray_slot(key) = (uint32_t)index;
    }
    return (untaken_label)index;
}

/* `may_be_stray` tells where it belongs if it is new. */
static uint32_t find_node(struct key key, uint32_t parent, bool *may_be_stray) {
    unsigned children = MOST_CHILDREN;
    uint32_t known = parent == 0 ? 0 : find_child(parent, key, &children);
    *may_be_stray = children >= MOST_CHILDREN;
    return known == 0 && *may_be_stray ? *stray_slot(key) : known;
}

untaken_label untaken_known_node(struct key key, uint32_t parent) {
    bool may_be_stray;
    return find_node(key, parent, &may_be_stray);
}

untaken_label untaken_node_anywhere(struct key key, uint32_t parent, uint64_t value) {
    bool may_be_stray;
    uint32_t known = find_node(key, parent, &may_be_stray);
    untaken_shared->nodes_asked++;
    if (known != 0) {
        return known_node(known, value);
    }
    if (!node_room(untaken_shared->node_count)) {
        return 0;
    }
    if (may_be_stray && !stray_room()) {
        untaken_note_cut_off(UNTAKEN_CUT_NODES);
        return 0;
    }
    return add_node(key, may_be_stray ? 0 : parent, value);
}

untaken_label untaken_node(uint8_t op, uint8_t width, uint32_t a, uint32_t b, uint32_t c, uint64_t value) {
    if (!untaken_recording) {
        return 0;
    }
    uint32_t parent = parent_of((struct untaken_node){.op = op, .a = a, .b = b, .c = c});
    struct key key = key_for(op, width, a, b, c);
    return parent != 0 ? node_under_parent(key, parent, value) : node_without_parent(key, value);
}

UNTAKEN_SELDOM void untaken_remember_constant(uint8_t width, uint64_t value) {
    struct key key = key_for(UNTAKEN_OP_CONST, width, 0, (uint32_t)value, (uint32_t)(value >> 32));
    untaken_label label = untaken_recording ? node_without_parent(key, value) : 0;
    *constant_entry(width, value) = (struct untaken_constant_entry){value, label, width};
}

untaken_label untaken_constant(uint8_t width, uint64_t value) {
    return untaken_recording ? constant_label(width, value & width_mask(width)) : 0;
}

untaken_label untaken_input_node(uint64_t index, uint8_t value) {
    uint64_t labelled = index - untaken_state.input_base;
    if (index < untaken_state.input_base || labelled > UINT32_MAX) {
        return 0;
    }
    return untaken_node(UNTAKEN_OP_INPUT, 8, (uint32_t)labelled, 0, 0, value);
}

uint64_t untaken_value(untaken_label label) { return node_of(label)->value; }

uint8_t untaken_width(untaken_label label) { return node_of(label)->width; }
