/* Tries to reach things outside: `reach_out FOLDER PROCESS`, with a file, a socket, a datagram socket and a FIFO in the
 * folder, and a process of the same user. benchmarks/soaking/canaries.py looks whether they were reached. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <untaken.h>

static struct sockaddr_un named(const char *name) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, name, sizeof address.sun_path - 1);
    return address;
}

static void reach(unsigned char way, int process) {
    struct sockaddr_un stream = named("socket"), datagram = named("datagram");
    int pair[2];
    switch (way) {
    case 1: if (write(open("file", O_WRONLY | O_APPEND), "x", 1)) {} break;
    case 2: if (truncate("file", 0)) {} break;
    case 3: open("file", O_RDONLY | O_TRUNC); break;
    case 4: chmod("file", 0777); break;
    case 5: utimensat(AT_FDCWD, "file", NULL, 0); break;
    case 6: unlink("file"); break;
    case 7: open("made", O_CREAT | O_WRONLY, 0600); break;
    case 8: connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&stream, sizeof stream); break;
    case 9: sendto(socket(AF_UNIX, SOCK_DGRAM, 0), "x", 1, 0, (struct sockaddr *)&datagram, sizeof datagram); break;
    case 10:
        if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0) {
            sendto(pair[0], "x", 1, 0, (struct sockaddr *)&datagram, sizeof datagram);
        }
        break;
    case 11: if (write(open("fifo", O_WRONLY | O_NONBLOCK), "x", 1)) {} break;
    case 12: kill(process, SIGKILL); break;
    case 13: prlimit(process, RLIMIT_NOFILE, &(struct rlimit){3, 3}, NULL); break;
    default: break;
    }
}

int main(int count, char **words) {
    unsigned char way;
    untaken_uchar(&way);
    for (int each = 1; each < 14 && count == 3 && chdir(words[1]) == 0; each++) {
        reach((unsigned char)each, atoi(words[2]));
    }
    return way < 14;
}
