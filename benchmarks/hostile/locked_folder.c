/* Makes a folder that nobody may enter, with something in it. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    mkdir("locked", 0700);
    close(open("locked/file", O_CREAT | O_WRONLY, 0600));
    chmod("locked", 0);
}
