/* Never ends, and does not let itself be asked to. */
#define _GNU_SOURCE
#include <signal.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    for (int i = 1; i < 65; i++) {
        signal(i, SIG_IGN);
    }
    for (;;) {
    }
}
