/* Makes folders in folders, 3,000 deep. */
#define _GNU_SOURCE
#include <sys/stat.h>
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    for (int i = 0; i < 3000 && mkdir("deeper", 0700) == 0; i++) {
        if (chdir("deeper") != 0) {
            break;
        }
    }
}
