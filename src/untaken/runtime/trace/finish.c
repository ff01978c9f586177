/* After a run: its events become ids, and its constraints get their call depths. */
#include "trace/trace.h"

#define DEEPEST 65535u
#define STRETCH 1024u /* events that are followed before their constraints */

/* ---- Call depth ---- */

/* Entries of the functions that are open; deeper ones are only counted. Before the first is one that is none. */
static uint32_t calls_and_none[DEEPEST + 1];
static uint32_t *const open_calls = calls_and_none + 1;

static uint32_t enter_function(uint32_t depth, uint32_t entry) {
    if (depth < DEEPEST) {
        open_calls[depth] = entry;
    }
    return depth + 1;
}

/* Closes the innermost call of the function, and with it those that a longjmp left open. */
static uint32_t leave_function(uint32_t depth, uint32_t entry) {
    if (depth > DEEPEST) {
        return depth - 1;
    }
    for (uint32_t left = depth; left > 0; left--) {
        if (open_calls[left - 1] == entry) {
            return left - 1;
        }
    }
    return depth;
}

static uint32_t follow_call(uint32_t calls, uint32_t id, uint8_t kind) {
    return kind == UNTAKEN_ID_ENTRY    ? enter_function(calls, id)
           : kind == UNTAKEN_ID_RETURN ? leave_function(calls, id ^ 1)
                                       : calls;
}

/* The first function (main) is at depth 0. */
static uint16_t depth_inside(uint32_t calls) {
    uint32_t depth = calls == 0 ? 0 : calls - 1;
    return (uint16_t)(depth < DEEPEST ? depth : DEEPEST);
}

/* ---- After a run ---- */

/* The main thread's events end at the first one that was not written: in its last block, or in the slack of the
 * one before, since a block is claimed ahead of need. */
static uint64_t count_main_events(void) {
    uint64_t count = 0;
    for (uint64_t block = 0; block < untaken_state.event_blocks && untaken_state.owners[block] == 1; block++) {
        count += UNTAKEN_EVENT_BLOCK;
    }
    const uint32_t *events = untaken_state.events;
    uint64_t looked_at = UNTAKEN_EVENT_BLOCK + UNTAKEN_EVENT_SLACK;
    uint64_t floor = count < looked_at ? 0 : count - looked_at;
    return floor + untaken_written(events + floor, count - floor);
}

uint64_t untaken_constraint_total(void) {
    uint64_t count = untaken_shared->constraint_count, capacity = untaken_shared->constraints.capacity;
    return count < capacity ? count : capacity;
}

/* One that was not written lies between the parts of a block, see untaken_events_rewind. */
static uint8_t finish_any_event(uint32_t *event) {
    uint8_t kind = 0;
    if (*event != 0) {
        untaken_shared->new_ids += untaken_finish_event(event, &kind);
    }
    return kind;
}

/* Up to the first that was not seen before. On its own, so that the loop has all it needs in registers. */
__attribute__((noinline)) static uint32_t *finish_known(struct untaken_known_ids known, uint32_t *event,
                                                        const uint32_t *end) {
    const uint8_t *coverage = known.coverage;
    uint32_t first = (uint32_t)(uintptr_t)known.ids;
    uint64_t size = known.size;
    for (; event < end; event++) {
        uint32_t offset = *event - first;
        if (offset >= size || coverage[offset] == 0) {
            break;
        }
        *event = offset;
    }
    return event;
}

static void finish_events(struct untaken_known_ids known, uint32_t *event, const uint32_t *end) {
    for (; (event = finish_known(known, event, end)) < end; event++) {
        finish_any_event(event);
    }
}

static inline uint32_t decided_id(struct untaken_known_ids known, uint32_t event) {
    uint32_t offset = event - (uint32_t)(uintptr_t)known.ids;
    if (offset < known.size && known.ids[offset] != 0) {
        return offset;
    }
    return event == 0 ? 0 : untaken_event_id(event);
}

/* Events, some at a time, and how many calls are open before each of them. */
struct stretch {
    uint64_t begin, end;
    uint32_t calls; /* at its end */
    uint32_t open[STRETCH + 1]; /* and behind the last */
};

static void follow_event(struct stretch *stretch, uint64_t place) {
    uint32_t *event = &untaken_state.events[stretch->begin + place];
    uint8_t kind = finish_any_event(event);
    stretch->open[place] = stretch->calls;
    stretch->calls = follow_call(stretch->calls, *event, kind);
}

/* Of each kind of event: by how much it changes the number of open calls, and which bits tell that it is not the return
 * from the last of them. */
#define KINDS 4u
static const int32_t changes[KINDS] = {[UNTAKEN_ID_ENTRY] = 1, [UNTAKEN_ID_RETURN] = -1};
static const uint32_t of_others[KINDS] = {[UNTAKEN_ID_RETURN] = UINT32_MAX};

/* Follows the events from the place on that are as usual: known, and returns of the function that was called last.
 * Calls come as they like, so that is told without jumps, which a processor would guess wrong. On its own, too. */
__attribute__((noinline)) static uint64_t follow_usual(struct untaken_known_ids known, struct stretch *stretch,
                                                       uint64_t place) {
    uint64_t size = stretch->calls + STRETCH < DEEPEST ? stretch->end - stretch->begin : 0;
    uint32_t *events = untaken_state.events + stretch->begin;
    int64_t calls = stretch->calls;
    for (; place < size; place++) {
        uint32_t id = events[place] - (uint32_t)(uintptr_t)known.ids;
        if (id >= known.size || known.coverage[id] == 0) {
            break;
        }
        unsigned kind = known.ids[id] % KINDS;
        if (((open_calls[calls - 1] ^ id ^ 1) & of_others[kind]) != 0) {
            break;
        }
        stretch->open[place] = (uint32_t)calls;
        events[place] = id;
        open_calls[calls] = id; /* if it is no entry, that is behind the last one */
        calls += changes[kind];
    }
    stretch->calls = (uint32_t)calls;
    return place;
}

static void follow_stretch(struct untaken_known_ids known, struct stretch *stretch) {
    uint64_t size = stretch->end - stretch->begin;
    for (uint64_t place = 0; (place = follow_usual(known, stretch, place)) < size; place++) {
        follow_event(stretch, place);
    }
    stretch->open[size] = stretch->calls;
}

/* Constraints are in the order of time, so each comes at its position or at that of one before. Those of other threads
 * lie at positions past the main thread's events, and have no depth of their own. */
struct waiting {
    struct untaken_constraint *next, *end;
    uint64_t position; /* that the next has to wait for */
};

static inline void wait_for_next(struct waiting *waiting, uint64_t count) {
    uint64_t position = waiting->next < waiting->end ? waiting->next->position : 0;
    waiting->position = position <= count && position > waiting->position ? position : waiting->position;
}

static void finish_constraints(struct untaken_known_ids known, const struct stretch *stretch, struct waiting *waiting,
                               uint64_t count) {
    while (waiting->next < waiting->end && waiting->position <= stretch->end) {
        waiting->next->depth = depth_inside(stretch->open[waiting->position - stretch->begin]);
        waiting->next->id = decided_id(known, waiting->next->id);
        waiting->next++;
        wait_for_next(waiting, count);
    }
}

static void finish_main_thread(void) {
    struct untaken_known_ids known = untaken_known_ids();
    struct stretch stretch;
    uint64_t count = count_main_events();
    struct waiting waiting = {untaken_state.constraints, untaken_state.constraints + untaken_constraint_total(), 0};
    wait_for_next(&waiting, count);
    stretch.begin = stretch.calls = 0;
    calls_and_none[0] = UINT32_MAX;
    while (waiting.next < waiting.end) {
        stretch.end = stretch.begin + STRETCH < count ? stretch.begin + STRETCH : count;
        follow_stretch(known, &stretch);
        finish_constraints(known, &stretch, &waiting, count);
        stretch.begin = stretch.end;
    }
    finish_events(known, untaken_state.events + stretch.begin, untaken_state.events + count);
    untaken_shared->event_count = count;
}

static void finish_block(uint64_t block) {
    uint32_t *events = untaken_state.events + block * UNTAKEN_EVENT_BLOCK;
    for (uint64_t i = 0; i < UNTAKEN_EVENT_BLOCK; i++) {
        if (events[i] != 0) {
            uint8_t kind;
            untaken_shared->new_ids += untaken_finish_event(&events[i], &kind);
        }
    }
}

void untaken_finish_trace(void) {
    finish_main_thread();
    for (uint64_t block = 0; (block = untaken_claimed_block(block)) < untaken_state.event_blocks; block++) {
        if (untaken_state.owners[block] > 1) {
            finish_block(block);
        }
    }
    if (untaken_shared->cut_off & UNTAKEN_CUT_EVENTS) {
        finish_block(untaken_state.event_blocks);
    }
    if (untaken_shared->run_flags & UNTAKEN_RUN_WINDOWS) {
        untaken_hash_windows();
    }
}
