/* Makes ten thousand files. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    char name[32];
    for (int i = 0; i < 10000; i++) {
        snprintf(name, sizeof name, "file-%d", i);
        close(open(name, O_CREAT | O_WRONLY, 0600));
    }
}
