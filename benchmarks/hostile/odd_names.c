/* Makes files whose names are no text. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    char name[8] = "x\n\xff\x01*";
    for (int i = 1; i < 40; i++) {
        name[2] = (char)(0xc0 + i);
        close(open(name, O_CREAT | O_WRONLY, 0600));
    }
}
