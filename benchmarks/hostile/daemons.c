/* Leaves daemons behind, each in a session of its own and with nothing to know it by, which go on for long. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    for (int i = 0; i < 3 + choice % 5; i++) {
        if (fork() == 0) {
            setsid();
            if (fork() == 0) {
                prctl(PR_SET_NAME, "init");
                prctl(PR_SET_PDEATHSIG, 0);
                signal(SIGTERM, SIG_IGN);
                signal(SIGHUP, SIG_IGN);
                setsid();
                for (int descriptor = 0; descriptor < 3; descriptor++) {
                    close(descriptor);
                }
                sleep(1000);
            }
            _exit(0);
        }
    }
}
