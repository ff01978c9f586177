/* Raises the limit of core dumps, and crashes with much memory. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    struct rlimit limit;
    getrlimit(RLIMIT_CORE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_CORE, &limit);
    char *block = malloc(200u << 20);
    if (block) {
        memset(block, choice, 200u << 20);
    }
    if (choice & 1) {
        raise(SIGQUIT);
    }
    if (fork() == 0) {
        abort();
    }
    wait(NULL);
}
