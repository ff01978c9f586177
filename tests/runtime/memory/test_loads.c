/* Loads through symbolic addresses: READ nodes over tables, their bounds, and pins where no table can be. */
#include "harness.h"
#include "steps.h"
#include "reference.h"

#include <string.h>

static _Alignas(64) uint8_t bytes[256];
static _Alignas(64) uint32_t words[10];
static _Alignas(64) struct {
    uint32_t key, value, rest;
} records[5];
static uint8_t large[100000];

static uint64_t address_of(const void *pointer) { return (uint64_t)(uintptr_t)pointer; }

/* base + index * scale + offset, with the index the input byte under a mask. */
static term indexed(const void *base, uint64_t scale, uint64_t offset, uint8_t mask) {
    term index = term_extend(UNTAKEN_OP_ZEXT, term_and(input_byte(0), term_constant(8, mask)), 64);
    term scaled = term_binary(UNTAKEN_OP_MUL, index, term_constant(64, scale));
    return term_binary(UNTAKEN_OP_ADD, scaled, term_constant(64, address_of(base) + offset));
}

static untaken_label load(term address, uint32_t size, const void *object, uint64_t object_size) {
    return ask_load((const void *)(uintptr_t)address.value, size, address.label, object, object_size);
}

static const struct untaken_table *table_of(untaken_label read) {
    CHECK(node(read)->op == UNTAKEN_OP_READ);
    return (const struct untaken_table *)(untaken_state.tables + node(read)->b);
}

static uint64_t node_values[1 << 16];

/* The node says what the program would load, for each index up to the limit. */
static void check_all(untaken_label label, uint8_t limit, uint32_t size, uint64_t (*expected)(uint8_t index)) {
    for (unsigned index = 0; index < limit; index++) {
        uint8_t input[8] = {(uint8_t)index, untaken_state.input[1]};
        reference_nodes(input, node_values);
        CHECK(node_values[label] == (expected((uint8_t)index) & width_mask(8 * size)));
    }
}

static uint64_t byte_at(uint8_t index) { return bytes[index]; }
static uint64_t word_at(uint8_t index) { return words[index]; }
static uint64_t value_at(uint8_t index) { return records[index].value; }

static void check_byte_table(void) {
    set_input(0, 200);
    begin();
    untaken_label read = load(indexed(bytes, 1, 0, 0xff), 1, bytes, sizeof bytes);
    CHECK(table_of(read)->count == 256 && table_of(read)->width == 8);
    CHECK(untaken_shared->constraint_count == 0); /* a byte cannot be out of bounds */
    CHECK(node(read)->value == bytes[200]);
    check_all(read, 255, 1, byte_at);
    uint64_t used = untaken_shared->table_bytes;
    set_input(0, 3);
    begin();
    CHECK(load(indexed(bytes, 1, 0, 0xff), 1, bytes, sizeof bytes) == read && untaken_shared->table_bytes == used);
    CHECK(node(read)->value == bytes[3]);
}

static void check_word_table(void) {
    set_input(0, 7);
    begin();
    untaken_label read = load(indexed(words, 4, 0, 0xff), 4, words, sizeof words);
    CHECK(table_of(read)->count == 10 && table_of(read)->width == 32);
    CHECK(untaken_shared->constraint_count == 2 && constraint(0)->kind == UNTAKEN_BOUND && constraint(0)->taken == 1);
    CHECK(constraint(1)->kind == UNTAKEN_PIN && constraint(1)->taken == 1);
    check_all(read, 10, 4, word_at);
    reference_nodes((uint8_t[]){10, 0}, node_values);
    CHECK(node_values[constraint(0)->node] == 0 && node_values[constraint(1)->node] == 0); /* out of bounds is excluded */
    begin();
    read = load(indexed(words, 4, 0, 3), 4, words, sizeof words); /* index & 3: only four entries, no bound */
    CHECK(table_of(read)->count == 4 && untaken_shared->constraint_count == 0);
}

static void check_records(void) {
    set_input(0, 2);
    begin();
    untaken_label read = load(indexed(records, sizeof *records, 4, 0xff), 4, records, sizeof records);
    check_all(read, 5, 4, value_at);
    CHECK(table_of(read)->count == 14); /* every fourth byte from the first value on: 12 is no power of two */
}

static void check_symbolic_entries(void) {
    set_input(0, 1);
    set_input(1, 99);
    begin();
    bytes[4] = 99;
    untaken_memory_store(bytes + 4, 1, input_byte(1).label);
    untaken_label read = load(indexed(bytes, 1, 0, 7), 1, bytes, sizeof bytes);
    CHECK(table_of(read)->count == 8);
    reference_nodes((uint8_t[]){4, 123}, node_values);
    CHECK(node_values[read] == 123);
    untaken_memory_clear(bytes, sizeof bytes);
}

/* Memory may change between two loads: each sees its own time. */
static void check_changes(void) {
    set_input(0, 1);
    set_input(1, 0);
    begin();
    term address = indexed(bytes, 1, 0, 7);
    untaken_label before = load(address, 1, bytes, sizeof bytes);
    CHECK(load(address, 1, bytes, sizeof bytes) == before);
    bytes[6] = 0;
    untaken_memory_store(bytes + 6, 1, input_byte(1).label);
    untaken_label during = load(address, 1, bytes, sizeof bytes);
    untaken_memory_store(bytes + 6, 1, 0);
    untaken_label after = load(address, 1, bytes, sizeof bytes);
    CHECK(before != during && during != after && before != after);
    reference_nodes((uint8_t[]){6, 55}, node_values);
    CHECK(node_values[before] == (uint8_t)(6 * 7 + 3) && node_values[during] == 55 && node_values[after] == 0);
}

static void check_pins(void) {
    set_input(0, 5);
    begin();
    untaken_label label = load(indexed(large, 1000, 0, 0xff), 1, large, sizeof large);
    CHECK(label == 0 && untaken_shared->pins == 1 && constraint(0)->kind == UNTAKEN_PIN);
    begin();
    label = load(indexed(large, 1, 0, 0xff), 1, large, sizeof large); /* only 256 of them can be meant, all equal */
    CHECK(label == 0 && untaken_shared->pins == 0 && untaken_shared->constraint_count == 0);
    begin();
    large[7] = 1;
    CHECK(table_of(load(indexed(large, 1, 0, 0xff), 1, large, sizeof large))->count == 256);
    begin();
    CHECK(load(indexed(large + sizeof large / 2, 4, 0, 0xff), 4, NULL, 0) == 0); /* neither known nor near a red zone */
    CHECK(untaken_shared->pins == 1);
}

static void check_objects(void) {
    static const struct untaken_global globals[] = {{words, sizeof words}, {bytes, sizeof bytes}};
    uint32_t *block = malloc(40);
    memcpy(block, words, 40);
    set_input(0, 5);
    begin();
    __untaken_register_image(NULL, NULL, globals, globals + 2);
    CHECK(table_of(load(indexed(words, 4, 0, 0xff), 4, NULL, 0))->count == 10);
    untaken_object_add(block, 40);
    uint64_t used = untaken_shared->table_bytes;
    CHECK(table_of(load(indexed(block, 4, 0, 0xff), 4, NULL, 0))->count == 10);
    CHECK(untaken_shared->table_bytes == used); /* the same contents */
    const void *start;
    uint64_t size;
    CHECK(untaken_find_object((uint8_t *)block + 39, &start, &size) && start == block && size == 40);
    CHECK(!untaken_find_object((uint8_t *)block + 40, &start, &size));
    untaken_object_add(block, 16); /* one that was found before is another now */
    CHECK(untaken_find_object(block, &start, &size) && start == block && size == 16);
    CHECK(!untaken_find_object((uint8_t *)block + 39, &start, &size));
    untaken_object_remove(block);
    CHECK(!untaken_find_object(block, &start, &size));
    untaken_object_add(bytes + 1, 3); /* within a global: the global is found first */
    CHECK(untaken_find_object(bytes + 2, &start, &size) && start == bytes && size == sizeof bytes);
    free(block);
}

#define MANY 500u

static uint32_t intern(uint64_t number) {
    const uint64_t values[] = {number, number * number};
    const uint32_t entries[] = {0, 0};
    return untaken_table_intern(32, 2, values, entries);
}

/* Tables whose slots collide, too, are forgotten, and made again in another order. */
static void check_clearing(void) {
    untaken_shared->node_count = untaken_shared->table_bytes = 0;
    begin();
    for (uint64_t i = 0; i < MANY; i++) {
        (void)intern(i);
    }
    uint64_t used = untaken_shared->table_bytes;
    CHECK(intern(0) == 0 && untaken_shared->table_bytes == used);
    untaken_shared->node_count = untaken_shared->table_bytes = 0;
    begin();
    CHECK(intern(MANY - 1) == 0 && intern(0) != 0 && intern(MANY - 1) == 0);
    for (uint64_t i = MANY; i-- > 0;) {
        (void)intern(i);
    }
    CHECK(untaken_shared->table_bytes == used && untaken_shared->cut_off == 0);
}

static untaken_label load_word(void) { return load(indexed(words, 4, 0, 0x3), 4, words, sizeof words); }

/* Runs begin with what earlier ones knew of the same places; what memory holds decides. */
static void check_next_runs(void) {
    set_input(0, 1);
    begin();
    untaken_label first = load_word();
    uint64_t used = untaken_shared->table_bytes;
    begin();
    CHECK(load_word() == first && untaken_shared->table_bytes == used);
    words[3] ^= 1;
    begin();
    untaken_label changed = load_word();
    CHECK(changed != first && untaken_shared->table_bytes > used);
    check_all(changed, 4, 4, word_at);
    words[3] ^= 1;
    begin();
    CHECK(load_word() == first);
    ask_store(&words[2], 4, term_extend(UNTAKEN_OP_ZEXT, input_byte(1), 32).label, 0);
    words[2] = untaken_state.input[1];
    CHECK(table_of(load_word()) != table_of(first));
    untaken_shared->node_count = untaken_shared->table_bytes = 0;
    begin();
    words[2] = 2;
    untaken_memory_fill(&words[2], 4, 0);
    check_all(load_word(), 4, 4, word_at);
}

static void check_store(void) {
    set_input(0, 5);
    begin();
    term address = indexed(bytes, 1, 0, 0xff);
    bytes[5] = 5;
    ask_store(bytes + 5, 1, input_byte(0).label, address.label);
    CHECK(untaken_shared->pins == 1 && untaken_memory_load(bytes + 5, 1).label == input_byte(0).label);
}

int main(void) {
    start(&usual_sizes);
    for (unsigned i = 0; i < 256; i++) {
        bytes[i] = (uint8_t)(i * 7 + 3);
        words[i % 10] = i * 1000003;
        records[i % 5].value = i * 77;
    }
    check_byte_table();
    check_word_table();
    check_records();
    check_symbolic_entries();
    check_changes();
    check_pins();
    check_objects();
    check_next_runs();
    check_store();
    check_clearing();
    return 0;
}
