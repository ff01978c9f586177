/* Loads through symbolic addresses: a READ from a table of what memory holds, or else the address is pinned. */
#include "memory/shadow.h"
#include "tracking/tracking.h"

/* What a load may read: `count` places from `first` on, each 2^shift bytes after the one before. */
struct extent {
    uint64_t first;
    uint64_t count;
    unsigned shift;
    bool proven; /* the address cannot be anywhere else */
};

static unsigned stride_shift(untaken_label address, uint32_t size) {
    unsigned largest = 31 - (unsigned)__builtin_clz(size), step = untaken_fixed_low_bits(address);
    return step < largest ? step : largest;
}

/* The places in [low, high] that the address can take, given the concrete one and its stride. */
static void places_between(struct extent *extent, uint64_t concrete, uint64_t low, uint64_t high) {
    uint64_t stride = 1ull << extent->shift;
    extent->first = low + ((concrete - low) & (stride - 1));
    extent->count = ((high - extent->first) >> extent->shift) + 1;
}

static struct untaken_range intersection(struct untaken_range a, struct untaken_range b) {
    return (struct untaken_range){a.low > b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
}

static bool find_extent(struct extent *extent, term address, uint32_t size, const void *object, uint64_t object_size) {
    uint64_t start = (uint64_t)(uintptr_t)object, last = start + (object_size - size);
    if (object_size < size || address.value < start || address.value > last) {
        return false;
    }
    struct untaken_range range = untaken_range_of(address.label);
    struct untaken_range starts = intersection(range, (struct untaken_range){start, last});
    if (starts.high - starts.low >= UNTAKEN_LARGEST_EXTENT || starts.low > address.value || starts.high < address.value) {
        return false;
    }
    untaken_clip_to_readable(&starts, address.value, size, object);
    extent->shift = stride_shift(address.label, size);
    extent->proven = range.low >= starts.low && range.high <= starts.high;
    places_between(extent, address.value, starts.low, starts.high);
    return true;
}

static bool find_places(struct extent *extent, term address, uint32_t size, const void *object, uint64_t object_size) {
    if (object == NULL && !untaken_find_object((const void *)(uintptr_t)address.value, &object, &object_size) &&
        !untaken_find_guarded(address.value, &object, &object_size)) {
        return false;
    }
    return find_extent(extent, address, size, object, object_size) && extent->count > 1;
}

/* Exactly a / 2^shift: drops the factor where it is plain to see and cannot have wrapped around. */
static term divided(term a, unsigned shift) {
    const struct untaken_node *node = node_of(a.label);
    if (shift != 0 && node->op == UNTAKEN_OP_MUL) {
        term left = term_of_operand(node->a), factor = term_of_operand(node->b);
        bool scaled = factor.label == 0 && left.label != 0;
        if (scaled && (factor.value & width_mask(shift)) == 0 &&
            untaken_range_of(left.label).high <= ~0ull / factor.value) {
            return term_binary(UNTAKEN_OP_MUL, left, term_constant(64, factor.value >> shift));
        }
    }
    return term_binary(UNTAKEN_OP_LSHR, a, term_constant(64, shift));
}

/* What a table will hold; a label of 0 says that the value counts. One lies right behind the other, so that for a small
 * table a run copies one page. */
struct contents {
    uint64_t *values;
    uint32_t *labels;
};
static uint8_t room[UNTAKEN_LARGEST_EXTENT * (sizeof(uint64_t) + sizeof(uint32_t))]
    __attribute__((aligned(8))); /* guarded by the lock of the runtime */

/* Tables have thousands of places, of which few hold labels: those that hold none are read without a call. */
static inline term read_place(uint64_t address, uint32_t size) {
    uint64_t value = 0;
    if (!is_aligned(address, size) || (*tag_of(address) & aligned_bits(address, size)) != 0) {
        return untaken_memory_load((const void *)(uintptr_t)address, size);
    }
    memcpy(&value, (const void *)(uintptr_t)address, size);
    return (term){0, (uint8_t)(8 * size), value};
}

#define READ_PLACES(read, size)                                                                                        \
    for (uint64_t i = 0; i < extent->count; i++) {                                                                     \
        term entry = read(extent->first + (i << extent->shift), size);                                                 \
        contents.labels[i] = entry.label;                                                                              \
        contents.values[i] = entry.value;                                                                              \
    }

static term read_odd_place(uint64_t address, uint32_t size) {
    return untaken_memory_load((const void *)(uintptr_t)address, size);
}

static struct contents read_contents(const struct extent *extent, uint32_t size) {
    struct contents contents = {(uint64_t *)room, (uint32_t *)((uint64_t *)room + extent->count)};
    switch (size) { /* so that the compiler knows it in each */
    case 1: READ_PLACES(read_place, 1) break;
    case 2: READ_PLACES(read_place, 2) break;
    case 4: READ_PLACES(read_place, 4) break;
    case 8: READ_PLACES(read_place, 8) break;
    default: READ_PLACES(read_odd_place, size)
    }
    return contents;
}

static bool all_same(struct contents contents, uint64_t count) {
    for (uint64_t i = 1; i < count; i++) {
        if (contents.labels[i] != contents.labels[0] ||
            (contents.labels[i] == 0 && contents.values[i] != contents.values[0])) {
            return false;
        }
    }
    return true;
}

static bool any_symbolic(struct contents contents, uint64_t count) {
    uint32_t found = 0;
    for (uint64_t i = 0; i < count; i++) {
        found |= contents.labels[i];
    }
    return found != 0;
}

static untaken_label read_anew(const struct untaken_elements *places, const struct extent *extent, term index) {
    struct contents contents = read_contents(extent, places->size);
    if (all_same(contents, extent->count)) {
        return contents.labels[0];
    }
    uint8_t width = (uint8_t)(8 * places->size);
    uint64_t value = contents.values[index.value];
    uint32_t table = untaken_table_intern(width, (uint32_t)extent->count, contents.values, contents.labels);
    if (table == UINT32_MAX) {
        return contents.labels[index.value];
    }
    if (!any_symbolic(contents, extent->count)) {
        untaken_table_remember(places, table);
    }
    return untaken_node(UNTAKEN_OP_READ, width, index.label, table, 0, value);
}

static untaken_label read_node(const struct extent *extent, term index, uint32_t size) {
    struct untaken_elements places = {extent->first, extent->count, extent->shift, size};
    uint32_t table = untaken_table_recall(&places);
    if (table == UINT32_MAX) {
        return read_anew(&places, extent, index);
    }
    uint64_t value = untaken_table_value(table, index.value);
    return untaken_node(UNTAKEN_OP_READ, (uint8_t)(8 * size), index.label, table, 0, value);
}

static void bound_load(term address, uint32_t size, const void *object, uint64_t object_size) {
    if (object != NULL) {
        untaken_bound_within(address, size, object, object_size);
    } else {
        untaken_bound_access(address, size);
    }
}

untaken_label untaken_load_indirect(term address, uint32_t size, uint64_t value, const void *object,
                                    uint64_t object_size, bool (*changed)(uint64_t, uint64_t, void *),
                                    void *context) {
    struct extent extent;
    if (!find_places(&extent, address, size, object, object_size) ||
        changed(extent.first, extent.first + ((extent.count - 1) << extent.shift) + size, context)) {
        untaken_bound_access(address, size);
        untaken_pin_term(address);
        return untaken_memory_loaded((const void *)(uintptr_t)address.value, size, value).label;
    }
    term offset = term_binary(UNTAKEN_OP_SUB, address, term_constant(64, extent.first));
    term index = divided(offset, extent.shift);
    if (!extent.proven) {
        bound_load(address, size, object, object_size);
        untaken_decide(UNTAKEN_PIN, term_binary(UNTAKEN_OP_ULT, index, term_constant(64, extent.count)), 0);
    }
    if (index.label == 0) { /* the node table is full */
        return 0;
    }
    return read_node(&extent, index, size);
}
