/* Six children take 650 MB each. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    for (int i = 0; i < 6; i++) {
        if (fork() == 0) {
            char *block = malloc(650u << 20);
            if (block != NULL) {
                memset(block, 1, 650u << 20);
            }
            sleep(2);
            _exit(0);
        }
    }
    while (wait(NULL) > 0) {
    }
}
