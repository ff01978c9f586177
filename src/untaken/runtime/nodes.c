/* Hash-consed expression nodes, kept over the whole campaign in shared memory.
 *
 * The index of the nodes is made so that a run touches few cache lines and pages of it, and so that it grows without
 * being made again. Each eight nodes have a line of the index, their home line, for the nodes that are built on one of
 * the eight: expressions are built on what was built just before, so that line is at hand. A node with constant
 * operands goes by the others, for many nodes share a constant. What is built on no node, or finds its home line full,
 * is a stray, and so are comparisons. Strays are in a hash table behind the home lines, which grows with their number:
 * the table of 2^k lines lies at lines [2^k .. 2^(k+1)) there, and the first line, which counts them, says which one is
 * in use.
 *
 * The nodes are the truth and the index only leads to them. A home line is empty before the first of its nodes is
 * counted, a bigger table is filled before it is in use, and a node is counted only when its record is whole, so a run
 * may be killed at any instant.
 */
#include "nodes.h"

#define SMALLEST_TABLE 1024u /* lines */
#define GROWTH 2u
#define AT_ONCE 64u /* nodes that room is made for */
#define LINE_SLOTS (sizeof(struct untaken_line) / sizeof(uint32_t))

static uint32_t youngest(uint32_t a, uint32_t b) {
    uint32_t first = is_constant_node(a) ? 0 : a, second = is_constant_node(b) ? 0 : b;
    return first > second ? first : second;
}

/* The operand in whose line a node belongs; 0 if there is none. Not all of `a` and `b` are nodes. */
static uint32_t home_of(struct untaken_node node) {
    if (is_comparison(node.op)) {
        return 0;
    }
    switch (node.op) {
    case UNTAKEN_OP_INPUT:
    case UNTAKEN_OP_CONST: return 0;
    case UNTAKEN_OP_EXTRACT:
    case UNTAKEN_OP_READ: return node.a;
    default: return youngest(youngest(node.a, node.b), node.c);
    }
}

/* ---- Strays ---- */

static uint32_t find_stray(struct key key, uint64_t hash) {
    uint64_t number = first_line(hash);
    uint32_t found = find_in_line(table_line(number), key, hash);
    while (found == 0 && is_full(table_line(number))) {
        found = find_in_line(table_line(++number), key, hash);
    }
    return found;
}

static void put_stray(uint32_t index, uint64_t hash) {
    uint64_t number = first_line(hash);
    while (!put_in_line(table_line(number), index, hash)) {
        number++;
    }
}

static uint64_t home_line_count(void) {
    return (untaken_shared->nodes.capacity + LINE_OPERANDS - 1) / LINE_OPERANDS;
}

static uint64_t largest_table(void) {
    uint64_t room = untaken_shared->slots.capacity / LINE_SLOTS - home_line_count();
    return 1ull << (62 - __builtin_clzll(room));
}

static uint64_t next_table(uint64_t lines) {
    return GROWTH * lines < largest_table() ? GROWTH * lines : largest_table();
}

/* A line has few neighbours to fall back on, so a table is as good as full before it is. */
static void use_table(uint64_t lines) {
    struct untaken_core *core = &untaken_core;
    core->table_lines = lines;
    core->table = (struct untaken_line *)core->strays + lines;
    core->grow_at = lines * LINE_NODES / 8 * (lines < largest_table() ? 6 : 7);
}

static void use_table_for(uint64_t count) {
    use_table(SMALLEST_TABLE < largest_table() ? SMALLEST_TABLE : largest_table());
    while (count > untaken_core.grow_at && untaken_core.table_lines < largest_table()) {
        use_table(next_table(untaken_core.table_lines));
    }
}

static void clear_table(void) {
    uint64_t lines = untaken_core.table_lines;
    for (uint64_t line = 0; line < lines; line += UNTAKEN_PAGE / sizeof(struct untaken_line)) {
        before_writing(&untaken_core.table[line]);
    }
    memset(untaken_core.table, 0, lines * sizeof *untaken_core.table);
}

static void put_again(const struct untaken_line *line) {
    for (unsigned place = 0; place < LINE_NODES && line->marks[place] != 0; place++) {
        uint32_t index = line->nodes[place];
        put_stray(index, hash_of(key_of(node_of(index))));
    }
}

static void grow(void) {
    const struct untaken_line *old = untaken_core.table, *end = old + untaken_core.table_lines;
    use_table(next_table(untaken_core.table_lines));
    clear_table();
    for (; old < end; old++) {
        put_again(old);
    }
}

/* Counts one stray more, in a bigger table if need be. False if there is no room. */
static bool stray_room(void) {
    if (count_stray()) {
        return true;
    }
    if (untaken_core.table_lines == largest_table()) {
        return false;
    }
    grow();
    return count_stray();
}

/* ---- Runs ---- */

static void clear_home_line(uint64_t operand) { memset(home_line(operand), 0, sizeof(struct untaken_line)); }

static void clear_index(void) {
    *untaken_core.strays = 0;
    use_table_for(0);
    clear_table();
    clear_home_line(0);
}

/* Makes sure that a node is in the index. */
static void index_node(uint32_t index) {
    struct key key = key_of(node_of(index));
    uint64_t hash = hash_of(key);
    uint32_t home = home_of(*node_of(index));
    bool known = (home != 0 && find_in_line(home_line(home), key, hash) != 0) || find_stray(key, hash) != 0;
    if (!known && !(home != 0 && put_in_line(home_line(home), index, hash)) && stray_room()) {
        put_stray(index, hash);
    }
}

static void forget_epochs(void) {
    for (uint64_t index = 1; index < untaken_shared->node_count; index++) {
        untaken_core.nodes[index].reserved = 0;
    }
}

void untaken_nodes_start(void) {
    struct untaken_core *core = &untaken_core;
    uint64_t capacity = untaken_shared->nodes.capacity;
    core->node_limit = capacity < UNTAKEN_NODE_MASK ? capacity : UNTAKEN_NODE_MASK;
    core->strays = (uint32_t *)(core->home_lines + home_line_count());
    forget_epochs();
    clear_index();
    for (uint64_t index = 1; index < untaken_shared->node_count; index++) {
        if (index % LINE_OPERANDS == 0) {
            clear_home_line(index);
        }
        index_node((uint32_t)index);
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
        clear_index();
    } else {
        use_table_for(*untaken_core.strays);
        index_node((uint32_t)(untaken_shared->node_count - 1)); /* its run may have been killed just before */
    }
    untaken_core.room_until = (untaken_shared->node_count + LINE_OPERANDS - 1) / LINE_OPERANDS * LINE_OPERANDS;
    memset(untaken_core.constants, 0, sizeof untaken_core.constants);
    next_epoch();
}

/* Maps the memory that nodes and their lines will soon go to. */
static void look_ahead(uint64_t index) {
    if (index < untaken_core.node_limit) {
        before_writing(&untaken_core.nodes[index]);
        before_writing(home_line(index));
    }
}

void untaken_nodes_warm_up(void) {
    use_table_for(*untaken_core.strays);
    before_writing(untaken_core.table);
    look_ahead(untaken_shared->node_count);
}

/* Before node `index` is written: makes room for it and some more, if there may be any. */
static bool node_room(uint64_t index) {
    struct untaken_core *core = &untaken_core;
    if (index < core->room_until) {
        return true;
    }
    if (index >= core->node_limit) {
        untaken_cut(UNTAKEN_CUT_NODES);
        return false;
    }
    uint64_t end = index - index % AT_ONCE + AT_ONCE;
    core->room_until = end < core->node_limit ? end : core->node_limit;
    for (uint64_t operand = index; operand < core->room_until; operand += LINE_OPERANDS) {
        clear_home_line(operand);
    }
    look_ahead(end + AT_ONCE);
    return true;
}

static untaken_label add_at_home(struct key key, uint32_t home, uint64_t value) {
    uint64_t index = untaken_shared->node_count;
    write_node(index, key, value);
    put_in_line(home_line(home), (uint32_t)index, hash_of(key));
    return (untaken_label)index;
}

static untaken_label add_stray(struct key key, uint64_t value) {
    uint64_t index = untaken_shared->node_count;
    if (!stray_room()) {
        untaken_cut(UNTAKEN_CUT_NODES);
        return 0;
    }
    write_node(index, key, value);
    put_stray((uint32_t)index, hash_of(key));
    return (untaken_label)index;
}

untaken_label untaken_node_anywhere(struct key key, uint32_t home, uint64_t value) {
    bool may_be_stray = home == 0 || is_full(home_line(home));
    uint32_t known = home == 0 ? 0 : find_in_line(home_line(home), key, hash_of(key));
    if (known == 0 && may_be_stray) {
        known = find_stray(key, hash_of(key));
    }
    untaken_shared->nodes_asked++;
    if (known != 0) {
        return known_node(known, value);
    }
    if (!node_room(untaken_shared->node_count)) {
        return 0;
    }
    return may_be_stray ? add_stray(key, value) : add_at_home(key, home, value);
}

untaken_label untaken_node(uint8_t op, uint8_t width, uint32_t a, uint32_t b, uint32_t c, uint64_t value) {
    if (!untaken_recording) {
        return 0;
    }
    uint32_t home = home_of((struct untaken_node){.op = op, .a = a, .b = b, .c = c});
    struct key key = key_for(op, width, a, b, c);
    return home != 0 ? node_at_home(key, home, value) : homeless_node(key, value);
}

UNTAKEN_SELDOM void untaken_remember_constant(uint8_t width, uint64_t value) {
    untaken_label label = untaken_node(UNTAKEN_OP_CONST, width, 0, (uint32_t)value, (uint32_t)(value >> 32), value);
    *constant_entry(width, value) = (struct untaken_constant_entry){value, label, width};
}

untaken_label untaken_constant(uint8_t width, uint64_t value) {
    return untaken_recording ? constant_label(width, value & width_mask(width)) : 0;
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
