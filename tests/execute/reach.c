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
#include <sys/inotify.h>
#include <sys/resource.h>
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

static int reach_from_pair(const char *path) {
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair)) {
        return errno;
    }
    strncpy(name.sun_path, path, sizeof name.sun_path - 1);
    return result(sendto(pair[0], "x", 1, 0, (struct sockaddr *)&name, sizeof name));
}

static int core_limit(void) {
    struct rlimit limit;
    getrlimit(RLIMIT_CORE, &limit);
    return limit.rlim_max > 100 ? 100 : (int)limit.rlim_max;
}

static int watches(void) {
    int found = 0;
    while (found < 100 && inotify_init() >= 0) {
        found++;
    }
    return found;
}

int main(int count, char **words) {
    const char *what = count > 1 ? words[1] : "";
    unsigned char way;
    untaken_uchar(&way);
    switch (way) {
    case 's': return reach_socket(SOCK_STREAM, what);
    case 'd': return reach_socket(SOCK_DGRAM, what);
    case 'D': return reach_from_pair(what);
    case 'v': return result(socket(AF_VSOCK, SOCK_STREAM, 0));
    case 'l': return result(prlimit(1, RLIMIT_CPU, &(struct rlimit){1, 1}, NULL));
    case 'C': return core_limit();
    case 'i': return watches();
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
