/* The trace of a run: its events, the ids and coverage that they stand for, and what is computed when the run is
 * over. */
#ifndef UNTAKEN_TRACE_TRACE_H
#define UNTAKEN_TRACE_TRACE_H

#include "state.h"

/* ---- events.c ---- */
uint32_t untaken_unusual_position(void); /* of a thread that has no events yet, or whose events are cut off */

static inline uint64_t untaken_event_bytes(void) {
    return (uint64_t)__untaken_cursor - (uint64_t)untaken_state.events;
}

static inline bool untaken_position_is_usual(void) { return untaken_event_bytes() < untaken_state.event_bytes; }

/* The index of this thread's next event. Past the end once events are cut off. */
static inline uint32_t untaken_event_position(void) {
    return untaken_position_is_usual() ? (uint32_t)(untaken_event_bytes() / sizeof(uint32_t))
                                       : untaken_unusual_position();
}

void untaken_events_start(void); /* once, in the server */
uint64_t untaken_written(const uint32_t *events, uint64_t count); /* how many there are up to the last that is not 0 */
uint64_t untaken_claimed_block(uint64_t block); /* the next one from this on that a thread writes events to */
void untaken_events_begin_run(void);
void untaken_events_enter_run(void); /* the main thread starts to store events */
void untaken_events_off(void);       /* in a child of the target, and before the first run */
void untaken_events_pass_on(void);   /* in the prologue: those so far, see process/prologue.c */
void untaken_events_restart(void);   /* in a run that begins at a snapshot, in the middle of a function */
void untaken_emit(uint32_t event);
/* Events of the prologue are not kept (process/prologue.c). What stands for the place of a setjmp there, after it has
 * returned, maybe by a jump; and in a run, where the place is of one that may have been there. */
uint32_t *untaken_prologue_jump(const struct untaken_jump *jump, bool has_jumped);
const uint32_t *untaken_prologue_place(const uint32_t *events);
uint64_t untaken_events_rewind(void); /* wandering: how many branches are new; the events' room is used again */

/* ---- images.c: executables and shared objects, and what their events mean ---- */
void untaken_images_number(const uint8_t *executable); /* once, before the server starts */
uint32_t untaken_event_id(uint32_t event); /* 0 if it is none */
uint8_t untaken_event_kind(uint32_t event); /* 0 if it is none */
bool untaken_cover(uint32_t id);           /* true if it is new */
const uint8_t *untaken_coverage_of(uint32_t event); /* its byte of the coverage; null if it has none */
uint64_t untaken_cover_events(const uint32_t *begin, const uint32_t *end); /* how many branches are new */
/* Most events of a run are of the executable, whose ids come first, and were seen before. */
struct untaken_known_ids {
    const uint8_t *ids, *coverage;
    uint64_t size;
};
struct untaken_known_ids untaken_known_ids(void);
uint64_t untaken_finish_event(uint32_t *event, uint8_t *kind); /* becomes an id; 1 if that is new */

/* ---- finish.c, window_hashes.c ---- */
void untaken_finish_trace(void); /* after each run */
void untaken_hash_windows(void); /* at the end of that, if they are wanted */
uint64_t untaken_constraint_total(void);

#endif
