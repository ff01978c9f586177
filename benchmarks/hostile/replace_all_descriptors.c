/* Puts a file of its own in the place of all descriptors. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    int file = open("replaced", O_RDWR | O_CREAT, 0600);
    for (int i = 0; i < 1024; i++) {
        dup2(file, i);
    }
    (void)!write(5, "D", 1);
}
