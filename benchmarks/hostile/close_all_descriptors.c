/* Closes all descriptors, its own and those of others. */
#define _GNU_SOURCE
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    for (int i = 0; i < 65536; i++) {
        close(i);
    }
}
