/* Looking for expression nodes, and adding them: what is short enough to be inlined where terms are built.
 * expressions/nodes.c says how the index of the nodes is laid out. */
#ifndef UNTAKEN_EXPRESSIONS_NODES_H
#define UNTAKEN_EXPRESSIONS_NODES_H

#include "expressions/expressions.h"

#include <string.h>

#ifdef __has_attribute
#if __has_attribute(preserve_most)
#define UNTAKEN_SELDOM __attribute__((preserve_most))
#endif
#endif
#ifndef UNTAKEN_SELDOM
#define UNTAKEN_SELDOM
#endif

#define MOST_CHILDREN 8u

/* The nodes that are built on a node, its children, are in a list, the youngest first. */
struct untaken_links {
    uint32_t child; /* the youngest */
    uint32_t elder; /* the next in the list that this node is in; 0: none */
};

/* A node without its value, as two words: op, width and the first operand; the other operands. */
struct key {
    uint64_t first, second;
};
#define KEY_MASK (~0xffff0000ull) /* not of the key: when the node was last decided */
_Static_assert(offsetof(struct untaken_node, a) == 4 && offsetof(struct untaken_node, b) == 8, "two words");

static inline struct key key_for(unsigned op, unsigned width, uint32_t a, uint32_t b, uint32_t c) {
    return (struct key){(uint64_t)a << 32 | width << 8 | op, (uint64_t)c << 32 | b};
}

static inline struct key key_of(const struct untaken_node *node) {
    struct key key;
    memcpy(&key, node, sizeof key);
    key.first &= KEY_MASK;
    return key;
}

/* Its upper half is used: there the bits are mixed best. */
static inline uint64_t hash_of(struct key key) {
    return key.first * 0x9e3779b97f4a7c15ull + key.second * 0xc2b2ae3d27d4eb4full;
}

static inline bool has_key(uint32_t index, struct key key) {
    struct key found = key_of(node_of(index));
    return found.second == key.second && found.first == key.first;
}

/* Where the table of strays has the node of the key, or where it goes. */
static inline uint32_t *stray_slot(struct key key) {
    uint64_t number = hash_of(key) >> 32;
    uint32_t *slot = &untaken_state.table[number & untaken_state.table_mask];
    while (*slot != 0 && !has_key(*slot, key)) {
        slot = &untaken_state.table[++number & untaken_state.table_mask];
    }
    return slot;
}

/* ---- Nodes ---- */

/* The node, wherever it is or there is room for it. parent: the operand whose child it is; 0: none. */
untaken_label untaken_node_anywhere(struct key key, uint32_t parent, uint64_t value);

/* The node, if there is one, else 0. */
untaken_label untaken_known_node(struct key key, uint32_t parent);

static inline void write_node(uint64_t index, struct key key, uint64_t value) {
    struct untaken_node *node = &untaken_state.nodes[index];
    memcpy(node, &key, sizeof key);
    node->value = value;
    __atomic_store_n(&untaken_shared->node_count, index + 1, __ATOMIC_RELEASE);
}

static inline untaken_label known_node(uint32_t index, uint64_t value) {
    struct untaken_node *node = &untaken_state.nodes[index];
    if (node->value != value) {
        node->value = value;
    }
    return index;
}

/* Counts one stray more, if the table has room for it. */
static inline bool count_stray(void) {
    uint32_t count = *untaken_state.strays + 1;
    bool room = count <= untaken_state.grow_at;
    if (room) {
        __atomic_store_n(untaken_state.strays, count, __ATOMIC_RELEASE);
    }
    return room;
}

/* The node, which is nobody's child. 0 if that is not simple. */
__attribute__((always_inline)) static inline untaken_label stray_in_short(struct key key, uint64_t value) {
    uint32_t *slot = stray_slot(key);
    uint64_t index = untaken_shared->node_count;
    if (*slot != 0) {
        untaken_shared->nodes_asked++;
        return known_node(*slot, value);
    }
    if (index >= untaken_state.room_until || !count_stray()) {
        return 0;
    }
    untaken_shared->nodes_asked++;
    untaken_state.links[index] = (struct untaken_links){0, 0};
    write_node(index, key, value);
    *slot = (uint32_t)index;
    return (untaken_label)index;
}

/* The node, a child of `parent`: the youngest operand that is no constant. 0 if that is not simple. */
__attribute__((always_inline)) static inline untaken_label
child_in_short(struct key key, uint32_t parent, uint64_t value) {
    struct untaken_links *links = untaken_state.links;
    unsigned left = MOST_CHILDREN;
    for (uint32_t known = links[parent].child; known != 0; known = links[known].elder) {
        if (has_key(known, key)) {
            untaken_shared->nodes_asked++;
            return known_node(known, value);
        }
        if (--left == 0) {
            return stray_in_short(key, value);
        }
    }
    uint64_t index = untaken_shared->node_count;
    if (index >= untaken_state.room_until) {
        return 0;
    }
    untaken_shared->nodes_asked++;
    links[index] = (struct untaken_links){0, links[parent].child};
    write_node(index, key, value);
    links[parent].child = (uint32_t)index;
    return (untaken_label)index;
}

static inline untaken_label node_under_parent(struct key key, uint32_t parent, uint64_t value) {
    untaken_label label = child_in_short(key, parent, value);
    return label != 0 ? label : untaken_node_anywhere(key, parent, value);
}

/* Finds or adds a node that has no parent, such as a comparison. */
static inline untaken_label node_without_parent(struct key key, uint64_t value) {
    untaken_label label = stray_in_short(key, value);
    return label != 0 ? label : untaken_node_anywhere(key, 0, value);
}

/* `parent` as above, if it has one: comparisons do not. There are many on one operand, and little is built on them. */
static inline untaken_label binary_node(struct key key, unsigned op, uint32_t parent, uint64_t value) {
    return is_comparison(op) ? node_without_parent(key, value) : node_under_parent(key, parent, value);
}

/* Makes the entry of a constant say its label. Saves the registers itself, so that callers which hardly ever need it do
 * not have to; and returns nothing, since compilers do not agree on how. */
UNTAKEN_SELDOM void untaken_remember_constant(uint8_t width, uint64_t value);

/* untaken_constant, at once if it was asked for lately. */
static inline untaken_label constant_label(uint8_t width, uint64_t value) {
    const struct untaken_constant_entry *entry = constant_entry(width, value);
    if (entry->label == 0 || entry->value != value || entry->width != width) {
        untaken_remember_constant(width, value);
    }
    return entry->label;
}

/* The label of an operand inside a node: constants need one there. */
static inline uint32_t operand_label(term a) { return a.label != 0 ? a.label : constant_label(a.width, a.value); }

#endif
