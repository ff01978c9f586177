/* After a run, if the driver wants it: for each constraint a hash of what it decides on and of the last events before
 * it.
 *
 * Searches that tell decisions apart by what led to them look thousands of times at each path; most of what they
 * find was there before, and is known by this hash. search/contexts/recent_events.py computes the same, more slowly. */
#include "trace/trace.h"

#include <string.h>

#define MULTIPLIER 0x9e3779b97f4a7c15ull
#define PAIRS (UNTAKEN_WINDOW_EVENTS / 2)

/* A branch by its id; a decision inside a library, which has none, by the event before it. */
static uint64_t place_of(const struct untaken_constraint *constraint, uint64_t end) {
    if (constraint->kind == UNTAKEN_BRANCH) {
        return constraint->id;
    }
    const uint32_t *events = untaken_state.events; /* the first one is 0 if there are none */
    return untaken_shared->id_count + events[end == 0 ? 0 : end - 1];
}

/* A window that would begin before the path begins with it, and how much of it counts is part of the hash. */
static uint64_t window_of(const struct untaken_constraint *constraint, uint64_t count) {
    uint64_t end = constraint->position < count ? constraint->position : count;
    uint64_t start = end < UNTAKEN_WINDOW_EVENTS ? 0 : end - UNTAKEN_WINDOW_EVENTS;
    uint64_t hash = place_of(constraint, end) * (UNTAKEN_WINDOW_EVENTS + 1) + (end - start);
    for (unsigned i = 0; i < PAIRS; i++) {
        uint64_t pair;
        memcpy(&pair, untaken_state.events + start + 2 * i, sizeof pair);
        hash *= MULTIPLIER;
        hash ^= hash >> 32;
        hash += pair;
    }
    return hash * MULTIPLIER;
}

void untaken_hash_windows(void) {
    uint64_t total = untaken_constraint_total(), count = untaken_shared->event_count;
    for (uint64_t i = 0; i < total; i++) {
        untaken_state.windows[i] = window_of(&untaken_state.constraints[i], count);
    }
}
