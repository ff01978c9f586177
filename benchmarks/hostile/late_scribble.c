/* Leaves a child of another session that writes over shared memory for a while. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
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
    for (int i = 0; i < 100; i++) {
        memory[((unsigned long)rand() << 20 ^ (unsigned long)rand()) % size] = (unsigned char)rand();
    }
}

static void attack(unsigned char choice) {
    (void)choice;
    if (fork() == 0) {
        setsid();
        for (int i = 0; i < 50; i++) {
            each_shared(scribble);
            usleep(2000);
        }
        _exit(0);
    }
}
