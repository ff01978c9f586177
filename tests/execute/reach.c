/* What a program can reach, for tests/execute/test_sandbox.py: the input's first byte says how it tries, the argument
 * what. Its exit code is the error, or 0. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>
#include <untaken.h>

static int result(long value) { return value < 0 ? errno : 0; }

static int reach_socket(int kind, const char *path) {
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    int descriptor = socket(AF_UNIX, kind, 0);
    if (descriptor < 0) {
        return errno;
    }
    strncpy(name.sun_path, path, sizeof name.sun_path - 1);
    if (kind == SOCK_DGRAM) {
        return result(sendto(descriptor, "x", 1, 0, (struct sockaddr *)&name, sizeof name));
    }
    return result(connect(descriptor, (struct sockaddr *)&name, sizeof name));
}

int main(int count, char **words) {
    const char *what = count > 1 ? words[1] : "";
    unsigned char way;
    untaken_uchar(&way);
    switch (way) {
    case 's': return reach_socket(SOCK_STREAM, what);
    case 'd': return reach_socket(SOCK_DGRAM, what);
    case 'f': return result(open(what, O_WRONLY | O_NONBLOCK));
    case 'c': return result(open(what, O_WRONLY | O_CREAT, 0600));
    case 'r': return result(open(what, O_RDONLY));
    case 'e': return getenv(what) == NULL;
    case 'n': return result(unshare(CLONE_NEWUSER));
    case 'y': return result(syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_KEYRING, 0));
    case 'k': return result(kill(atoi(what), 0));
    case 'p': return result(socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){0, 0}));
    case 't': return result(open(strcat(strcpy((char[4096]){0}, getenv("TMPDIR")), "/t"), O_WRONLY | O_CREAT, 0600));
    case 'o': return result(open("/dev/stdout", O_WRONLY));
    default: return 0;
    }
}
