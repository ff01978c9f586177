/* Images, and what their events mean: turns addresses into ids, marks coverage, finds call depths. */
#include "core.h"

#include <string.h>

#define LARGEST_IMAGE_COUNT 256u
#define DEEPEST 65535u

struct image {
    const uint8_t *ids;
    uint64_t size;
    uint64_t first_id;
};
static struct image images[LARGEST_IMAGE_COUNT]; /* the executable first */
static unsigned image_count;
static uint64_t id_count;

static bool is_registered(const uint8_t *ids) {
    for (unsigned i = 0; i < image_count; i++) {
        if (images[i].ids == ids) {
            return true;
        }
    }
    return false;
}

void __untaken_register_image(const uint8_t *ids, const uint8_t *ids_end, const struct untaken_global *globals,
                              const struct untaken_global *globals_end) {
    if (untaken_startup == NULL || is_registered(ids)) {
        return;
    }
    untaken_globals_add(globals, globals_end);
    /* What is loaded in the middle of a run has no ids: the driver knows of no such branches. */
    if (ids == ids_end || image_count == LARGEST_IMAGE_COUNT || untaken_core.in_run) {
        return;
    }
    uint64_t size = (uint64_t)(ids_end - ids);
    images[image_count++] = (struct image){ids, size, id_count};
    id_count += size;
    if (untaken_shared != NULL) {
        untaken_shared->id_count = id_count;
    }
}

/* Numbers the images before the first run: the executable first, then the others by their digests, so that the
 * driver need not know in which order the loader took them. */
void untaken_images_settle(const uint8_t *executable) {
    unsigned others = image_count > 0 && images[0].ids == executable ? 1 : 0;
    for (unsigned end = others + 1; end < image_count; end++) {
        struct image moved = images[end];
        unsigned at = end;
        for (; at > others && memcmp(images[at - 1].ids, moved.ids, UNTAKEN_DIGEST_SIZE) > 0; at--) {
            images[at] = images[at - 1];
        }
        images[at] = moved;
    }
    uint64_t first = 0;
    for (unsigned i = 0; i < image_count; i++) {
        images[i].first_id = first;
        first += images[i].size;
    }
}

/* The id, or 0 if the event is none, and what kind of byte it names. */
static inline uint32_t decode(uint32_t event, uint8_t *kind) {
    for (const struct image *image = images; image < images + image_count; image++) {
        uint32_t offset = event - (uint32_t)(uintptr_t)image->ids;
        if (offset < image->size) {
            *kind = image->ids[offset];
            return *kind == 0 ? 0 : (uint32_t)(image->first_id + offset);
        }
    }
    *kind = 0;
    return 0;
}

uint32_t untaken_event_id(uint32_t event) {
    uint8_t kind;
    return decode(event, &kind);
}

bool untaken_cover(uint32_t id) {
    if (id == 0 || id >= untaken_shared->coverage.capacity || untaken_core.coverage[id] != 0) {
        return false;
    }
    untaken_core.coverage[id] = 1;
    return true;
}

const uint8_t *untaken_coverage_of(uint32_t event) {
    uint32_t id = untaken_event_id(event);
    return id != 0 && id < untaken_shared->coverage.capacity ? &untaken_core.coverage[id] : NULL;
}

static bool cover_event(uint32_t event) {
    uint8_t kind;
    bool covered = untaken_cover(decode(event, &kind));
    untaken_shared->new_ids += covered;
    return covered && kind == UNTAKEN_ID_BRANCH;
}

/* Most events of a long run are of the executable, whose ids come first, and were seen before. */
uint64_t untaken_cover_events(const uint32_t *begin, const uint32_t *end) {
    const uint8_t *coverage = untaken_core.coverage;
    uint32_t first = (uint32_t)(uintptr_t)images[0].ids;
    uint64_t size = images[0].size, capacity = untaken_shared->coverage.capacity, branches = 0;
    size = size < capacity ? size : capacity;
    for (const uint32_t *event = begin; event < end; event++) {
        uint32_t offset = *event - first;
        if (offset >= size || coverage[offset] == 0) {
            branches += cover_event(*event);
        }
    }
    return branches;
}

/* ---- Call depth ---- */

/* Entries of the functions that are open; deeper ones are only counted. */
struct call_stack {
    uint32_t depth;
    uint32_t entries[DEEPEST];
};
static struct call_stack stack;

static void enter_function(uint32_t entry) {
    if (stack.depth < DEEPEST) {
        stack.entries[stack.depth] = entry;
    }
    stack.depth++;
}

/* Closes the innermost call of the function, and with it those that a longjmp left open. */
static void leave_function(uint32_t entry) {
    if (stack.depth > DEEPEST) {
        stack.depth--;
        return;
    }
    for (uint32_t depth = stack.depth; depth > 0; depth--) {
        if (stack.entries[depth - 1] == entry) {
            stack.depth = depth - 1;
            return;
        }
    }
}

static void follow_call(uint32_t id, uint8_t kind) {
    if (kind == UNTAKEN_ID_ENTRY) {
        enter_function(id);
    } else if (kind == UNTAKEN_ID_RETURN) {
        leave_function(id ^ 1);
    }
}

/* The first function (main) is at depth 0. */
static uint16_t depth_now(void) {
    uint32_t depth = stack.depth == 0 ? 0 : stack.depth - 1;
    return (uint16_t)(depth < DEEPEST ? depth : DEEPEST);
}

/* ---- After a run ---- */

static uint64_t finish_event(uint32_t *event, uint8_t *kind) {
    *event = decode(*event, kind);
    return untaken_cover(*event);
}

/* The main thread's events end at the first one that was not written: in its last block, or in the slack of the
 * one before, since a block is claimed ahead of need. */
static uint64_t count_main_events(void) {
    uint64_t count = 0;
    for (uint64_t block = 0; block < untaken_core.event_blocks && untaken_core.owners[block] == 1; block++) {
        count += UNTAKEN_EVENT_BLOCK;
    }
    const uint32_t *events = untaken_core.events;
    uint64_t looked_at = UNTAKEN_EVENT_BLOCK + UNTAKEN_EVENT_SLACK;
    uint64_t floor = count < looked_at ? 0 : count - looked_at;
    while (count > floor && events[count - 1] == 0) {
        count--;
    }
    return count;
}

static uint64_t constraint_total(void) {
    uint64_t count = untaken_shared->constraint_count, capacity = untaken_shared->constraints.capacity;
    return count < capacity ? count : capacity;
}

static void finish_constraint(struct untaken_constraint *constraint) {
    constraint->depth = depth_now();
    constraint->id = constraint->id == 0 ? 0 : untaken_event_id(constraint->id);
}

/* Constraints are in the order of time, so each waits until the events before it have been followed. Those of
 * other threads lie at positions past the main thread's events: nothing to wait for, and no depth of their own. */
static bool is_due(const struct untaken_constraint *constraint, uint64_t position, uint64_t count) {
    return constraint->position <= position || constraint->position > count;
}

/* One that was not written lies between the parts of a block, see untaken_events_reuse. */
static uint8_t finish_any_event(uint32_t *event) {
    uint8_t kind = 0;
    if (*event != 0) {
        untaken_shared->new_ids += finish_event(event, &kind);
    }
    return kind;
}

/* Most events of a run are of the executable, whose ids come first, and were seen before. Calls are followed for the
 * sake of the constraints that are still to come. */
static inline void finish_events(uint32_t *begin, const uint32_t *end, bool following) {
    const uint8_t *ids = images[0].ids, *coverage = untaken_core.coverage;
    uint64_t size = images[0].size, capacity = untaken_shared->coverage.capacity;
    size = size < capacity ? size : capacity;
    for (uint32_t *event = begin; event < end; event++) {
        uint32_t offset = *event - (uint32_t)(uintptr_t)ids;
        uint8_t kind;
        if (offset < size && coverage[offset] != 0) {
            kind = ids[offset];
            *event = offset;
        } else {
            kind = finish_any_event(event);
        }
        if (following && kind != UNTAKEN_ID_BRANCH) {
            follow_call(*event, kind);
        }
    }
}

/* Up to where events can be followed before the constraint; none before that one is left. */
static uint64_t followed_before(uint64_t next, uint64_t total, uint64_t count) {
    return next == total ? count : untaken_core.constraints[next].position;
}

static void finish_main_thread(void) {
    uint64_t next = 0, total = constraint_total(), count = count_main_events(), position = 0;
    uint32_t *events = untaken_core.events;
    stack.depth = 0;
    while (position < count) {
        while (next < total && is_due(&untaken_core.constraints[next], position, count)) {
            finish_constraint(&untaken_core.constraints[next++]);
        }
        uint64_t end = followed_before(next, total, count);
        if (next == total) {
            finish_events(events + position, events + end, false);
        } else {
            finish_events(events + position, events + end, true);
        }
        position = end;
    }
    while (next < total) {
        finish_constraint(&untaken_core.constraints[next++]);
    }
    untaken_shared->event_count = count;
}

static void finish_block(uint64_t block) {
    uint32_t *events = untaken_core.events + block * UNTAKEN_EVENT_BLOCK;
    for (uint64_t i = 0; i < UNTAKEN_EVENT_BLOCK; i++) {
        if (events[i] != 0) {
            uint8_t kind;
            untaken_shared->new_ids += finish_event(&events[i], &kind);
        }
    }
}

void untaken_finish_trace(void) {
    finish_main_thread();
    for (uint64_t block = 0; block < untaken_core.event_blocks; block++) {
        if (untaken_core.owners[block] > 1) {
            finish_block(block);
        }
    }
    if (untaken_shared->cut_off & UNTAKEN_CUT_EVENTS) {
        finish_block(untaken_core.event_blocks);
    }
}
