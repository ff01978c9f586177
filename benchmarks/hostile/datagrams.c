/* Sends to others' sockets without connecting: through one of a pair, and by families that no namespace holds. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    static const char *places[] = {"/dev/log", "/run/systemd/notify", "/run/systemd/journal/socket", "/var/tmp/socket"};
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    int pair[2] = {-1, -1};
    socketpair(AF_UNIX, SOCK_DGRAM, 0, pair);
    strcpy(name.sun_path, places[choice % 4]);
    sendto(pair[0], "READY=1\n", 8, 0, (struct sockaddr *)&name, sizeof name);
    for (int family = 0; family < 46; family++) {
        for (int kind = 1; kind < 6; kind++) {
            int socketed = socket(family, kind, 0);
            send(socketed, "x", 1, 0);
            close(socketed);
        }
    }
}
