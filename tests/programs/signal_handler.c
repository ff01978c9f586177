// checks: signal handlers that touch instrumented data, raised at places that the input chooses
#include "collection.h"
#include <signal.h>

static volatile sig_atomic_t caught;
static volatile uint32_t last;

static uint32_t scramble(uint32_t value) { return (value ^ 0x5bd1e995u) * 9; }

static void on_user(int number)
{
    caught += number == SIGUSR1 ? 1 : 100;
    last = scramble(last + u8(40));
}

static void with_info(int number, siginfo_t *info, void *context)
{
    (void)context;
    caught += info->si_signo == number ? 1000 : 0;
    last ^= u32(44);
}

int main(void)
{
    read_input();
    struct sigaction action = {.sa_handler = on_user}, detailed = {.sa_sigaction = with_info, .sa_flags = SA_SIGINFO};
    sigaction(SIGUSR1, &action, NULL);
    signal(SIGUSR2, on_user);
    sigaction(SIGTERM, &detailed, NULL);
    uint32_t state = 1;
    for (unsigned i = 0; i < 16; i++) {
        state = scramble(state) + u8(i);
        if (u8(i) & 1)
            raise(SIGUSR1);
        else if (u8(i) & 2)
            raise(SIGTERM);
    }
    show("caught", caught);
    show("last", last);
    show("state", state);
    return finish();
}
