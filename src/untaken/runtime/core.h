/* What the parts of the runtime core share among themselves, models excluded: the hot private state and the
 * short functions that are worth inlining. */
#ifndef UNTAKEN_CORE_H
#define UNTAKEN_CORE_H

#include "internal.h"

#include <string.h>

#define UNTAKEN_CONSTANT_CACHE 128
#define UNTAKEN_PAGE 4096
#define UNTAKEN_FIRST_HIDDEN 48 /* of our descriptors: programs have those below */
#define UNTAKEN_STACK_IN_USE (3 * UNTAKEN_PAGE) /* below the frame that a run begins in, at least */
#define UNTAKEN_AROUND (16 * UNTAKEN_PAGE) /* what the kernel maps at once of a file */

struct untaken_constant_entry {
    uint64_t value;
    uint32_t label;
    uint32_t width;
};

/* The core is only ever part of an executable, so what it shares within itself is reached without detours. */
#define UNTAKEN_OWN __attribute__((visibility("protected")))
#define UNTAKEN_OWN_OF_THREAD __attribute__((visibility("protected"), tls_model("initial-exec")))

/* What every run writes to lies together on one page: a forked run copies each page that it writes to. */
#define UNTAKEN_EVERY_RUN __attribute__((section("untaken_every_run")))

struct untaken_core {
    /* Set once. */
    struct untaken_node *nodes;
    struct untaken_links *links; /* the index of the nodes, see expressions/nodes.c */
    uint32_t *events;
    uint8_t *owners;
    struct untaken_constraint *constraints;
    uint64_t *windows;
    uint8_t *tables;
    struct untaken_field *fields;
    struct untaken_external *externals;
    struct untaken_word *words;
    uint8_t *coverage;
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
    uint64_t news;        /* wandering: new branches since the last input statement */
    uint16_t epoch;       /* marks in node.reserved which nodes this run has decided */
    bool in_run;          /* events and results go to shared memory */
    bool forking;         /* for a run; else it is the program that forks */
    bool under_way;       /* the program itself runs: what it asks for are input statements */
    bool wandering;       /* on random inputs, see process/snapshot.c */
    bool from_snapshot;   /* the run began at one */
    bool is_followed;     /* this process is a child of the one that the run began in */
    bool is_lesson;       /* process/prefault.c learns from this run */
    struct untaken_constant_entry constants[UNTAKEN_CONSTANT_CACHE];
};
extern UNTAKEN_OWN struct untaken_core untaken_core;

static inline struct untaken_constant_entry *constant_entry(unsigned width, uint64_t value) {
    return &untaken_core.constants[((value ^ width) * 0x9e3779b97f4a7c15ull) >> 57];
}

extern UNTAKEN_OWN_OF_THREAD __thread bool untaken_inside;
/* glibc says so before a second thread can run; without it we always lock. */
extern char __libc_single_threaded __attribute__((weak));

static inline bool untaken_one_thread(void) {
    return &__libc_single_threaded != NULL && __libc_single_threaded;
}

/* A sanitizer's own code watches what the program has the C library do. */
extern void __sanitizer_set_death_callback(void (*)(void)) __attribute__((weak));

static inline bool untaken_is_sanitized(void) { return __sanitizer_set_death_callback != NULL; }

void untaken_lock_slow(void);
void untaken_give_up_lock(void); /* if this thread has it */

static inline bool core_enter(void) {
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

static inline void core_leave(void) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (__atomic_load_n(&untaken_core.lock, __ATOMIC_RELAXED)) {
        __atomic_store_n(&untaken_core.lock, 0, __ATOMIC_RELEASE);
    }
    untaken_inside = false;
}

static inline bool core_begin(void) { return untaken_recording && core_enter(); }

/* Label 0 leads to node 0, whose operator is NONE: no rule fits it. */
static inline const struct untaken_node *node_of(untaken_label label) { return &untaken_core.nodes[label]; }

/* Before the first write to a place in shared memory: the kernel maps the pages around one that is read, but only
 * the one that is written to. */
/* As one that writes does, so that the kernel need not be asked twice. Others may be writing to what is shared. */
static inline void untaken_touch_to_write(volatile uint8_t *place) {
    uint8_t nothing = 0;
    __atomic_compare_exchange_n(place, &nothing, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static inline void before_writing(const void *place) { (void)*(const volatile uint8_t *)place; }

/* Characters and numbers without a call. */
static inline void copy_bytes(void *to, const void *from, uint64_t size) {
    switch (size) {
    case 1: memcpy(to, from, 1); break;
    case 2: memcpy(to, from, 2); break;
    case 4: memcpy(to, from, 4); break;
    case 8: memcpy(to, from, 8); break;
    default: memcpy(to, from, size);
    }
}

/* Of 1 to 64 bits. */
static inline uint64_t width_mask(unsigned width) { return ~0ull >> (-width & 63); }

static inline int64_t sign_extended(uint64_t value, unsigned width) {
    unsigned shift = 64 - width;
    return (int64_t)(value << shift) >> shift;
}

/* The operand of a node as a term; constants become plain values. */
static inline term term_of_operand(uint32_t index) {
    const struct untaken_node *node = node_of(index);
    return (term){node->op == UNTAKEN_OP_CONST ? 0 : index, node->width, node->value};
}

static inline bool is_constant_node(uint32_t index) { return node_of(index)->op == UNTAKEN_OP_CONST; }

static inline bool is_comparison(unsigned op) { return op >= UNTAKEN_OP_EQ && op <= UNTAKEN_OP_SLE; }

/* state.c */
void untaken_attach(struct untaken_shared *shared);
void untaken_count_concretised(uint32_t kind);
void untaken_cut(uint32_t bit);

/* expressions/nodes.c */
void untaken_nodes_start(void);     /* once, in the server */
void untaken_nodes_begin_run(void); /* before each run */
void untaken_nodes_warm_up(void);

/* expressions/byte_packing.c: the same, for values that are put together from pieces and taken apart. */
bool untaken_join_disjoint(term a, term b, term *result); /* a | b, if no bit may be set in both */
bool untaken_shift_up(term a, unsigned by, term *result); /* 0 < by < width */
bool untaken_shift_down(term a, unsigned by, term *result);
bool untaken_mask_low(term a, uint64_t mask, term *result); /* a & mask, if that is the lowest bits; some, not all */

/* expressions/terms.c */
/* A label that does not fit its value (a function declared with another type, say) is adapted to it, or dropped if
 * the value differs. */
term term_adapted(untaken_label label, unsigned width, uint64_t value);

static inline bool has_value(untaken_label label, unsigned width, uint64_t value) {
    const struct untaken_node *node = node_of(label);
    return label < untaken_shared->node_count && node->width == width && node->value == value;
}

/* The label as the instrumented code sees it, beside the width and value that it computed. */
static inline term term_believed(untaken_label label, unsigned width, uint64_t value) {
    value &= width_mask(width);
    if (label == 0 || has_value(label, width, value)) {
        return (term){label, (uint8_t)width, value};
    }
    return term_adapted(label, width, value);
}
term term_raw_node(unsigned op, unsigned width, term a, term b, uint64_t value);

/* expressions/funnel_shift.c */
term term_funnel(term high, term low, term shift, bool right);

/* memory/shadow.c */
void untaken_memory_fill(void *to, uint64_t size, untaken_label lbyte); /* lbyte: of 8 bits or fewer, or 0 */
term untaken_memory_loaded(const void *from, uint32_t size, uint64_t value);

/* memory/loads.c */
/* The label of what was loaded through a symbolic address. `changed` tells whether a range of memory was written
 * to since the load: then no table can be made of it. */
untaken_label untaken_load_indirect(term address, uint32_t size, uint64_t value, const void *object,
                                    uint64_t object_size, bool (*changed)(uint64_t start, uint64_t end, void *),
                                    void *context);
struct untaken_range {
    uint64_t low, high;
};
struct untaken_range untaken_range_of(untaken_label label);
unsigned untaken_step_of(untaken_label label);
/* memory/readable.c */
/* Narrows the places at which a load of so many bytes may begin to those that the program itself can read: they are
 * around the address where it has just read, in this object. Globals and locals stay readable unless the program changes
 * that; but blocks may have been given back by others, and of mappings the file may be shorter. */
void untaken_clip_to_readable(struct untaken_range *starts, uint64_t address, uint32_t size, const void *object);
/* What lies around the address between the red zones of AddressSanitizer, which has locals in one large frame. */
bool untaken_find_guarded(uint64_t address, const void **start, uint64_t *size);
void untaken_rights_changed(void); /* the program has taken rights to read away from itself, maybe */
/* memory/tables.c */
void untaken_tables_begin_run(void);
void untaken_tables_warm_up(void);
/* Offset of the table with these contents, or UINT32_MAX if there is no room. */
uint32_t untaken_table_intern(uint32_t width, uint32_t count, const uint64_t *values, const uint32_t *entries);
/* Memory from `first` on, `count` places that lie 2^shift bytes apart; fewer than UNTAKEN_LARGEST_EXTENT bytes lie
 * between the first and the last. */
#define UNTAKEN_LARGEST_EXTENT 4096u
struct untaken_places {
    uint64_t first;
    uint64_t count;
    uint32_t shift;
    uint32_t size; /* bytes read at each */
};
/* The table last made of these places, if they hold no labels and still the same values; else UINT32_MAX. */
uint32_t untaken_table_recall(const struct untaken_places *places);
void untaken_table_remember(const struct untaken_places *places, uint32_t offset);
uint64_t untaken_table_value(uint32_t offset, uint64_t index);

/* trace/events.c */
uint32_t untaken_unusual_position(void); /* of a thread that has no events yet, or whose events are cut off */

static inline uint64_t untaken_event_bytes(void) {
    return (uint64_t)__untaken_cursor - (uint64_t)untaken_core.events;
}

static inline bool untaken_position_is_usual(void) { return untaken_event_bytes() < untaken_core.event_bytes; }

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
void untaken_events_off(void);       /* in a child of the target */
void untaken_events_restart(void);   /* in a run that begins at a snapshot, in the middle of a function */
void untaken_emit(uint32_t event);
uint64_t untaken_events_reuse(void); /* wandering: how many branches are new; the events' room is used again */

/* process/startup.c */
extern void (*const untaken_startup)(int, char **, char **);

/* trace/images.c: images, and what their events mean */
void untaken_images_settle(const uint8_t *executable); /* once, before the server starts */
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

/* trace/finish.c */
void untaken_finish_trace(void); /* after each run */
void untaken_hash_windows(void); /* at the end of that, if they are wanted */
uint64_t untaken_constraint_total(void);

/* libc/text/character_classes.c */
void untaken_ctype_start(void) __attribute__((weak)); /* if the program has models of these functions */

/* memory/objects.c */
void untaken_objects_start(void);
void untaken_globals_sort(void); /* once, in the server: else each run would */
bool untaken_is_block(const void *start); /* of the heap, or mapped; else a global */
uintptr_t untaken_object_sizes(uintptr_t address); /* where the sizes of heap blocks are kept from this one on */
void untaken_globals_add(const struct untaken_global *begin, const struct untaken_global *end);

/* process/server.c */
void untaken_server(void);
int64_t untaken_now_ms(void);
bool untaken_fork_run(void); /* from a snapshot: forks a run and waits for its end; true in the child, which goes on */

#define UNTAKEN_MOST_LEFT 16
/* An object that a run has made and that would outlive it, see process/leftovers.c. */
#define UNTAKEN_MOST_LEFTOVERS 32
#define UNTAKEN_LEFTOVER_NAME 56
struct untaken_leftover {
    uint32_t kind;
    int32_t id;
    char name[UNTAKEN_LEFTOVER_NAME];
};

/* Between a fork server and its runs. */
struct untaken_watch {
    int64_t started_ms; /* of the run under way, by the monotonic clock; 0: it waits as a snapshot */
    int32_t runner;     /* process of a run that nobody has reported yet; 0: none */
    int32_t followed;      /* the child that was last forked to be followed, see process/children.c; -1: it could not be */
    uint32_t left_count;   /* processes that the run under way has left, to go on in a child */
    int32_t left[UNTAKEN_MOST_LEFT];
    uint64_t processes;    /* that were to have more than one run, see process/reuse.c */
    uint64_t further_runs; /* that they had, and soon */
    uint32_t changed_descriptors; /* 1: standard ones may have other flags or locks than at first */
    uint32_t leftover_count;
    struct untaken_leftover leftovers[UNTAKEN_MOST_LEFTOVERS];
};
extern struct untaken_watch *untaken_watch;

/* process/leftovers.c */
void untaken_leftovers_start(void);  /* once, in the server */
void untaken_leftovers_remove(void); /* after each run */
void untaken_descriptors_put_back(void); /* before each run */

/* process/run.c */
void untaken_run_descriptors(int control, int status, int snapshot);
void untaken_run_prepare(void); /* once, before any other exit handler is registered */
void untaken_run_when_asked(void); /* in a process that was forked ahead; leaves it if the driver is gone */
void untaken_begin_run(void); /* with the results reset, and labels unless the flags forbid them */
void untaken_note_end(enum untaken_exit_kind kind, const char *message);
void untaken_settle(uint32_t kind, int code); /* completes the results; `kind` unless the run noted its end */
bool untaken_report(char status);
bool untaken_refuse_run(const char *why);
bool untaken_driver_gone(void);
bool untaken_snapshot_command(char *command);

/* process/prefault.c */
extern const size_t untaken_warm_size;
void untaken_warm_start(void *room); /* once, in the server, when all of its memory is there; runs share the room */
void untaken_warm_up(void);    /* in a run that waits: there is no hurry */
void untaken_warm_learn(void); /* in a run that is over */
void untaken_warm_forget(void); /* in the server: some page is not there any more */

/* input/random_input.c */
void untaken_random_seed(uint64_t seed);
/* Draws what is not given of a field. */
void untaken_draw(uint64_t offset, uint64_t size, enum untaken_field_kind kind, const char *name);

/* input/sources.c */
void untaken_sources_rewrite(void); /* the input has changed since they were laid out */

/* process/snapshot.c */
uint64_t untaken_position_in_input(int descriptor, void *file); /* of the input byte that comes next */
void untaken_wander_begin(void); /* before such a run */
void untaken_wander(int descriptor, void *file); /* at an input statement, see untaken_input_statement */
void untaken_note_asked(int descriptor, void *file); /* likewise, in a run from a snapshot */
void untaken_note_child(void); /* the program has forked */

/* input/input.c */
uint64_t untaken_take_process(void); /* at a fork: the input byte that says which of the two is followed */
void untaken_input_by_hand(const char *path);

#endif
