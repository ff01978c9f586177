/* main for programs that have only LLVMFuzzerTestOneInput. Its input is the declared stdin if there is one, else
 * up to 64 bytes; how many there are is a field, too. By hand, each file named as an argument is run once. */
#include "input/input.h"
#include "memory/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_CAPACITY 64u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv) __attribute__((weak));

/* What stdin's stream would be, had it been declared. */
static struct untaken_stream default_input(void) {
    struct untaken_stream input = {.capacity = DEFAULT_CAPACITY};
    uint8_t bytes[4];
    untaken_deliver(bytes, untaken_take_field(sizeof bytes, UNTAKEN_FIELD_LENGTH, "size"), sizeof bytes);
    input.offset = untaken_take_field(DEFAULT_CAPACITY, UNTAKEN_FIELD_BYTES, "data");
    bool entered = runtime_enter();
    term length = term_extend(UNTAKEN_OP_ZEXT, untaken_memory_load(bytes, sizeof bytes), 64);
    input.size_term = term_binary(UNTAKEN_OP_UMIN, length, term_constant(64, DEFAULT_CAPACITY));
    untaken_memory_clear(bytes, sizeof bytes);
    if (entered) {
        runtime_leave();
    }
    input.size = input.size_term.value;
    return input;
}

/* The size goes to the function as if instrumented code had called it. */
static void run_input(const struct untaken_stream *input) {
    uint8_t *data = malloc(input->size + (input->size == 0)); /* exactly as large: reading on is a finding */
    if (data == NULL) {
        abort();
    }
    untaken_object_add(data, input->size);
    untaken_deliver(data, input->offset, input->size);
    if (input->size_term.label != 0) {
        __untaken_arguments[0] = 0;
        __untaken_arguments[1] = input->size_term.label;
        __untaken_callee = (void *)LLVMFuzzerTestOneInput;
    }
    LLVMFuzzerTestOneInput(data, input->size);
    untaken_object_remove(data);
    free(data);
}

static int run_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        perror(path);
        return 1;
    }
    size_t size = (size_t)ftell(file);
    rewind(file);
    uint8_t *data = malloc(size + (size == 0));
    if (data == NULL || fread(data, 1, size, file) != size) {
        perror(path);
        return 1;
    }
    fclose(file);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 0;
}

static int run_files(int count, char **paths) {
    int failures = 0;
    for (int i = 0; i < count; i++) {
        if (paths[i][0] != '-') { /* options of libFuzzer mean nothing here */
            failures |= run_file(paths[i]);
        }
    }
    return failures;
}

int main(int argc, char **argv) {
    if (LLVMFuzzerInitialize != NULL) {
        LLVMFuzzerInitialize(&argc, &argv);
    }
    if (untaken_shared == NULL && argc > 1) {
        return run_files(argc - 1, argv + 1);
    }
    const struct untaken_stream *declared = untaken_stream_of_fd(0);
    struct untaken_stream input = declared != NULL ? *declared : default_input();
    run_input(&input);
    return 0;
}
