/* Locks whatever it can open, which needs no right to write, and keeps the locks: the campaign's own files, too. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <ftw.h>
#include <sys/file.h>
#include <unistd.h>
#include "hostile.h"

static int lock(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status;
    (void)place;
    int file = kind == FTW_F ? open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
    struct flock all = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    if (file >= 0) {
        flock(file, LOCK_EX | LOCK_NB);
        fcntl(file, F_SETLK, &all);
        fcntl(file, F_SETLEASE, F_RDLCK);
    }
    return 0;
}

static void attack(unsigned char choice) {
    (void)choice;
    nftw("..", lock, 20, FTW_PHYS);
    nftw("/var/tmp", lock, 20, FTW_PHYS);
    sleep(2);
}
