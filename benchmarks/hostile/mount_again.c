/* Mounts the file system again, to be written to. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    unshare(CLONE_NEWNS);
    mount("none", "/", NULL, MS_REMOUNT | MS_BIND, NULL);
    mount("tmpfs", "/usr", "tmpfs", 0, NULL);
    umount2("/run", MNT_DETACH);
    close(open("/etc/hostile", O_CREAT | O_WRONLY, 0600));
}
