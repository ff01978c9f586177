/* Connects to the sockets of the system's services. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    const char *names[] = {"/run/docker.sock", "/run/dbus/system_bus_socket", "/var/run/nscd/socket", "/run/systemd/notify"};
    for (int i = 0; i < 4; i++) {
        struct sockaddr_un name = {.sun_family = AF_UNIX};
        snprintf(name.sun_path, sizeof name.sun_path, "%s", names[i]);
        if (connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&name, sizeof name) == 0) {
            abort();
        }
    }
}
