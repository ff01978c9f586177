/* Writes to all descriptors that there may be. */
#define _GNU_SOURCE
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    for (int i = 3; i < 1024; i++) {
        (void)!write(i, "D", 1);
    }
}
