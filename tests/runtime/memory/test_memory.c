/* Labels of memory: what is stored comes back, in whatever pieces; what others wrote does not count. */
#include "harness.h"
#include "expressions/nodes.h"
#include "steps.h"
#include "reference.h"

#include <string.h>

static uint64_t random_state = 1234567890123ull;

static unsigned below(unsigned limit) {
    random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(random_state >> 33) % limit;
}

static _Alignas(64) uint8_t memory[256], shifted[320];

static term word(unsigned bytes) {
    term result = input_byte(0);
    for (unsigned i = 1; i < bytes; i++) {
        result = term_concat(input_byte(i), result);
    }
    return result;
}

static void store(void *to, term value) {
    memcpy(to, &value.value, value.width / 8u);
    untaken_memory_store(to, value.width / 8u, value.label);
}

static void check_whole(void) {
    begin();
    term four = word(4);
    store(memory + 60, four); /* across two lines */
    uint64_t nodes = untaken_shared->node_count;
    CHECK(untaken_memory_load(memory + 60, 4).label == four.label);
    CHECK(untaken_shared->node_count == nodes);
    CHECK(untaken_memory_load(memory + 61, 1).label == input_byte(1).label);
    CHECK(untaken_memory_load(memory + 58, 2).label == 0);
    term mixed = untaken_memory_load(memory + 58, 4);
    CHECK(mixed.width == 32 && node(mixed.label)->width == 32);
    term sum = term_binary(UNTAKEN_OP_ADD, four, term_constant(32, 1));
    store(memory + 8, sum);
    CHECK(node(untaken_memory_load(memory + 9, 2).label)->op == UNTAKEN_OP_EXTRACT);
    store(memory + 24, term_extract(sum, 16, 16));
    untaken_memory_copy(memory + 22, memory + 8, 2);
    memcpy(memory + 22, memory + 8, 2);
    CHECK(untaken_memory_load(memory + 22, 4).label == sum.label); /* taken apart and put together */
    untaken_memory_clear(memory, sizeof memory);
    CHECK(!untaken_memory_symbolic(memory, sizeof memory));
}

/* A bit or five of them are stored in a whole byte. */
static void check_narrow(void) {
    begin();
    term bit = term_extract(input_byte(0), 3, 1);
    memory[3] = (uint8_t)bit.value;
    ask_store(memory + 3, 1, bit.label, 0);
    term back = untaken_memory_load(memory + 3, 1);
    CHECK(back.width == 8 && node(back.label)->op == UNTAKEN_OP_ZEXT && node(back.label)->a == bit.label);
    ask_store(memory + 3, 1, 0, 0);
    CHECK(untaken_memory_load(memory + 3, 1).label == 0);
}

static void check_overwritten(void) {
    begin();
    term four = word(4);
    store(memory, four);
    memory[2] ^= 0x55; /* behind our back */
    term seen = untaken_memory_load(memory, 4);
    CHECK(untaken_shared->concretised[UNTAKEN_BY_OVERWRITE] == 1);
    CHECK(seen.label != 0 && seen.value == (four.value ^ 0x550000));
    CHECK(untaken_memory_load(memory + 2, 1).label == 0);
    memory[2] ^= 0x55; /* the label is gone for good */
    CHECK(untaken_memory_load(memory, 4).label != four.label);
    CHECK(untaken_shared->concretised[UNTAKEN_BY_OVERWRITE] == 1);
    untaken_memory_clear(memory, sizeof memory);
}

static void check_fill_and_wide(void) {
    begin();
    term byte = input_byte(5);
    memset(memory + 10, (int)byte.value, 100);
    __untaken_filled(memory + 10, 100, byte.label, 0);
    CHECK(untaken_memory_load(memory + 109, 1).label == byte.label && untaken_memory_load(memory + 110, 1).label == 0);
    CHECK(ask_load(memory + 16, 16, 0, NULL, 0) == 0);
    CHECK(untaken_shared->concretised[UNTAKEN_BY_WIDE] == 1);
    __untaken_filled(memory, 200, 0, 0);
    CHECK(!untaken_memory_symbolic(memory, 256));
    term size = term_extend(UNTAKEN_OP_ZEXT, byte, 64);
    __untaken_copied(memory, shifted, byte.value, size.label);
    CHECK(untaken_shared->pins == 1 && constraint(0)->kind == UNTAKEN_PIN && constraint(0)->taken == 1);
}

/* Random stores, copies and overwrites against a plain array of expected bytes: every load evaluates, for the
 * input of this run, to what is in memory, and has a label wherever a byte has one. */
static uint64_t node_values[1 << 16];

static void check_load(bool *symbolic, unsigned at, unsigned size) {
    term loaded = untaken_memory_load(shifted + at, size);
    uint64_t value = 0;
    bool any = false;
    memcpy(&value, shifted + at, size);
    for (unsigned i = 0; i < size; i++) {
        any = any || symbolic[at + i];
    }
    CHECK(loaded.value == value && (loaded.label != 0) == any);
    if (loaded.label != 0) {
        reference_nodes(untaken_state.input, node_values);
        CHECK(node_values[loaded.label] == value && node(loaded.label)->width == 8 * size);
    }
}

static void random_step(bool *symbolic) {
    unsigned size = 1 + below(8), at = below(sizeof shifted - 64), length = below(64), to = below(sizeof shifted - 64);
    switch (below(4)) {
    case 0: {
        term value = word(size);
        value = term_binary(UNTAKEN_OP_ADD, value, term_constant(value.width, below(2) * 77));
        store(shifted + at, value);
        memset(symbolic + at, 1, size);
        break;
    }
    case 1:
        memset(shifted + at, (int)below(256), size);
        ask_store(shifted + at, size, 0, 0);
        memset(symbolic + at, 0, size);
        break;
    case 2:
        memmove(shifted + to, shifted + at, length);
        memmove(symbolic + to, symbolic + at, length);
        __untaken_copied(shifted + to, shifted + at, length, 0);
        break;
    default: check_load(symbolic, at, size); break;
    }
}

static void check_random(void) {
    for (unsigned round = 0; round < 60; round++) {
        bool symbolic[sizeof shifted] = {false};
        untaken_shared->node_count = 0;
        for (unsigned i = 0; i < 8; i++) {
            set_input(i, (uint8_t)below(256));
        }
        begin();
        untaken_memory_clear(shifted, sizeof shifted);
        for (unsigned i = 0; i < 200; i++) {
            random_step(symbolic);
        }
        for (unsigned i = 0; i < sizeof shifted; i++) {
            check_load(symbolic, i, 1);
        }
        CHECK(untaken_shared->concretised[UNTAKEN_BY_OVERWRITE] == 0);
    }
}

/* Full tables: the run goes on, and says so. */
static void check_full(void) {
    untaken_shared->node_count = 0;
    begin();
    uint64_t limit = untaken_state.node_limit;
    untaken_state.node_limit = 10;
    term sum = input_byte(0);
    for (unsigned i = 0; i < 20; i++) {
        sum = term_binary(UNTAKEN_OP_MUL, sum, input_byte(i));
    }
    CHECK(sum.label == 0 && untaken_shared->cut_off == UNTAKEN_CUT_NODES && untaken_shared->node_count == 10);
    untaken_state.node_limit = limit;
}

/* Takes the last node, a stray, out of the index: as if its run was killed just before it was put there. */
static void forget_last_stray(void) {
    unsigned found = 0;
    for (uint64_t slot = 0; slot <= untaken_state.table_mask; slot++) {
        if (untaken_state.table[slot] == untaken_shared->node_count - 1) {
            untaken_state.table[slot] = 0;
            found++;
        }
    }
    CHECK(found == 1);
}

/* The same, of the youngest child of a node. */
static void forget_last_child(untaken_label parent) {
    struct untaken_links *links = untaken_state.links;
    CHECK(links[parent].child == untaken_shared->node_count - 1);
    links[parent].child = links[links[parent].child].elder;
}

/* Growing from the smallest hash table to the largest keeps all nodes findable, in this run and the next. */
static void check_growth(void) {
    static untaken_label labels[100000];
    untaken_shared->node_count = 0;
    begin();
    for (unsigned i = 0; i < 100000; i++) {
        labels[i] = untaken_constant(32, i * 2654435761u);
        CHECK(labels[i] != 0);
    }
    uint64_t count = untaken_shared->node_count;
    forget_last_stray();
    begin();
    for (unsigned i = 0; i < 100000; i++) {
        CHECK(untaken_constant(32, i * 2654435761u) == labels[i]);
    }
    CHECK(untaken_shared->node_count == count);
}

#define CHILDREN 40u

/* More nodes on one operand than its list holds; the fork server is started anew, and a run is killed. */
static void check_children(void) {
    untaken_label labels[CHILDREN];
    untaken_shared->node_count = 0;
    begin();
    term operand = input_byte(0), other = input_byte(1);
    for (unsigned i = 0; i < CHILDREN; i++) {
        labels[i] = term_binary(UNTAKEN_OP_MUL, operand, term_constant(8, i + 2)).label;
    }
    untaken_label last = term_binary(UNTAKEN_OP_MUL, operand, other).label;
    uint64_t count = untaken_shared->node_count;
    for (unsigned round = 0; round < 3; round++) {
        if (round == 1) {
            untaken_nodes_start();
        } else if (round == 2) {
            forget_last_child(other.label);
        }
        begin();
        for (unsigned i = 0; i < CHILDREN; i++) {
            CHECK(term_binary(UNTAKEN_OP_MUL, operand, term_constant(8, i + 2)).label == labels[i]);
        }
        CHECK(term_binary(UNTAKEN_OP_MUL, operand, other).label == last);
        CHECK(untaken_shared->node_count == count);
    }
}

int main(void) {
    start(&usual_sizes);
    for (unsigned i = 0; i < 8; i++) {
        set_input(i, (uint8_t)(0x11 * (i + 1)));
    }
    check_whole();
    check_narrow();
    check_overwritten();
    check_fill_and_wide();
    check_random();
    check_full();
    check_growth();
    check_children();
    return 0;
}
