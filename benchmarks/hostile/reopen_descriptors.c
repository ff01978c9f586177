/* Opens all descriptors again for reading and writing, and writes. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    char path[64];
    for (int i = 0; i < 256; i++) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", i);
        int again = open(path, O_RDWR | O_NONBLOCK);
        (void)!write(again, "rrrr", 4);
    }
}
