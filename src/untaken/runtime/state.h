/* The state of the runtime: the shared memory, whether a run is recorded, and what every room writes to.
 *
 * A thread enters the runtime before it touches expressions or labels, and leaves it afterwards. Nothing here is
 * seen by instrumented code, whose border with the runtime is abi.h. */
#ifndef UNTAKEN_STATE_H
#define UNTAKEN_STATE_H

#include "abi.h"

#include <stdbool.h>

#define UNTAKEN_CONSTANT_CACHE 128
#define UNTAKEN_PAGE 4096
/* Our descriptors are numbered from here on. That is above what most programs open, and below 64: a larger table of
 * descriptors makes each fork slower by a fifth. */
#define UNTAKEN_FIRST_HIDDEN 48

struct untaken_constant_entry {
    uint64_t value;
    uint32_t label;
    uint32_t width;
};

/* The runtime is only ever part of an executable, so what it shares within itself is reached without detours. */
#define UNTAKEN_OWN __attribute__((visibility("protected")))
#define UNTAKEN_OWN_OF_THREAD __attribute__((visibility("protected"), tls_model("initial-exec")))

/* What every run writes to lies together on one page: a forked run copies each page that it writes to. */
#define UNTAKEN_EVERY_RUN __attribute__((section("untaken_every_run")))

struct untaken_state {
    /* Set once. */
    struct untaken_node *nodes;
    struct untaken_links *links; /* the index of the nodes, see expressions/nodes.c */
    uint32_t *events;
    uint8_t *owners;
    struct untaken_constraint *constraints;
    uint64_t *windows;
    struct untaken_reach *reach;
    uint8_t *tables;
    struct untaken_field *fields;
    struct untaken_external *externals;
    struct untaken_word *words;
    uint8_t *coverage;
    uint8_t *passes;
    uint8_t *tallies;
    const struct untaken_burst *burst;
    uint8_t *input;
    uint64_t node_limit;
    uint32_t *strays;     /* how many there are; tables of them lie behind */
    uint64_t event_blocks; /* blocks that events may fill; the one after them is the overflow ring */
    uint64_t event_bytes;  /* the size of all of them */
    /* Set for each run. */
    uint32_t *table;      /* of strays, that is in use */
    uint64_t table_mask;  /* its slots, less one */
    uint64_t grow_at;     /* strays that it can hold */
    uint64_t room_until;  /* node count up to which memory is ready */
    uint64_t input_position;
    uint64_t main_blocks; /* of events, claimed by the main thread */
    uint64_t most_blocks; /* that it may claim */
    int lock;             /* the number of the thread that has it */
    uint64_t input_base;  /* labels count input bytes from here on: where the snapshot is that the run began at */
    uint64_t inputs_left; /* input statements that the run may still make */
    uint64_t early_gaps; /* of what was done before the first run: by constructors, and see process/prologue.c */
    uint64_t new_branches;        /* wandering: new branches since the last input statement */
    uint16_t epoch;       /* marks in node.reserved which nodes this run has decided */
    bool in_run;          /* events and results go to shared memory */
    bool forking;         /* for a run; else it is the program that forks */
    bool in_prologue;     /* the program has not looked at its input yet, see process/prologue.c */
    bool under_way;       /* the program itself runs: what it asks for are input statements */
    bool wandering;       /* on random inputs, see process/snapshot.c */
    bool from_snapshot;   /* the run began at one */
    bool is_followed;     /* this process is a child of the one that the run began in */
    bool learns_pages;       /* process/prefault.c learns from this run */
    struct untaken_constant_entry constants[UNTAKEN_CONSTANT_CACHE];
};
extern UNTAKEN_OWN struct untaken_state untaken_state;

/* Null if the program was started by hand: then it behaves as the plain program. */
extern UNTAKEN_OWN struct untaken_shared *untaken_shared;
/* True while expressions are recorded: a run under the fork server, in the process that it forked (not in children
 * of the target that are not followed), and not UNTAKEN_RUN_CONCRETE. Inputs get labels only then. */
extern UNTAKEN_OWN bool untaken_recording;
extern UNTAKEN_OWN_OF_THREAD __thread bool untaken_inside;

void untaken_attach(struct untaken_shared *shared);
void untaken_note_cut_off(uint32_t bit); /* something of this run found no room: UNTAKEN_CUT_* */
void untaken_count_concretised(uint32_t kind); /* where, is told by the event before */
void untaken_count_concretised_at(uint32_t kind, uint32_t line);
/* Moves one of our descriptors out of the way of the numbers that the program's own files get. */
int untaken_hide_descriptor(int fd);

/* ---- Entering and leaving ---- */

/* glibc says so before a second thread can run; without it we always lock. */
extern char __libc_single_threaded __attribute__((weak));

static inline bool untaken_one_thread(void) {
    return &__libc_single_threaded != NULL && __libc_single_threaded;
}

void untaken_lock_slow(void);
void untaken_give_up_lock(void); /* if this thread has it */

/* The runtime is not entered twice, by a signal handler or by our own calls of instrumented code: false if this
 * thread is inside already, and then the caller answers "concrete". */
static inline bool runtime_enter(void) {
    if (untaken_inside) {
        return false;
    }
    untaken_inside = true;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (!untaken_one_thread()) {
        untaken_lock_slow();
    }
    return true;
}

static inline void runtime_leave(void) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (__atomic_load_n(&untaken_state.lock, __ATOMIC_RELAXED)) {
        __atomic_store_n(&untaken_state.lock, 0, __ATOMIC_RELEASE);
    }
    untaken_inside = false;
}

static inline bool runtime_begin(void) { return untaken_recording && runtime_enter(); }

/* ---- What the kernel and sanitizers do ---- */

/* A sanitizer's own code watches what the program has the C library do. */
extern void __sanitizer_set_death_callback(void (*)(void)) __attribute__((weak));

static inline bool untaken_is_sanitized(void) { return __sanitizer_set_death_callback != NULL; }

#define UNTAKEN_FAULT_AROUND (16 * UNTAKEN_PAGE) /* what the kernel maps at once of a file */

/* Before the first write to a place in shared memory: the kernel maps the pages around one that is read, but only
 * the one that is written to. */
static inline void before_writing(const void *place) { (void)*(const volatile uint8_t *)place; }

#endif
