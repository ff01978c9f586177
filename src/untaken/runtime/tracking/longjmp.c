/* After a longjmp: what the calls that it left behind would have done at their ends. Handlers of signals may leave the
 * runtime itself so, in the middle of a model. */
#include "expressions/nodes.h"
#include "state.h"
#include "trace/trace.h"
#include "tracking/tracking.h"

static __thread untaken_label jumped_with; /* of what the setjmp that comes next returns */

void untaken_jump_with(untaken_label label) { jumped_with = label; }

static bool is_of_main_thread(const uint32_t *event) {
    uint64_t block = (uint64_t)(event - untaken_state.events) / UNTAKEN_EVENT_BLOCK;
    return block < untaken_state.event_blocks && untaken_state.owners[block] == 1;
}

/* Writes the returns of the calls that were open, the innermost first: to all who follow events they are over. */
static void close_calls(const uint32_t *since) {
    uint64_t returned = 0;
    for (const uint32_t *next = __untaken_cursor; next > since;) {
        uint32_t event = *--next;
        uint8_t kind = untaken_event_kind(event);
        if (kind == UNTAKEN_ID_RETURN) {
            returned++;
        } else if (kind == UNTAKEN_ID_ENTRY && returned > 0) {
            returned--;
        } else if (kind == UNTAKEN_ID_ENTRY) {
            untaken_emit(event + 1);
        }
    }
}

/* Only the main thread's events lie one behind the other; what wanders has no use for calls. */
static bool can_close_calls(const uint32_t *since) {
    return untaken_state.in_run && !untaken_state.wandering && since != NULL && since <= __untaken_cursor &&
           is_of_main_thread(since) && is_of_main_thread(__untaken_cursor);
}

static void leave_runtime(bool was_inside) {
    if (untaken_inside && !was_inside) {
        untaken_give_up_lock();
        untaken_inside = false;
        __untaken_note_gap(UNTAKEN_GAP_JUMPED);
    }
}

/* What code without instrumentation jumps with has no label, and another value than the last that had one. */
static untaken_label label_of_result(int32_t result) {
    untaken_label label = jumped_with;
    jumped_with = 0;
    return label != 0 && untaken_recording && node_of(label)->value == (uint32_t)result ? label : 0;
}

untaken_label __untaken_set_jump(struct untaken_jump *jump, int32_t result) {
    if (result == 0) {
        *jump = (struct untaken_jump){.inside = untaken_inside};
    } else {
        leave_runtime(jump->inside);
        __untaken_callee = __untaken_return_owner = NULL;
        const uint32_t *since = untaken_prologue_place(jump->events);
        if (can_close_calls(since)) {
            close_calls(since);
        }
    }
    jump->events = untaken_state.in_prologue ? untaken_prologue_jump(jump, result != 0) : __untaken_cursor;
    return label_of_result(result);
}
