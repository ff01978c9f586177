/* A program with nothing but libFuzzer's entry. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    printf("%zu:%.*s\n", size, (int)size, (const char *)data);
    return 0;
}
