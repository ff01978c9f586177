/* Contents of memory that READ nodes select from, deduplicated over the campaign.
 *
 * Tables fill their region from the start; hash slots for finding them again lie at its end, and before them hints:
 * which table was last made of which places. Like nodes, a table is whole before table_bytes counts it and before a
 * slot or hint names it. */
#include "memory/memory.h"

#include <string.h>

/* Loops read the same table over and over: comparing memory with what it was is cheaper than making it again. */
#define REMEMBERED 16u
UNTAKEN_EVERY_RUN static struct remembered_table {
    struct untaken_elements places;
    uint32_t offset;
} remembered[REMEMBERED];
static uint8_t remembered_memory[REMEMBERED][UNTAKEN_LARGEST_EXTENT + 8]; /* the last place has up to 8 bytes */

/* Runs make the same tables as those before. A hint is only where to look: what memory holds decides. */
#define HINTS 64u
#define LEAST_WITH_HINTS (1u << 16) /* bytes of the region */
struct hint {
    struct untaken_elements places;
    uint64_t offset;
};

/* One slot for each 128 bytes. */
static uint64_t slot_count(void) {
    uint64_t wanted = untaken_shared->tables.capacity / 128;
    return wanted == 0 ? 0 : 1ull << (63 - __builtin_clzll(wanted));
}

static uint32_t *table_slots(void) {
    uint64_t end = untaken_shared->tables.capacity & ~7ull;
    return (uint32_t *)(untaken_state.tables + end) - slot_count();
}

/* Before the slots: where the tables end that have slots. */
static uint64_t *slotted_bytes(void) { return (uint64_t *)table_slots() - 1; }

static unsigned hint_count(void) { return untaken_shared->tables.capacity < LEAST_WITH_HINTS ? 0 : HINTS; }

static struct hint *hints(void) { return (struct hint *)slotted_bytes() - hint_count(); }

static uint64_t size_of(const struct untaken_table *table) {
    return sizeof *table + (table->count * (sizeof(uint64_t) + sizeof(uint32_t)) + 7) / 8 * 8;
}

/* Frees the slots from this hash on, up to the first free one: all of them are to go. */
static void free_slots(uint64_t hash) {
    uint64_t last = slot_count() - 1;
    uint32_t *slots = table_slots();
    for (; slots[hash & last] != 0; hash++) {
        slots[hash & last] = 0;
    }
}

/* The driver clears the tables by setting table_bytes to 0; the slots are then ours to clear. There are many, and few
 * of them in use: those that the old tables name, which are still there. */
void untaken_tables_begin_run(void) {
    memset(remembered, 0, sizeof remembered);
    if (untaken_shared->table_bytes != 0 || *slotted_bytes() == 0) {
        return;
    }
    for (uint64_t offset = 0; offset < *slotted_bytes();) {
        const struct untaken_table *table = (const struct untaken_table *)(untaken_state.tables + offset);
        free_slots(table->hash);
        offset += size_of(table);
    }
    *slotted_bytes() = 0;
    memset(hints(), 0, hint_count() * sizeof(struct hint));
}

/* What is looked at before each run. */
void untaken_tables_prefault(void) { before_writing(slotted_bytes()); }

static uint64_t mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
    return hash ^ hash >> 29;
}

static uint64_t content(uint64_t value, uint32_t entry) { return entry != 0 ? ~(uint64_t)entry : value; }

/* Four at a time, none of which has to wait for the one before. */
static uint64_t hash_contents(uint32_t width, uint32_t count, const uint64_t *values, const uint32_t *entries) {
    uint64_t hash = mix(width, count), part[4] = {1, 2, 3, 4};
    uint32_t i = 0;
    for (; i + 4 <= count; i += 4) {
        for (uint32_t k = 0; k < 4; k++) {
            part[k] = mix(part[k], content(values[i + k], entries[i + k]));
        }
    }
    for (; i < count; i++) {
        hash = mix(hash, content(values[i], entries[i]));
    }
    return mix(mix(mix(mix(hash, part[0]), part[1]), part[2]), part[3]);
}

/* A symbolic entry's value is not part of the contents: it differs from run to run. */
static bool same_contents(const struct untaken_table *table, const uint64_t *values, const uint32_t *entries) {
    const uint64_t *old_values = (const uint64_t *)(table + 1);
    const uint32_t *old_entries = (const uint32_t *)(old_values + table->count);
    for (uint32_t i = 0; i < table->count; i++) {
        if (old_entries[i] != entries[i] || (entries[i] == 0 && old_values[i] != values[i])) {
            return false;
        }
    }
    return true;
}

static void write_table(struct untaken_table *table, struct untaken_table head, const uint64_t *values,
                        const uint32_t *entries) {
    uint64_t *new_values = (uint64_t *)(table + 1);
    uint32_t *new_entries = (uint32_t *)(new_values + head.count);
    *table = head;
    for (uint32_t i = 0; i < head.count; i++) {
        new_values[i] = entries[i] != 0 ? 0 : values[i];
    }
    memcpy(new_entries, entries, head.count * sizeof *entries);
}

static uint32_t add_table(struct untaken_table head, const uint64_t *values, const uint32_t *entries,
                          uint32_t *slot) {
    uint64_t offset = untaken_shared->table_bytes;
    uint64_t size = size_of(&head);
    uint64_t room = (uint64_t)((uint8_t *)hints() - untaken_state.tables);
    if (offset + size > room || offset + size > UINT32_MAX) {
        untaken_note_cut_off(UNTAKEN_CUT_TABLES);
        return UINT32_MAX;
    }
    write_table((struct untaken_table *)(untaken_state.tables + offset), head, values, entries);
    *slotted_bytes() = offset + size;
    __atomic_store_n(&untaken_shared->table_bytes, offset + size, __ATOMIC_RELEASE);
    __atomic_store_n(slot, (uint32_t)(offset / 8 + 1), __ATOMIC_RELEASE);
    return (uint32_t)offset;
}

uint32_t untaken_table_intern(uint32_t width, uint32_t count, const uint64_t *values, const uint32_t *entries) {
    uint64_t hash = hash_contents(width, count, values, entries), slots = slot_count();
    uint32_t *table = table_slots();
    for (uint64_t tried = 0; tried < slots; tried++) {
        uint32_t *slot = &table[(hash + tried) & (slots - 1)];
        if (*slot == 0) {
            return add_table((struct untaken_table){count, width, hash}, values, entries, slot);
        }
        uint32_t offset = (*slot - 1) * 8;
        const struct untaken_table *old = (const struct untaken_table *)(untaken_state.tables + offset);
        if (old->hash == hash && old->count == count && old->width == width && same_contents(old, values, entries)) {
            return offset;
        }
    }
    untaken_note_cut_off(UNTAKEN_CUT_TABLES);
    return UINT32_MAX;
}

static unsigned memory_number(const struct untaken_elements *places) {
    return (places->first ^ places->first >> 6 ^ places->count) % REMEMBERED;
}

static uint64_t extent_of(const struct untaken_elements *places) {
    return ((places->count - 1) << places->shift) + places->size;
}

static const uint64_t *values_at(uint32_t offset) {
    return (const uint64_t *)(untaken_state.tables + offset + sizeof(struct untaken_table));
}

static struct hint *hint_for(const struct untaken_elements *places) {
    uint64_t hash = mix(mix(places->first, places->count), places->size);
    return hint_count() == 0 ? NULL : &hints()[hash % HINTS];
}

#define DIFFERENCES(type)                                                                                              \
    for (uint64_t i = 0; i < places->count; i++, at += step) {                                                         \
        type value;                                                                                                    \
        memcpy(&value, at, sizeof value);                                                                              \
        differences |= value ^ values[i];                                                                              \
    }

/* None of the places holds labels. */
static bool holds_values(const struct untaken_elements *places, const uint64_t *values) {
    const uint8_t *at = (const uint8_t *)(uintptr_t)places->first;
    uint64_t step = 1ull << places->shift, differences = 0;
    switch (places->size) {
    case 1: DIFFERENCES(uint8_t) break;
    case 2: DIFFERENCES(uint16_t) break;
    case 4: DIFFERENCES(uint32_t) break;
    case 8: DIFFERENCES(uint64_t) break;
    default: return false;
    }
    return differences == 0;
}

static void remember_for_run(const struct untaken_elements *places, uint32_t offset) {
    unsigned number = memory_number(places);
    remembered[number] = (struct remembered_table){*places, offset};
    memcpy(remembered_memory[number], (const void *)(uintptr_t)places->first, extent_of(places));
}

/* By a hint of an earlier run. All tables that hints name are without labels. */
static uint32_t recall_by_hint(const struct untaken_elements *places) {
    const struct hint *hint = hint_for(places);
    if (hint == NULL || memcmp(&hint->places, places, sizeof *places) != 0 ||
        hint->offset + sizeof(struct untaken_table) > untaken_shared->table_bytes) {
        return UINT32_MAX;
    }
    const struct untaken_table *table = (const struct untaken_table *)(untaken_state.tables + hint->offset);
    if (table->count != places->count || table->width != 8 * places->size ||
        !holds_values(places, values_at((uint32_t)hint->offset))) {
        return UINT32_MAX;
    }
    remember_for_run(places, (uint32_t)hint->offset);
    return (uint32_t)hint->offset;
}

uint32_t untaken_table_recall(const struct untaken_elements *places) {
    unsigned number = memory_number(places);
    const struct remembered_table *last = &remembered[number];
    const void *memory = (const void *)(uintptr_t)places->first;
    uint64_t extent = extent_of(places);
    if (untaken_memory_symbolic(memory, extent)) {
        return UINT32_MAX;
    }
    if (memcmp(&last->places, places, sizeof *places) == 0 && memcmp(memory, remembered_memory[number], extent) == 0) {
        return last->offset;
    }
    return recall_by_hint(places);
}

void untaken_table_remember(const struct untaken_elements *places, uint32_t offset) {
    struct hint *hint = hint_for(places);
    remember_for_run(places, offset);
    if (hint != NULL) {
        *hint = (struct hint){*places, offset};
    }
}

uint64_t untaken_table_value(uint32_t offset, uint64_t index) { return values_at(offset)[index]; }
