#include "harness.h"

#include <string.h>
#include <sys/mman.h>

const struct sizes usual_sizes = {
    .input = 4096, .events = 16 * UNTAKEN_EVENT_BLOCK, .constraints = 1024, .nodes = 1 << 18, .slots = 1 << 21,
    .tables = 1 << 20};

static uint64_t place(struct untaken_region *region, uint64_t offset, uint64_t capacity, uint64_t element) {
    *region = (struct untaken_region){offset, capacity};
    return (offset + capacity * element + 4095) & ~4095ull;
}

uint64_t lay_out(struct untaken_shared *shared, const struct sizes *sizes) {
    struct untaken_shared unused;
    struct untaken_shared *to = shared == NULL ? &unused : shared;
    uint64_t end = (sizeof *shared + 4095) & ~4095ull;
    end = place(&to->input, end, sizes->input, 1);
    end = place(&to->events, end, sizes->events, sizeof(uint32_t));
    end = place(&to->owners, end, sizes->events / UNTAKEN_EVENT_BLOCK, 1);
    end = place(&to->constraints, end, sizes->constraints, sizeof(struct untaken_constraint));
    end = place(&to->nodes, end, sizes->nodes, sizeof(struct untaken_node));
    end = place(&to->slots, end, sizes->slots, sizeof(uint32_t));
    end = place(&to->tables, end, sizes->tables, 1);
    end = place(&to->fields, end, 64, sizeof(struct untaken_field));
    end = place(&to->sources, end, 8, sizeof(struct untaken_source));
    end = place(&to->externals, end, 16, sizeof(struct untaken_external));
    end = place(&to->coverage, end, 4096, 1);
    to->magic = UNTAKEN_MAGIC;
    to->abi_version = UNTAKEN_ABI_VERSION;
    to->size = end;
    return end;
}

void start(const struct sizes *sizes) {
    uint64_t size = lay_out(NULL, sizes);
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED);
    struct untaken_shared *shared = memory;
    lay_out(shared, sizes);
    shared->input_size = sizes->input;
    untaken_attach(shared);
    untaken_objects_start();
    untaken_events_start();
    untaken_nodes_start();
    begin();
}

void begin(void) {
    untaken_recording = false;
    untaken_events_begin_run();
    untaken_shared->run_count++;
    untaken_shared->cut_off = 0;
    untaken_shared->constraint_count = untaken_shared->field_count = untaken_shared->input_used = 0;
    untaken_shared->new_ids = untaken_shared->pins = untaken_shared->nodes_asked = 0;
    memset(untaken_shared->concretised, 0, sizeof untaken_shared->concretised);
    untaken_state.input_position = 0;
    untaken_nodes_begin_run();
    untaken_tables_begin_run();
    untaken_events_enter_run();
    untaken_recording = true;
}

void set_input(uint64_t index, uint8_t value) { untaken_state.input[index] = value; }

term input_byte(uint64_t index) {
    uint8_t value = untaken_state.input[index];
    return (term){untaken_input_node(index, value), 8, value};
}

const struct untaken_constraint *constraint(uint64_t index) {
    CHECK(index < untaken_shared->constraint_count);
    return &untaken_state.constraints[index];
}

const struct untaken_node *node(untaken_label label) {
    CHECK(label != 0 && label < untaken_shared->node_count);
    return &untaken_state.nodes[label];
}
