/* Labels of memory, as far as it is short enough to be inlined: places without labels, and values that are loaded as
 * they were stored. memory/shadow.c has all else. */
#ifndef UNTAKEN_MEMORY_SHADOW_H
#define UNTAKEN_MEMORY_SHADOW_H

#include "memory/memory.h"

#include <emmintrin.h>

#define LINE 64u
#define WORD 4u

static inline uint16_t *tag_of(uintptr_t address) {
    return (uint16_t *)UNTAKEN_TAG_BASE + (address >> UNTAKEN_LINE_SHIFT);
}

static inline uint32_t *labels_of(uintptr_t address) {
    return (uint32_t *)(UNTAKEN_SHADOW_BASE + 4 * (address & UNTAKEN_SHADOW_MASK));
}

/* The bits of a line's tag that stand for the words which are touched, all in this line. */
static inline unsigned word_bits(uintptr_t address, uint64_t size) {
    unsigned first = address % LINE / WORD, last = (unsigned)((address + size - 1) % LINE / WORD);
    return (2u << last) - (1u << first);
}

static inline bool is_tagged(uintptr_t address, uint64_t size) {
    return (*tag_of(address) & word_bits(address, size)) != 0;
}

/* What is aligned, as most things are, lies in one line. */
static inline bool is_aligned(uintptr_t address, uint64_t size) { return address % size == 0; }

static inline unsigned aligned_bits(uintptr_t address, uint64_t size) {
    return (size > WORD ? 3u : 1u) << address % LINE / WORD;
}

/* The labels of bytes 4 * part to 4 * part + 3 of a node. */
static inline __m128i four_bytes(untaken_label node, unsigned part) {
    unsigned first = 4 * part;
    __m128i bytes = _mm_set_epi32((int)((first + 3) << UNTAKEN_BYTE_SHIFT), (int)((first + 2) << UNTAKEN_BYTE_SHIFT),
                                  (int)((first + 1) << UNTAKEN_BYTE_SHIFT), (int)(first << UNTAKEN_BYTE_SHIFT));
    return _mm_or_si128(bytes, _mm_set1_epi32((int)node));
}

static inline bool are_four_bytes(const uint32_t *labels, untaken_label node, unsigned part) {
    __m128i found = _mm_loadu_si128((const __m128i *)(labels + 4 * part));
    return _mm_movemask_epi8(_mm_cmpeq_epi32(found, four_bytes(node, part))) == 0xffff;
}

static inline bool are_two_bytes(const uint32_t *labels, untaken_label node) {
    return labels[0] == node && labels[1] == (node | 1u << UNTAKEN_BYTE_SHIFT);
}

/* Whether the labels are the bytes of one node from its first on. */
static inline bool name_bytes_in_order(const uint32_t *labels, untaken_label node, uint32_t size) {
    if (size == 1) {
        return labels[0] == node;
    }
    if (size == 2) {
        return are_two_bytes(labels, node);
    }
    bool first = (size == 4 || size == 8) && are_four_bytes(labels, node, 0);
    return first && (size == 4 || are_four_bytes(labels, node, 1));
}

static inline bool are_all_zero(const uint32_t *labels, uint32_t size) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < size; i++) {
        found |= labels[i];
    }
    return found == 0;
}

static inline bool name_nothing(const uint32_t *labels, uint32_t size) {
    switch (size) { /* so that the compiler knows how often the loop goes round */
    case 1: return labels[0] == 0;
    case 4: return are_all_zero(labels, 4);
    case 8: return are_all_zero(labels, 8);
    default: return are_all_zero(labels, size);
    }
}

/* The label of what was loaded from there, 1, 2, 4 or 8 bytes, if it was stored as one value or has none; else
 * false. */
static inline bool loaded_in_short(uint64_t address, uint32_t size, uint64_t value, untaken_label *label) {
    if (is_aligned(address, size) && (*tag_of(address) & aligned_bits(address, size)) == 0) {
        *label = 0;
        return true;
    }
    const uint32_t *labels = labels_of(address);
    *label = labels[0];
    if (labels[0] == 0) {
        return name_nothing(labels, size);
    }
    return name_bytes_in_order(labels, labels[0], size) && has_value(labels[0], 8 * size, value);
}

static inline void put_four_bytes(uint32_t *labels, untaken_label node, unsigned part) {
    _mm_storeu_si128((__m128i *)(labels + 4 * part), four_bytes(node, part));
}

/* Puts the label of a value of 1, 4 or 8 bytes into memory; false if that is not simple. */
static inline bool stored_in_short(uint64_t address, uint32_t size, untaken_label label) {
    unsigned bits = aligned_bits(address, size);
    if (!is_aligned(address, size)) {
        return false;
    }
    if (label == 0) {
        return (*tag_of(address) & bits) == 0;
    }
    if (node_of(label)->width != 8 * size) {
        return false;
    }
    uint32_t *labels = labels_of(address);
    *tag_of(address) |= (uint16_t)bits;
    if (size == 1) {
        labels[0] = label;
        return true;
    }
    put_four_bytes(labels, label, 0);
    if (size == 8) {
        put_four_bytes(labels, label, 1);
    }
    return true;
}

#endif
