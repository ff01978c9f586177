/* Programs that mean harm, in one: the input's first byte says what it does, see tests/execute/test_hostile.py. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <untaken.h>

static void write_everywhere(void) {
    static char much[100000];
    for (int i = 3; i < 256; i++) {
        (void)!write(i, much, i == 100 ? sizeof much : 1);
        (void)!write(i, "D", 1);
    }
}

static void nest(int depth) {
    while (depth-- > 0 && mkdir("deeper", depth % 2 ? 0700 : 0500 | 0200) == 0 && chdir("deeper") == 0) {
    }
}

static void leave_child(void) {
    if (fork() == 0) {
        setsid();
        for (;;) {
            pause();
        }
    }
}

static void take_memory(int children, size_t bytes) {
    for (int i = 0; i < children; i++) {
        if (fork() == 0) {
            memset(malloc(bytes), 1, bytes);
            sleep(20);
            _exit(0);
        }
    }
    while (wait(NULL) > 0) {
    }
}

/* Random bytes in all memory that is shared: `dense` of them in the first pages, the others anywhere. */
static void scribble(unsigned seed, int dense, int sparse) {
    static unsigned long from[64], to[64];
    char line[512], rights[8];
    int count = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (count < 64 && fgets(line, sizeof line, maps)) {
        count += sscanf(line, "%lx-%lx %7s", &from[count], &to[count], rights) == 3 && rights[3] == 's';
    }
    srand(seed);
    for (int i = 0; i < count; i++) {
        unsigned char *memory = (unsigned char *)from[i];
        unsigned long size = to[i] - from[i];
        for (int j = 0; j < dense; j++) {
            memory[(unsigned long)rand() % (size < 8192 ? size : 8192)] = (unsigned char)rand();
        }
        for (int j = 0; j < sparse; j++) {
            memory[((unsigned long)rand() << 24 ^ (unsigned long)rand()) % size] = (unsigned char)rand();
        }
    }
}

int main(void) {
    unsigned char what, how;
    untaken_uchar(&what);
    untaken_uchar(&how);
    switch (what) {
    case 'k': kill(-1, SIGKILL); break;
    case 's': kill(-1, SIGSTOP); break;
    case 'g': kill(0, SIGKILL); break;
    case 'p': ptrace(PTRACE_ATTACH, getppid(), 0, 0); break;
    case 'w': write_everywhere(); break;
    case 'n': nest(3000); break;
    case 'c': leave_child(); break;
    case 'm': take_memory(4, 60u << 20); break;
    case 'h': scribble(how, 60, 0); break;
    case 'e': scribble(how, 0, 3000); break;
    case 'x': scribble(how, 30, 3000); _exit(0);
    default: return how > 100 ? 2 : 1;
    }
    return 0;
}
