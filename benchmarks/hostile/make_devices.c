/* Makes a device for the disk and writes to it. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    mknod("disk", S_IFBLK | 0600, makedev(8, 0));
    mknod("memory", S_IFCHR | 0600, makedev(1, 1));
    int disk = open("disk", O_WRONLY);
    (void)!write(disk, "hostile", 7);
}
