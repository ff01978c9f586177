/* Memory that belongs to no process: files without a name, filled, in many processes. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "hostile.h"

static char block[1 << 20];

static void fill(void) {
    for (int i = 0; i < 200; i++) {
        int file = memfd_create("hidden", 0);
        for (int j = 0; file >= 0 && j < 60 && write(file, block, sizeof block) > 0; j++) {
        }
    }
}

static void attack(unsigned char choice) {
    for (int i = 0; i < choice % 4; i++) {
        if (fork() == 0) {
            fill();
            _exit(0);
        }
    }
    fill();
    while (wait(NULL) > 0) {
    }
}
