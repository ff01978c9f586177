/* Stops the fork server. */
#define _GNU_SOURCE
#include <signal.h>
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    kill(getppid(), SIGSTOP);
}
