/* The runtime's state in this process: where the shared memory is, whether a run is recorded, and the lock. */
#include "state.h"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

UNTAKEN_EVERY_RUN __attribute__((aligned(4096))) struct untaken_state untaken_state;
UNTAKEN_EVERY_RUN struct untaken_shared *untaken_shared;
UNTAKEN_EVERY_RUN bool untaken_recording;
__thread bool untaken_inside;

__thread void *__untaken_callee;
__thread void *__untaken_return_owner;
__thread untaken_label __untaken_arguments[UNTAKEN_ARGUMENT_LABELS];
__thread untaken_label __untaken_returned[UNTAKEN_RETURN_LABELS];

/* The number of this thread, for the lock: not 0. */
static int own_number(void) { return (int)(uint32_t)(uintptr_t)&untaken_inside | 1; }

void untaken_lock_slow(void) {
    int nobody = 0;
    while (!__atomic_compare_exchange_n(&untaken_state.lock, &nobody, own_number(), false, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED)) {
        while (__atomic_load_n(&untaken_state.lock, __ATOMIC_RELAXED)) {
            sched_yield();
        }
        nobody = 0;
    }
}

void untaken_give_up_lock(void) {
    if (__atomic_load_n(&untaken_state.lock, __ATOMIC_RELAXED) == own_number()) {
        __atomic_store_n(&untaken_state.lock, 0, __ATOMIC_RELEASE);
    }
}

static void *region(struct untaken_shared *shared, struct untaken_region where) {
    return (uint8_t *)shared + where.offset;
}

void untaken_attach(struct untaken_shared *shared) {
    struct untaken_state *state = &untaken_state;
    state->input = region(shared, shared->input);
    state->events = region(shared, shared->events);
    state->owners = region(shared, shared->owners);
    state->constraints = region(shared, shared->constraints);
    state->windows = region(shared, shared->windows);
    state->nodes = region(shared, shared->nodes);
    state->links = region(shared, shared->slots);
    state->tables = region(shared, shared->tables);
    state->fields = region(shared, shared->fields);
    state->externals = region(shared, shared->externals);
    state->words = region(shared, shared->words);
    state->reach = region(shared, shared->reach);
    state->coverage = region(shared, shared->coverage);
    state->passes = region(shared, shared->passes);
    state->tallies = region(shared, shared->tallies);
    state->burst = region(shared, shared->burst);
    untaken_shared = shared;
}

static void note_place(uint32_t kind, uint32_t line) {
    uint64_t bytes = (uint64_t)__untaken_cursor - (uint64_t)untaken_state.events;
    if (bytes == 0 || bytes >= untaken_state.event_bytes) {
        return;
    }
    uint32_t event = __untaken_cursor[-1];
    struct untaken_place *place = &untaken_shared->places[(event * 7 + line * 3 + kind) % UNTAKEN_PLACES];
    if (place->kind == 0) {
        *place = (struct untaken_place){event, kind + 1, line, (uint32_t)(bytes / sizeof(uint32_t))};
    }
}

void untaken_count_concretised_at(uint32_t kind, uint32_t line) {
    if (untaken_recording) {
        kind = kind < UNTAKEN_CONCRETISED_KINDS ? kind : UNTAKEN_BY_OTHER;
        untaken_shared->concretised[kind]++;
        note_place(kind, line);
    }
}

void untaken_count_concretised(uint32_t kind) { untaken_count_concretised_at(kind, 0); }

void __untaken_note_gap(uint32_t gap) {
    if (untaken_state.in_run) {
        untaken_shared->gaps |= gap;
    } else if (untaken_state.in_prologue) {
        untaken_state.early_gaps |= gap;
    }
}

void untaken_note_cut_off(uint32_t bit) { untaken_shared->cut_off |= bit; }

void __untaken_concretise(uint32_t kind, untaken_label label, uint32_t line) {
    if (label != 0) {
        untaken_count_concretised_at(kind, line);
    }
}

int untaken_hide_descriptor(int fd) {
    int hidden = fcntl(fd, F_DUPFD_CLOEXEC, UNTAKEN_FIRST_HIDDEN);
    if (hidden < 0) {
        return fd;
    }
    close(fd);
    return hidden;
}
