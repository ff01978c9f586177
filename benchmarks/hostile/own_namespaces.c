/* Becomes root in namespaces of its own. */
#define _GNU_SOURCE
#include <sched.h>
#include <sys/mount.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET);
    mount("none", "/", NULL, MS_REMOUNT | MS_BIND, NULL);
}
