/* Writes random bytes over the beginning of all shared memory. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include "hostile.h"

/* Calls a function for each part of memory that is shared with somebody. */
static void each_shared(void (*act)(unsigned char *, unsigned long)) {
    static char line[512];
    unsigned long from[64], to[64];
    int count = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && count < 64 && fgets(line, sizeof line, maps)) {
        char rights[8];
        if (sscanf(line, "%lx-%lx %7s", &from[count], &to[count], rights) == 3 && rights[3] == 's') {
            count++;
        }
    }
    for (int i = 0; i < count; i++) {
        act((unsigned char *)from[i], to[i] - from[i]);
    }
}

static void scribble(unsigned char *memory, unsigned long size) {
    for (int i = 0; i < 64; i++) {
        memory[(unsigned long)rand() % (size < 8192 ? size : 8192)] = (unsigned char)rand();
    }
}

static void attack(unsigned char choice) {
    (void)choice;
    srand(choice);
    each_shared(scribble);
}
