/* Leaves a child of another session that kills whatever it sees for a while. */
#define _GNU_SOURCE
#include <signal.h>
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    if (fork() == 0) {
        setsid();
        for (int i = 0; i < 200; i++) {
            kill(-1, SIGKILL);
            usleep(1000);
        }
        _exit(0);
    }
}
