// checks: static locals, shadowed names, thread-local variables, volatile accesses, inner scopes
#include "collection.h"

static _Thread_local uint32_t per_thread = 5;
static volatile uint32_t device;
static int shadow = 3;

static uint32_t next(uint32_t seed)
{
    static uint32_t state = 1;
    static _Bool seeded;
    if (!seeded) {
        seeded = 1;
        state = seed;
    }
    state = state * 1664525u + 1013904223u;
    return state >> 16;
}

static int counter(int reset)
{
    static int count;
    if (reset)
        count = 0;
    return ++count;
}

static uint32_t *slot(void)
{
    static uint32_t cells[4];
    static unsigned at;
    return &cells[at++ & 3];
}

int main(void)
{
    read_input();
    for (unsigned i = 0; i < 5; i++)
        show("next", next(u32(0)));
    for (unsigned i = 4; i < 12; i++)
        counter(u8(i) > 200);
    show("counter", counter(0));
    for (unsigned i = 0; i < 6; i++)
        *slot() += u8(12 + i);
    show("slot", *slot() + *slot());
    per_thread *= u8(20);
    show("per thread", per_thread);
    device = u32(24);
    device |= 1;
    show("device", device ^ device >> 3);
    {
        int shadow = u8(28);
        {
            int shadow = s8(29);
            show("inner", shadow);
        }
        show("middle", shadow);
    }
    show("outer", shadow);
    extern char **environ;
    expect(environ != NULL);
    return finish();
}
