/* Random inputs, drawn by the program's own process where it asks for them (hybrid search). What is drawn goes into
 * the input in shared memory, so that the run can be done again. */
#include "input/input.h"
#include "input/random.h"
#include "memory/memory.h"
#include "process/process.h"

#include <string.h>

#define FIRST_PRINTABLE 32
#define PRINTABLES 96 /* blank to tilde, and the end of a line */

static struct untaken_random source;

void untaken_random_seed(uint64_t seed) { source.state = seed; }

static const struct untaken_bias *bias_of(const char *name) {
    const char *base = (const char *)untaken_shared + untaken_shared->biases.offset;
    const struct untaken_bias *biases = (const struct untaken_bias *)(const void *)base;
    for (uint64_t i = 0; name != NULL && i < untaken_shared->bias_count; i++) {
        if (strncmp(biases[i].name, name, sizeof biases[i].name - 1) == 0) {
            return &biases[i];
        }
    }
    return NULL;
}

static uint64_t biased(const struct untaken_bias *bias) {
    if (bias->count > 0) {
        return (uint64_t)bias->values[random_below(&source, bias->count)];
    }
    uint64_t count = (uint64_t)bias->high - (uint64_t)bias->low + 1;
    return (uint64_t)bias->low + (count == 0 ? next_random(&source) : random_below(&source, count));
}

/* An object given as bytes is a number if it has the size of one. */
static bool is_text(enum untaken_field_kind kind, uint64_t size) {
    bool number = size == 1 || size == 2 || size == 4 || size == 8;
    return (kind == UNTAKEN_FIELD_BYTES && !number) || kind == UNTAKEN_FIELD_CHARACTER || kind == UNTAKEN_FIELD_ARGUMENT ||
           kind == UNTAKEN_FIELD_STDIN || kind == UNTAKEN_FIELD_FILE;
}

static uint8_t random_character(const struct untaken_bias *bias) {
    if (bias != NULL) {
        return (uint8_t)biased(bias);
    }
    uint64_t chosen = random_below(&source, PRINTABLES);
    return chosen == PRINTABLES - 1 ? '\n' : (uint8_t)(FIRST_PRINTABLE + chosen);
}

static void fill_text(uint8_t *to, uint64_t size, const struct untaken_bias *bias) {
    for (uint64_t i = 0; i < size; i++) {
        to[i] = random_character(bias);
    }
}

static void fill_uniform(uint8_t *to, uint64_t size) {
    for (; size >= sizeof(uint64_t); to += sizeof(uint64_t), size -= sizeof(uint64_t)) {
        uint64_t random = next_random(&source);
        memcpy(to, &random, sizeof random);
    }
    if (size > 0) {
        uint64_t random = next_random(&source);
        copy_bytes(to, &random, size);
    }
}

static void fill_number(uint8_t *to, uint64_t size, const struct untaken_bias *bias) {
    uint64_t value = biased(bias);
    memset(to, (int64_t)value < 0 ? 0xff : 0, size);
    memcpy(to, &value, size < sizeof value ? size : sizeof value);
}

static void fill(uint8_t *to, uint64_t size, enum untaken_field_kind kind, const char *name) {
    const struct untaken_bias *bias = untaken_shared->bias_count == 0 ? NULL : bias_of(name);
    if (kind == UNTAKEN_FIELD_LENGTH) {
        memset(to, 0xff, size); /* all of the stream */
    } else if (kind == UNTAKEN_FIELD_PROCESS) {
        memset(to, 0, size); /* the parent */
    } else if (is_text(kind, size) && (bias != NULL || untaken_shared->run_flags & UNTAKEN_RUN_PRINTABLE)) {
        fill_text(to, size, bias);
    } else if (bias != NULL) {
        fill_number(to, size, bias);
    } else {
        fill_uniform(to, size);
    }
}

/* A field that was given in part is left as it is, with random bytes after. */
void untaken_draw(uint64_t offset, uint64_t size, enum untaken_field_kind kind, const char *name) {
    uint64_t given = untaken_shared->input_size, end = offset + size;
    if (end > untaken_shared->input.capacity) {
        untaken_end_run(UNTAKEN_EXIT_INPUTS, ""); /* what cannot be written down cannot be done again */
    }
    if (given < end) {
        uint64_t start = given > offset ? given : offset;
        fill(untaken_state.input + start, end - start, kind, name);
        untaken_shared->input_size = end;
    }
}
