/* Opens files until no descriptor is left. */
#define _GNU_SOURCE
#include <fcntl.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    while (open("/dev/null", O_RDONLY) >= 0) {
    }
}
