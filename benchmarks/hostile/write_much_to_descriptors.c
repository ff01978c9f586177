/* Writes to all descriptors, far more than a pipe holds. */
#define _GNU_SOURCE
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    static char much[1 << 20];
    for (int i = 3; i < 128; i++) {
        (void)!write(i, much, sizeof much);
    }
}
