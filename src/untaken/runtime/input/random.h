/* Random numbers, the same for the same seed on every machine. */
#ifndef UNTAKEN_INPUT_RANDOM_H
#define UNTAKEN_INPUT_RANDOM_H

#include <stdint.h>

struct untaken_random {
    uint64_t state; /* any is a good one */
};

/* splitmix64: a counter whose bits are mixed. */
static inline uint64_t next_random(struct untaken_random *random) {
    uint64_t x = random->state += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

/* From 0 to count - 1. */
static inline uint64_t random_below(struct untaken_random *random, uint64_t count) {
    return (uint64_t)(((unsigned __int128)next_random(random) * count) >> 64);
}

#endif
