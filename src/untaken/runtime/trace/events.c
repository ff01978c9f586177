/* Events: where each thread writes which branches, entries and returns it passes.
 *
 * In a run the main thread's events fill the shared region from its start, block by block; other threads claim
 * blocks from its end downwards. When the two meet, events go round in a ring in the last block, whose contents
 * count for coverage only. Without a run they go round in a small private ring that only the prologue reads. */
#include "process/process.h"
#include "trace/trace.h"

#include <string.h>

#define PRIVATE_RING 1024u
#define RING_SLICES 4u /* threads share them beyond that many */
#define RING_SLICE (UNTAKEN_EVENT_BLOCK / RING_SLICES)
#define STRETCHES 4u
#define STRETCH_ROOM (UNTAKEN_EVENT_BLOCK / STRETCHES)

static __thread uint32_t private_ring[PRIVATE_RING]; /* the first, so that it does not part what runs write to */
__thread uint32_t *__untaken_cursor;
__thread uint32_t *__untaken_limit;
static __thread uint32_t thread_number; /* from 1; 0: not asked yet */
static __thread bool in_overflow; /* this thread's events go round in the last block */
/* Wandering: the part of the block that is in use, see untaken_events_rewind, and how many events are in the others. */
UNTAKEN_EVERY_RUN static unsigned stretch;
UNTAKEN_EVERY_RUN static uint64_t stretch_counts[STRETCHES];

static uint32_t own_number(void) {
    if (thread_number == 0) {
        thread_number = __atomic_add_fetch(&untaken_shared->thread_count, 1, __ATOMIC_RELAXED);
    }
    return thread_number;
}

static bool claim(uint64_t block, uint32_t number) {
    uint8_t free_block = 0, owner = (uint8_t)(number < 255 ? number : 255);
    return block < untaken_state.event_blocks &&
           __atomic_compare_exchange_n(&untaken_state.owners[block], &free_block, owner, false, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED);
}

static void use_events(uint32_t *from, uint64_t count) {
    __untaken_cursor = from;
    __untaken_limit = from + count - UNTAKEN_EVENT_SLACK;
}

static void no_events(void) { __untaken_cursor = __untaken_limit = NULL; }

/* The main thread's blocks follow one another, so its cursor just goes on. */
static bool extend_main(void) {
    if (!claim(untaken_state.main_blocks, 1)) {
        return false;
    }
    before_writing(untaken_state.events + untaken_state.main_blocks * UNTAKEN_EVENT_BLOCK);
    untaken_state.main_blocks++;
    if (__untaken_cursor == NULL) {
        __untaken_cursor = untaken_state.events;
    }
    __untaken_limit = untaken_state.events + untaken_state.main_blocks * UNTAKEN_EVENT_BLOCK - UNTAKEN_EVENT_SLACK;
    return true;
}

static bool claim_next(uint32_t number) {
    if (number == 1) {
        return extend_main();
    }
    for (uint64_t block = untaken_state.event_blocks; block-- > 0;) {
        if (claim(block, number)) {
            use_events(untaken_state.events + block * UNTAKEN_EVENT_BLOCK, UNTAKEN_EVENT_BLOCK);
            return true;
        }
    }
    return false;
}

static uint32_t *ring_slice(uint32_t number) {
    return untaken_state.events + untaken_state.event_blocks * UNTAKEN_EVENT_BLOCK + number % RING_SLICES * RING_SLICE;
}

static void cover_slice(const uint32_t *slice) {
    for (unsigned i = 0; i < RING_SLICE; i++) {
        if (slice[i] != 0 && untaken_cover(untaken_event_id(slice[i]))) {
            __atomic_add_fetch(&untaken_shared->new_ids, 1, __ATOMIC_RELAXED);
        }
    }
}

/* A run that grows far beyond the others is not worth its time. What it did until then counts. */
static void end_if_too_long(void) {
    if (untaken_state.main_blocks >= untaken_state.most_blocks && untaken_state.under_way) {
        untaken_end_run(UNTAKEN_EXIT_LENGTH, "");
    }
}

static void find_room(void) {
    uint32_t number = own_number();
    if (number == 1) {
        end_if_too_long();
    }
    if (!in_overflow && claim_next(number)) {
        return;
    }
    uint32_t *slice = ring_slice(number);
    if (in_overflow) {
        cover_slice(slice);
    }
    in_overflow = true;
    untaken_note_cut_off(UNTAKEN_CUT_EVENTS);
    use_events(slice, RING_SLICE);
}

/* Event by event: what was just written cannot be read in larger pieces without waiting for it. */
static inline bool is_alike(const uint32_t *one, const uint32_t *other, uint64_t count) {
    uint64_t i = 0;
    while (i < count && one[i] == other[i]) {
        i++;
    }
    return i == count;
}

static inline uint32_t *stretch_events(unsigned stretch) { return untaken_state.events + stretch * STRETCH_ROOM; }

static inline bool is_known_stretch(uint64_t count) {
    for (unsigned back = 1; back < STRETCHES; back++) {
        unsigned other = (stretch - back) % STRETCHES;
        if (stretch_counts[other] == count && is_alike(stretch_events(stretch), stretch_events(other), count)) {
            return true;
        }
    }
    return count == 0;
}

static uint64_t cover_stretch(void) { return untaken_cover_events(stretch_events(stretch), __untaken_cursor); }

__attribute__((noinline)) static uint64_t cover_and_keep(uint64_t count) {
    uint64_t branches = cover_stretch();
    stretch_counts[stretch] = count;
    stretch = (stretch + 1) % STRETCHES;
    use_events(stretch_events(stretch), STRETCH_ROOM);
    return branches;
}

/* The main thread of a run that wanders stores its events in the parts of one block in turn, over and over. A stretch
 * that is like one of those before covers nothing new; most programs wait for something, and pass the same branches at
 * each input that is not it. */
uint64_t untaken_events_rewind(void) {
    if (thread_number != 1 || __untaken_cursor == NULL) {
        return 0;
    }
    uint64_t count = (uint64_t)(__untaken_cursor - stretch_events(stretch));
    if (is_known_stretch(count)) {
        __untaken_cursor = stretch_events(stretch);
        return 0;
    }
    return cover_and_keep(count);
}

__attribute__((noinline)) static uint32_t *make_room(void) {
    if (untaken_state.wandering && thread_number == 1 && __untaken_cursor != NULL) {
        untaken_state.new_branches += cover_stretch(); /* the rest of a long stretch counts as one of its own */
        use_events(stretch_events(stretch), STRETCH_ROOM);
    } else if (untaken_state.in_run) {
        find_room();
    } else {
        untaken_events_pass_on();
    }
    return __untaken_cursor;
}

/* The ring is of use once more. */
void untaken_events_pass_on(void) {
    if (untaken_state.in_prologue && __untaken_cursor != NULL) {
        untaken_prologue_passed(private_ring, __untaken_cursor);
    }
    use_events(private_ring, PRIVATE_RING);
}

uint32_t *__untaken_room(void) { return __untaken_cursor < __untaken_limit ? __untaken_cursor : make_room(); }

uint32_t untaken_unusual_position(void) {
    return __untaken_cursor == NULL ? 0 : (uint32_t)(untaken_state.event_blocks * UNTAKEN_EVENT_BLOCK);
}

void untaken_emit(uint32_t event) {
    *__untaken_room() = event;
    __untaken_cursor++;
}

#define TOGETHER 64u /* events that are looked at without a jump */

static bool any_written(const uint32_t *events) {
    uint32_t all = 0;
    for (unsigned i = 0; i < TOGETHER; i++) {
        all |= events[i];
    }
    return all != 0;
}

uint64_t untaken_written(const uint32_t *events, uint64_t count) {
    while (count >= TOGETHER && !any_written(events + count - TOGETHER)) {
        count -= TOGETHER;
    }
    while (count > 0 && events[count - 1] == 0) {
        count--;
    }
    return count;
}

/* Most blocks are free, and a region ends with its page: eight of them at once. */
uint64_t untaken_claimed_block(uint64_t block) {
    const uint8_t *owners = untaken_state.owners;
    while (block < untaken_state.event_blocks && owners[block] == 0) {
        uint64_t some;
        memcpy(&some, owners + block / sizeof some * sizeof some, sizeof some);
        block = some == 0 ? (block / sizeof some + 1) * sizeof some : block + 1;
    }
    return block;
}

void untaken_events_start(void) {
    uint64_t blocks = untaken_shared->events.capacity / UNTAKEN_EVENT_BLOCK;
    if (blocks > untaken_shared->owners.capacity) {
        blocks = untaken_shared->owners.capacity;
    }
    untaken_state.event_blocks = blocks == 0 ? 0 : blocks - 1;
    untaken_state.event_bytes = untaken_state.event_blocks * UNTAKEN_EVENT_BLOCK * sizeof(uint32_t);
}

/* Only what the last run used is written to: the region is large and mostly untouched. */
void untaken_events_begin_run(void) {
    uint64_t block = 0;
    while ((block = untaken_claimed_block(block)) < untaken_state.event_blocks) {
        uint32_t *events = untaken_state.events + block * UNTAKEN_EVENT_BLOCK;
        memset(events, 0, untaken_written(events, UNTAKEN_EVENT_BLOCK) * sizeof *events);
        untaken_state.owners[block] = 0;
    }
    if (untaken_shared->cut_off & UNTAKEN_CUT_EVENTS) {
        memset(ring_slice(0), 0, UNTAKEN_EVENT_BLOCK * sizeof(uint32_t));
    }
    untaken_shared->thread_count = 0;
}

static uint64_t most_blocks(void) {
    uint64_t limit = untaken_shared->event_limit;
    return limit == 0 ? UINT64_MAX : (limit + UNTAKEN_EVENT_BLOCK - 1) / UNTAKEN_EVENT_BLOCK;
}

void untaken_events_enter_run(void) {
    no_events();
    untaken_state.main_blocks = 0;
    untaken_state.most_blocks = most_blocks();
    thread_number = 0;
    in_overflow = false;
    stretch = 0;
    memset(stretch_counts, 0, sizeof stretch_counts);
    (void)own_number(); /* the main thread is number 1 */
    untaken_state.in_run = true;
}

void untaken_events_restart(void) {
    untaken_events_enter_run();
    (void)__untaken_room();
}

/* Called in the middle of a function, whose code may go on to write events without looking for room. */
void untaken_events_off(void) {
    untaken_state.in_run = false;
    use_events(private_ring, PRIVATE_RING);
}
