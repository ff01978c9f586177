/* Input: one flat string of bytes, taken in order of use. Under the fork server it lies in shared memory; by
 * hand it is the file that UNTAKEN_INPUT names, and zeros after its end. */
#include "input/input.h"
#include "interfaces/primitives.h"
#include "memory/memory.h"
#include "process/process.h"
#include "tracking/tracking.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint8_t *file_bytes;
static uint64_t file_size;

void untaken_input_by_hand(const char *path) {
    struct stat status;
    int fd = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return;
    }
    if (fstat(fd, &status) == 0 && status.st_size > 0) {
        void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        file_bytes = bytes == MAP_FAILED ? NULL : bytes;
        file_size = bytes == MAP_FAILED ? 0 : (uint64_t)status.st_size;
    }
    close(fd);
}

/* The bytes of the input that are given, by the driver or by a file; past them the input is zeros, or random. */
static inline const uint8_t *given_bytes(uint64_t *size) {
    if (untaken_shared == NULL) {
        *size = file_size;
        return file_bytes;
    }
    uint64_t given = untaken_shared->input_size, capacity = untaken_shared->input.capacity;
    *size = given < capacity ? given : capacity;
    return untaken_state.input;
}

uint8_t untaken_input_value(uint64_t index) {
    uint64_t size;
    const uint8_t *bytes = given_bytes(&size);
    return index < size ? bytes[index] : 0;
}

static void copy_input(uint8_t *to, uint64_t offset, uint64_t size) {
    uint64_t all;
    const uint8_t *bytes = given_bytes(&all);
    if (offset < all && size <= all - offset) {
        copy_bytes(to, bytes + offset, size);
    } else {
        for (uint64_t i = 0; i < size; i++) {
            to[i] = untaken_input_value(offset + i);
        }
    }
}

static void describe_field(struct untaken_field field, const char *name) {
    uint64_t count = untaken_shared->field_count;
    if (count >= untaken_shared->fields.capacity) {
        untaken_note_cut_off(UNTAKEN_CUT_FIELDS);
        return;
    }
    strncpy(field.name, name == NULL ? "" : name, sizeof field.name - 1);
    untaken_state.fields[count] = field;
    __atomic_store_n(&untaken_shared->field_count, count + 1, __ATOMIC_RELEASE);
}

void untaken_input_statement(int descriptor, void *file) {
    struct untaken_state *state = &untaken_state;
    if (!state->under_way) {
        return;
    }
    if (state->inputs_left == 0) {
        untaken_shared->stop_position = untaken_position_in_input(descriptor, file);
        untaken_end_run(UNTAKEN_EXIT_INPUTS, "");
    }
    state->inputs_left--;
    if (state->wandering) {
        untaken_wander(descriptor, file);
    } else if (state->from_snapshot) {
        untaken_note_asked(descriptor, file);
    }
}

static void end_with_input(uint64_t size) {
    if (size > 0 && untaken_shared->run_flags & UNTAKEN_RUN_ENDS && untaken_state.under_way &&
        untaken_state.input_position >= untaken_shared->input_size) {
        untaken_end_run(UNTAKEN_EXIT_INPUTS, "");
    }
}

/* A run that wanders is done again to be described. */
static void note_field(struct untaken_field field, const char *name) {
    untaken_shared->input_used = untaken_state.input_position;
    if (untaken_state.wandering) {
        untaken_draw(field.offset, field.size, field.kind, name);
    } else {
        describe_field(field, name);
    }
}

uint64_t untaken_take_field(uint64_t size, enum untaken_field_kind kind, const char *name) {
    if (untaken_state.in_prologue) {
        untaken_prologue_end();
    }
    if (untaken_state.in_run) {
        end_with_input(size);
        untaken_input_statement(-1, NULL);
    } else {
        untaken_state.early_gaps |= UNTAKEN_GAP_EARLY;
    }
    uint64_t offset = untaken_state.input_position;
    untaken_state.input_position += size;
    if (untaken_state.in_run) {
        note_field((struct untaken_field){.offset = offset, .size = size, .kind = kind}, name);
    }
    return offset;
}

/* No input statement: the program asks for nothing. */
uint64_t untaken_take_fork_choice(void) {
    uint64_t offset = untaken_state.input_position++;
    note_field((struct untaken_field){.offset = offset, .size = 1, .kind = UNTAKEN_FIELD_PROCESS}, "fork");
    return offset;
}

void untaken_deliver(void *to, uint64_t offset, uint64_t size) {
    uint8_t *bytes = to;
    copy_input(bytes, offset, size);
    if (!untaken_recording) {
        return;
    }
    bool entered = runtime_enter(); /* false: the caller, a model, is inside already */
    for (uint64_t i = 0; i < size; i++) {
        untaken_memory_store(bytes + i, 1, untaken_input_node(offset + i, bytes[i]));
    }
    if (entered) {
        runtime_leave();
    }
}

/* ---- What the public interfaces are made of ---- */

void untaken_fill(void *to, size_t size, unsigned kind, const char *name) {
    untaken_deliver(to, untaken_take_field(size, kind, name), size);
}

void untaken_fill_bool(void *to, const char *name) {
    uint8_t *byte = to;
    untaken_fill(byte, 1, UNTAKEN_FIELD_BOOL, name);
    bool entered = runtime_enter();
    term bit = term_and(untaken_memory_byte(byte), term_constant(8, 1));
    *byte = (uint8_t)bit.value;
    untaken_memory_store(byte, 1, bit.label);
    if (entered) {
        runtime_leave();
    }
}

void untaken_answer(void *self, void *value, size_t size) {
    if (size <= 8 && runtime_begin()) {
        untaken_return(self, untaken_memory_load(value, (uint32_t)size).label);
        runtime_leave();
    }
    untaken_memory_clear(value, size); /* it leaves with the stack frame */
}

/* The condition as a term of width 1. */
static term asked_condition(void *self, unsigned argument, uint64_t value) {
    untaken_label labels[UNTAKEN_ARGUMENT_LABELS];
    untaken_arguments(self, labels, argument + 1);
    untaken_label label = labels[argument];
    if (label == 0) {
        return term_constant(1, value != 0);
    }
    term given = term_believed(label, node_of(label)->width, value);
    return term_binary(UNTAKEN_OP_NE, given, term_constant(given.width, 0));
}

/* One that does not hold ends the run; the search then solves for it, and it is no decision of its own. */
void untaken_require(void *self, unsigned argument, uint64_t value) {
    if (runtime_begin()) {
        untaken_decide(UNTAKEN_ASSUME, asked_condition(self, argument, value), 0);
        runtime_leave();
    }
    if (value == 0) {
        untaken_reject();
    }
}

static void decide_below(const void *value, size_t size, uint64_t low, uint64_t count) {
    term shifted = term_binary(UNTAKEN_OP_SUB, untaken_memory_load(value, (uint32_t)size),
                               term_constant((uint8_t)(8 * size), low & width_mask(8 * (unsigned)size)));
    term limit = term_constant(shifted.width, count & width_mask(shifted.width));
    term condition = term_binary(UNTAKEN_OP_ULT, shifted, limit);
    untaken_decide(UNTAKEN_ASSUME, condition, 0);
}

void untaken_require_range(const void *value, size_t size, uint64_t low, uint64_t count) {
    uint64_t bits = 0;
    memcpy(&bits, value, size);
    if (runtime_begin()) {
        decide_below(value, size, low, count);
        runtime_leave();
    }
    if (((bits - low) & width_mask(8 * (unsigned)size)) >= count) {
        untaken_reject();
    }
}

void untaken_keep_value(void *self, uint64_t value) {
    untaken_label label;
    untaken_arguments(self, &label, 1);
    if (label != 0 && runtime_begin()) {
        untaken_pin_term(term_believed(label, untaken_width(label), value));
        runtime_leave();
    }
}

bool untaken_has_label(void *self) {
    untaken_label label;
    untaken_arguments(self, &label, 1);
    return label != 0;
}

bool untaken_is_replay(void) { return untaken_shared == NULL; }

void untaken_reject(void) {
    if (untaken_state.in_run) {
        untaken_end_run(UNTAKEN_EXIT_ASSUME, "");
    }
    exit(0);
}

void untaken_fail(const char *message) {
    if (untaken_state.in_run) {
        untaken_end_run(UNTAKEN_EXIT_ERROR, message);
    }
    fprintf(stderr, "%s\n", message);
    abort();
}
