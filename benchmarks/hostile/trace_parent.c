/* Attaches to the fork server as a debugger. */
#define _GNU_SOURCE
#include <sys/ptrace.h>
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    ptrace(PTRACE_ATTACH, getppid(), 0, 0);
}
