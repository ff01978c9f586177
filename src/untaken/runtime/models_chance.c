/* Models of what draws real random numbers: in a run they are the same for the same input, as the clock is. */
#define _GNU_SOURCE
#include "models_clock.h"

#include <sys/random.h>
#include <unistd.h>

/* Not in every C library; where the program calls them, they are there. */
extern uint32_t arc4random(void) __attribute__((weak));
extern void arc4random_buf(void *, size_t) __attribute__((weak));
extern uint32_t arc4random_uniform(uint32_t) __attribute__((weak));

static uint64_t drawn; /* so far; a run is a process of its own */

static uint64_t draw(void) {
    uint64_t mixed = __atomic_add_fetch(&drawn, 0x9e3779b97f4a7c15ull, __ATOMIC_RELAXED);
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9ull;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebull;
    return mixed ^ mixed >> 31;
}

static void fill(void *to, size_t size) {
    uint8_t *bytes = to;
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)draw();
    }
    if (untaken_recording && untaken_enter()) {
        untaken_memory_clear(to, size);
        untaken_leave();
    }
}

ssize_t untaken_model_getrandom(void *to, size_t size, unsigned flags) {
    if (!clock_is_ours())
        return getrandom(to, size, flags);
    fill(to, size);
    return (ssize_t)size;
}

int untaken_model_getentropy(void *to, size_t size) {
    if (!clock_is_ours() || size > 256)
        return getentropy(to, size);
    fill(to, size);
    return 0;
}

void untaken_model_arc4random_buf(void *to, size_t size) {
    if (!clock_is_ours())
        arc4random_buf(to, size);
    else
        fill(to, size);
}

uint32_t untaken_model_arc4random(void) { return clock_is_ours() ? (uint32_t)draw() : arc4random(); }

uint32_t untaken_model_arc4random_uniform(uint32_t bound) {
    if (!clock_is_ours())
        return arc4random_uniform(bound);
    return bound < 2 ? 0 : (uint32_t)(draw() % bound);
}
