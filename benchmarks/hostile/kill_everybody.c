/* Kills every process that it can see. */
#define _GNU_SOURCE
#include <signal.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    kill(-1, SIGKILL);
}
