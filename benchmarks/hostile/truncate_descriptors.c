/* Shortens and seals whatever file is behind a descriptor. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    for (int i = 0; i < 1024; i++) {
        (void)!ftruncate(i, 0);
        fcntl(i, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK);
    }
}
