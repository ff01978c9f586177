/* Looking for expression nodes, and adding them: what is short enough to be inlined where terms are built. nodes.c
 * says how the index of the nodes is laid out. */
#ifndef UNTAKEN_NODES_H
#define UNTAKEN_NODES_H

#include "core.h"

#include <emmintrin.h>
#include <string.h>

#ifdef __has_attribute
#if __has_attribute(preserve_most)
#define UNTAKEN_SELDOM __attribute__((preserve_most))
#endif
#endif
#ifndef UNTAKEN_SELDOM
#define UNTAKEN_SELDOM
#endif

#define LINE_NODES 12u
#define LINE_OPERANDS 8u

/* One cache line of the index: nodes, and of each one byte of its hash, or 0 if the place is free. */
struct untaken_line {
    uint8_t marks[16]; /* the last four are always 0 */
    uint32_t nodes[LINE_NODES];
};
_Static_assert(sizeof(struct untaken_line) == 64, "one cache line");

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

/* The upper half is what counts. */
static inline uint64_t hash_of(struct key key) {
    return key.first * 0x9e3779b97f4a7c15ull + key.second * 0xc2b2ae3d27d4eb4full;
}

static inline uint8_t mark_of(uint64_t hash) { return (uint8_t)(hash >> 56 | (hash >> 56 == 0)); }

static inline struct untaken_line *home_line(uint64_t operand) {
    return untaken_core.home_lines + operand / LINE_OPERANDS;
}

static inline __m128i marks_of(const struct untaken_line *line) { return _mm_load_si128((const __m128i *)line->marks); }

/* One bit for each place that has this mark. */
static inline unsigned places_with(__m128i marks, uint8_t mark) {
    unsigned found = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(marks, _mm_set1_epi8((char)mark)));
    return found & ((1u << LINE_NODES) - 1);
}

static inline bool is_full(const struct untaken_line *line) { return places_with(marks_of(line), 0) == 0; }

/* The node of the key if it is in the line, else 0. */
static inline uint32_t find_in_line(const struct untaken_line *line, struct key key, uint64_t hash) {
    for (unsigned alike = places_with(marks_of(line), mark_of(hash)); alike != 0; alike &= alike - 1) {
        uint32_t index = line->nodes[__builtin_ctz(alike)];
        struct key found = key_of(node_of(index));
        if (found.first == key.first && found.second == key.second) {
            return index;
        }
    }
    return 0;
}

/* Writes all marks at once: a line that was just written to is soon looked at as a whole, and a processor waits if that
 * is more than it has in hand. */
static inline void put_at(struct untaken_line *line, unsigned place, uint32_t index, uint64_t hash) {
    static const uint8_t one_place[2 * sizeof line->marks - 1] = {[sizeof line->marks - 1] = 0xff};
    __m128i only = _mm_loadu_si128((const __m128i *)(one_place + sizeof line->marks - 1 - place));
    __m128i mark = _mm_and_si128(only, _mm_set1_epi8((char)mark_of(hash)));
    line->nodes[place] = index;
    __atomic_thread_fence(__ATOMIC_RELEASE);
    _mm_store_si128((__m128i *)line->marks, _mm_or_si128(marks_of(line), mark));
}

/* False if the line is full. */
static inline bool put_in_line(struct untaken_line *line, uint32_t index, uint64_t hash) {
    unsigned free_places = places_with(marks_of(line), 0);
    if (free_places != 0) {
        put_at(line, (unsigned)__builtin_ctz(free_places), index, hash);
    }
    return free_places != 0;
}

/* Strays: the first line that may hold one; it is in the next ones only if that one is full. */
static inline uint64_t first_line(uint64_t hash) { return hash >> 32; }

static inline struct untaken_line *table_line(uint64_t number) {
    return untaken_core.table + (number & (untaken_core.table_lines - 1));
}

/* ---- Nodes ---- */

/* The node, wherever it is or there is room for it. home: the operand in whose line it belongs; 0: none. */
untaken_label untaken_node_anywhere(struct key key, uint32_t home, uint64_t value);

static inline void write_node(uint64_t index, struct key key, uint64_t value) {
    struct untaken_node *node = &untaken_core.nodes[index];
    memcpy(node, &key, sizeof key);
    node->value = value;
    __atomic_store_n(&untaken_shared->node_count, index + 1, __ATOMIC_RELEASE);
}

static inline untaken_label known_node(uint32_t index, uint64_t value) {
    struct untaken_node *node = &untaken_core.nodes[index];
    if (node->value != value) {
        node->value = value;
    }
    return index;
}

/* Counts one stray more, if the table has room for it. */
static inline bool count_stray(void) {
    uint32_t count = *untaken_core.strays + 1;
    bool room = count <= untaken_core.grow_at;
    if (room) {
        __atomic_store_n(untaken_core.strays, count, __ATOMIC_RELEASE);
    }
    return room;
}

/* The node that is in the line or goes there, if there is room for it: else 0. */
__attribute__((always_inline)) static inline untaken_label
node_in_line(struct untaken_line *line, struct key key, uint64_t hash, uint64_t value, bool stray) {
    uint32_t known = find_in_line(line, key, hash);
    if (known != 0) {
        untaken_shared->nodes_asked++;
        return known_node(known, value);
    }
    uint64_t index = untaken_shared->node_count;
    unsigned free_places = places_with(marks_of(line), 0);
    if (free_places == 0 || index >= untaken_core.room_until || (stray && !count_stray())) {
        return 0;
    }
    untaken_shared->nodes_asked++;
    write_node(index, key, value);
    put_at(line, (unsigned)__builtin_ctz(free_places), (uint32_t)index, hash);
    return (untaken_label)index;
}

/* The node, which belongs in the line of the operand `home`: the youngest that is no constant. */
static inline untaken_label node_at_home(struct key key, uint32_t home, uint64_t value) {
    untaken_label label = node_in_line(home_line(home), key, hash_of(key), value, false);
    return label != 0 ? label : untaken_node_anywhere(key, home, value);
}

/* One that has no home. */
static inline untaken_label homeless_node(struct key key, uint64_t value) {
    uint64_t hash = hash_of(key);
    untaken_label label = node_in_line(table_line(first_line(hash)), key, hash, value, true);
    return label != 0 ? label : untaken_node_anywhere(key, 0, value);
}

/* `home` as above, if it has one: comparisons do not. There are many on one operand, and little is built on them. */
static inline untaken_label binary_node(struct key key, unsigned op, uint32_t home, uint64_t value) {
    return is_comparison(op) ? homeless_node(key, value) : node_at_home(key, home, value);
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
