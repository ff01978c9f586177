/* Leaves children in sessions of their own that never end. */
#define _GNU_SOURCE
#include <signal.h>
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    for (int i = 0; i < 100; i++) {
        if (fork() == 0) {
            setsid();
            signal(SIGTERM, SIG_IGN);
            for (;;) {
                pause();
            }
        }
    }
}
