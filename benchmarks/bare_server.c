/* A fork server and nothing else, linked into a plain program: the rate that no tool built on fork can beat.
 *
 * Before main, the constructor answers 'R' on descriptor BARE_STATUS and then, for each byte on BARE_CONTROL, forks
 * a child that goes on to main, waits for it, and answers with one byte. Without the two in the environment the
 * program runs as usual. stdin is rewound before each run. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int descriptor(const char *name)
{
    const char *value = getenv(name);
    return value ? atoi(value) : -1;
}

__attribute__((constructor)) static void serve(void)
{
    int control = descriptor("BARE_CONTROL"), status = descriptor("BARE_STATUS");
    char byte = 'R';
    if (control < 0 || status < 0)
        return;
    while (write(status, &byte, 1) == 1 && read(control, &byte, 1) == 1) {
        lseek(0, 0, SEEK_SET);
        pid_t child = fork();
        if (child < 0)
            _exit(1);
        if (child == 0) {
            close(control);
            close(status);
            unsetenv("BARE_STATUS"); /* programs that it starts serve nobody */
            return;
        }
        int result;
        if (waitpid(child, &result, 0) != child)
            _exit(1);
        byte = WIFEXITED(result) ? 'E' : 'S';
    }
    _exit(0);
}
