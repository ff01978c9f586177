/* Makes all descriptors non-blocking and asynchronous. */
#define _GNU_SOURCE
#include <fcntl.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    for (int i = 0; i < 1024; i++) {
        fcntl(i, F_SETFL, O_NONBLOCK | O_ASYNC | O_APPEND);
    }
}
