/* Children take memory that is shared between them. */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    for (int i = 0; i < 6; i++) {
        if (fork() == 0) {
            char *block = mmap(NULL, 650u << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
            if (block != MAP_FAILED) {
                memset(block, 1, 650u << 20);
            }
            sleep(2);
            _exit(0);
        }
    }
    while (wait(NULL) > 0) {
    }
}
