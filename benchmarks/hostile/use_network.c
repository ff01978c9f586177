/* Sends to the network and listens there. */
#define _GNU_SOURCE
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = 0x3500, .sin_addr = {0x01010101}};
    int descriptor = socket(AF_INET, SOCK_DGRAM, 0);
    if (sendto(descriptor, "x", 1, 0, (struct sockaddr *)&name, sizeof name) == 1) {
        abort();
    }
}
