/* Calls itself until the stack is full. */
#define _GNU_SOURCE
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    volatile char frame[4096];
    frame[0] = (char)choice;
    attack(choice);
    frame[1] = frame[0];
}
