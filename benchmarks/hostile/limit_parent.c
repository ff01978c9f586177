/* Sets limits of the process that runs are started by: no time, no memory, no descriptors. */
#define _GNU_SOURCE
#include <sys/resource.h>
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    static const int which[] = {RLIMIT_CPU, RLIMIT_AS, RLIMIT_NOFILE, RLIMIT_NPROC, RLIMIT_FSIZE};
    struct rlimit none = {0, 0};
    int kind = which[choice % 5];
    prlimit(getppid(), kind, &none, 0);
    prlimit(1, kind, &none, 0);
}
