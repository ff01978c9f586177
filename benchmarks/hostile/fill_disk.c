/* Writes until nothing more is taken. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    static char much[1 << 20];
    char name[32];
    for (int i = 0; i < 400; i++) {
        snprintf(name, sizeof name, "/tmp/file-%d", i);
        int file = open(name, O_CREAT | O_WRONLY, 0600);
        for (int j = 0; j < 60 && write(file, much, sizeof much) > 0; j++) {
        }
    }
}
