/* For replaying a test on the plain build: the public interfaces without anything else of the runtime, in one
 * object. The input is the file that UNTAKEN_INPUT names, and zeros after its end. */
#include "primitives.h"

#include <stdio.h>
#include <stdlib.h>

static FILE *opened_input(void) {
    static FILE *file;
    static bool tried;
    const char *path = tried ? NULL : getenv("UNTAKEN_INPUT");
    if (path != NULL) {
        file = fopen(path, "rbe");
    }
    tried = true;
    return file;
}

void untaken_fill(void *to, size_t size, unsigned kind, const char *name) {
    unsigned char *bytes = to;
    FILE *file = opened_input();
    size_t got = file == NULL ? 0 : fread(bytes, 1, size, file);
    (void)kind;
    (void)name;
    while (got < size) {
        bytes[got++] = 0;
    }
}

void untaken_fill_bool(void *to, const char *name) {
    unsigned char *byte = to;
    untaken_fill(byte, 1, 0, name);
    *byte &= 1;
}

void untaken_answer(void *self, void *value, size_t size) {
    (void)self;
    (void)value;
    (void)size;
}

void untaken_require(void *self, unsigned argument, uint64_t value) {
    (void)self;
    (void)argument;
    if (value == 0) {
        untaken_reject();
    }
}

void untaken_require_range(const void *value, size_t size, uint64_t low, uint64_t count) {
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++) {
        bits |= (uint64_t)((const unsigned char *)value)[i] << 8 * i;
    }
    uint64_t mask = size < 8 ? (1ull << 8 * size) - 1 : ~0ull;
    if (((bits - low) & mask) >= count) {
        untaken_reject();
    }
}

void untaken_keep_value(void *self, uint64_t value) {
    (void)self;
    (void)value;
}

bool untaken_has_label(void *self) {
    (void)self;
    return false;
}

bool untaken_is_replay(void) { return true; }

void untaken_reject(void) { exit(0); }

void untaken_fail(const char *message) {
    fprintf(stderr, "%s\n", message);
    abort();
}

#include "api.c"
#include "klee.c"
#include "verifier.c"
