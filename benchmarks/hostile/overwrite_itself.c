/* Writes over its own program. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    int file = open("/proc/self/exe", O_WRONLY);
    (void)!write(file, "hostile", 7);
    unlink("/proc/self/exe");
}
