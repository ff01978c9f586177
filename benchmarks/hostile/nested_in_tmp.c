/* Makes folders in folders of /tmp, 3,000 deep. */
#define _GNU_SOURCE
#include <sys/stat.h>
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    if (chdir("/tmp") == 0) {
        for (int i = 0; i < 3000 && mkdir("deeper", 0700) == 0; i++) {
            if (chdir("deeper") != 0) {
                break;
            }
        }
    }
}
