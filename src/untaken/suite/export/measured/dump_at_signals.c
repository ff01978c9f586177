/* Linked into programs whose coverage is measured: gcov's figures are written at exit, and a signal is none. */
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

extern void __gcov_dump(void);

static void dump(int number)
{
    __gcov_dump();
    signal(number, SIG_DFL);
    raise(number);
}

/* On a stack of its own: a program may have used up the other. */
__attribute__((constructor)) static void dump_at_signals(void)
{
    static const int fatal[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP, SIGALRM, SIGTERM};
    static char room[1 << 16];
    stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
    struct sigaction action = {.sa_handler = dump, .sa_flags = SA_ONSTACK | SA_NODEFER};
    sigaltstack(&stack, NULL);
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        sigaction(fatal[i], &action, NULL);
}
