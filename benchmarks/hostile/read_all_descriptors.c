/* Reads from all descriptors, and waits there. */
#define _GNU_SOURCE
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    char byte;
    for (int i = 3; i < 1024; i++) {
        (void)!read(i, &byte, 1);
    }
}
