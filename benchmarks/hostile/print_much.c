/* Prints a gigabyte. */
#define _GNU_SOURCE
#include <stdio.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    static char much[1 << 16];
    for (int i = 0; i < 16384; i++) {
        if (fwrite(much, 1, sizeof much, stdout) == 0) {
            break;
        }
    }
}
