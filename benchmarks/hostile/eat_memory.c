/* Takes all memory that it can get, and uses it. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    for (;;) {
        char *block = malloc(1 << 24);
        if (block == NULL) {
            break;
        }
        memset(block, 1, 1 << 24);
    }
}
