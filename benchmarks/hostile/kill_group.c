/* Kills its own group of processes. */
#define _GNU_SOURCE
#include <signal.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    kill(0, SIGKILL);
}
