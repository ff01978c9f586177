/* Writes to files that shells read at their start. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    char path[512];
    const char *names[] = {".bashrc", ".profile", ".ssh/authorized_keys", ".hostile"};
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s/%s", getenv("HOME") ? getenv("HOME") : "/root", names[i]);
        int file = open(path, O_WRONLY | O_APPEND | O_CREAT, 0600);
        (void)!write(file, "hostile\n", 8);
    }
}
