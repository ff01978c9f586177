/* For replaying a test on the plain build: the public interfaces without anything else of the runtime, in one
 * object. The input is the file that UNTAKEN_INPUT names, and zeros after its end; or with UNTAKEN_INPUT_ENDS set, the
 * program ends there. */
#include "interfaces/primitives.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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

/* As the runtime does it: nothing of the program's own runs any more. */
static void end_with_input(void) {
    if (getenv("UNTAKEN_INPUT_ENDS") != NULL) {
        fflush(NULL);
        _exit(0);
    }
}

void untaken_fill(void *to, size_t size, unsigned kind, const char *name) {
    unsigned char *bytes = to;
    FILE *file = opened_input();
    size_t got = file == NULL ? 0 : fread(bytes, 1, size, file);
    (void)kind;
    (void)name;
    if (got == 0 && size > 0) {
        end_with_input();
    }
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

/* ---- main, for programs that have only LLVMFuzzerTestOneInput ---- */

#define DEFAULT_CAPACITY 64u /* as in interfaces/fuzzer_main.c */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) __attribute__((weak));
int LLVMFuzzerInitialize(int *argc, char ***argv) __attribute__((weak));

/* Exactly as large as the data: reading on is a finding. */
static int run_data(const uint8_t *data, size_t size) {
    uint8_t *copy = malloc(size + (size == 0));
    if (copy == NULL) {
        abort();
    }
    for (size_t i = 0; i < size; i++) {
        copy[i] = data[i];
    }
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
    return 0;
}

static int run_stream(FILE *file) {
    uint8_t *data = NULL;
    size_t size = 0, room = 0, got = 0;
    do {
        size += got;
        room = size == room ? 2 * room + 4096 : room;
        data = realloc(data, room);
        if (data == NULL) {
            abort();
        }
        got = fread(data + size, 1, room - size, file);
    } while (got > 0);
    int result = run_data(data, size);
    free(data);
    return result;
}

static int run_input(void) {
    uint32_t size;
    uint8_t data[DEFAULT_CAPACITY];
    untaken_fill(&size, sizeof size, 0, "size");
    untaken_fill(data, sizeof data, 0, "data");
    return run_data(data, size < sizeof data ? size : sizeof data);
}

static int run_files(int count, char **paths) {
    for (int i = 0; i < count; i++) {
        FILE *file = paths[i][0] == '-' ? NULL : fopen(paths[i], "rbe"); /* options of libFuzzer mean nothing here */
        if (file != NULL) {
            run_stream(file);
            fclose(file);
        }
    }
    return 0;
}

/* Each file that is named, else what UNTAKEN_INPUT names, else stdin. */
__attribute__((weak)) int main(int argc, char **argv) {
    if (LLVMFuzzerTestOneInput == NULL) {
        fprintf(stderr, "the program has no main\n");
        return 1;
    }
    if (LLVMFuzzerInitialize != NULL) {
        LLVMFuzzerInitialize(&argc, &argv);
    }
    if (argc > 1) {
        return run_files(argc - 1, argv + 1);
    }
    return getenv("UNTAKEN_INPUT") != NULL ? run_input() : run_stream(stdin);
}

#include "interfaces/untaken.c"
#include "interfaces/crest.c"
#include "interfaces/klee.c"
#include "interfaces/verifier.c"
