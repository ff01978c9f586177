/* What the parts of the runtime offer each other. Nothing here is seen by instrumented code. */
#ifndef UNTAKEN_INTERNAL_H
#define UNTAKEN_INTERNAL_H

#include "abi.h"

#include <stdbool.h>

/* ---- state.c: the shared memory, and whether we are recording ------------------------------------------
 * Null if the program was started by hand: then it behaves as the plain program. */
extern struct untaken_shared *untaken_shared __attribute__((visibility("protected")));
/* True while expressions are recorded: a run under the fork server, in the process that it forked (not in
 * children of the target), and not UNTAKEN_RUN_CONCRETE. Inputs get labels only then. */
extern bool untaken_recording __attribute__((visibility("protected")));

/* The runtime is not re-entered by a signal handler or by our own calls into instrumented code: begin
 * returns false if this thread is already inside, and then the caller answers "concrete". */
bool untaken_enter(void);
void untaken_leave(void);

/* Moves one of our descriptors out of the way of the numbers that the program's own files get. */
int untaken_hide_descriptor(int fd);

/* ---- expressions/nodes.c: hash-consed expression nodes --------------------------------------------------------------
 * All return 0 if recording is off or the table is full (which is noted in cut_off). `value` is the concrete
 * value of the new node in this run. Builders take labels that may be 0, with the concrete value beside each,
 * and return 0 if all are 0. Simplifications (constants, extract of concat, ...) are done here. */
untaken_label untaken_node(uint8_t op, uint8_t width, uint32_t a, uint32_t b, uint32_t c, uint64_t value);
untaken_label untaken_constant(uint8_t width, uint64_t value);
untaken_label untaken_input_node(uint64_t index, uint8_t value);
uint64_t untaken_value(untaken_label label); /* concrete value in this run */
uint8_t untaken_width(untaken_label label);

/* A value with its expression; label 0 means just the value. Widths up to 64. */
struct untaken_term {
    untaken_label label;
    uint8_t width;
    uint64_t value;
};
typedef struct untaken_term term;

static inline term term_constant(uint8_t width, uint64_t value) { return (term){0, width, value}; }
term term_of_label(untaken_label label); /* label must be nonzero */
/* op: any binary op of abi.h, the request-only ones included; computes the concrete value itself. */
term term_binary(enum untaken_op op, term a, term b);
term term_unary(enum untaken_op op, term a);
term term_extend(enum untaken_op op, term a, uint8_t width); /* ZEXT SEXT TRUNC */
term term_extract(term a, uint8_t low, uint8_t width);
term term_concat(term high, term low);
term term_ite(term condition, term then_value, term else_value);
term term_not(term a); /* of width 1 */
term term_and(term a, term b); /* bitwise, any width */
term term_or(term a, term b);

/* ---- memory/shadow.c: labels of memory ---------------------------------------------------------------------- */
/* Checks labels against the bytes that are really there; a mismatch (uninstrumented code wrote there) drops
 * the label and is counted. */
term untaken_memory_byte(const void *address);
term untaken_memory_load(const void *address, uint32_t size); /* 1 to 8 bytes, little-endian */
bool untaken_memory_symbolic(const void *address, uint64_t size); /* any label in the range? fast if none */
void untaken_memory_store(void *address, uint32_t size, untaken_label label); /* label of 8 * size bits, or 0 */
void untaken_memory_clear(void *address, uint64_t size);
void untaken_memory_copy(void *to, const void *from, uint64_t size); /* labels only; ranges may overlap */

/* ---- tracking/constraints.c ------------------------------------------------------------------------------------ */
/* condition has width 1; nothing is recorded if its label is 0. taken is condition.value. */
void untaken_decide(enum untaken_constraint_kind kind, term condition, uint32_t id);
void untaken_pin_term(term value); /* records value == its concrete value as a PIN */
/* Decides against the other entries of the table that the target of a call or jump was read from. */
void untaken_refuse_targets(term target);

/* ---- tracking/calls.c: for models, which are called as if they were instrumented functions ------------------------
 * A model of strlen is the function untaken_model_strlen; instrumented code calls it in the place of strlen
 * when the declared type fits. untaken_arguments gives the labels that the caller passed to `self`, at most
 * `count`, zeros if none; untaken_return hands back the label of the result. */
void untaken_arguments(void *self, untaken_label *labels, unsigned count);
void untaken_return(void *self, untaken_label label);
void untaken_count_external(const char *name);

/* ---- input/input.c ------------------------------------------------------------------------------------------ */
/* Takes the next `size` bytes of the input for a field; returns their offset. */
uint64_t untaken_take_field(uint64_t size, enum untaken_field_kind kind, const char *name);
uint8_t untaken_input_value(uint64_t index); /* 0 past the end */
/* The program asks for input, of a stream through its descriptor (and FILE, or null), or else (-1) through an input
 * function. May end the run, or turn it into a snapshot. */
void untaken_input_statement(int descriptor, void *file);
/* Copies input bytes to memory and labels them. */
void untaken_deliver(void *to, uint64_t offset, uint64_t size);

/* ---- input/sources.c: stdin, files and arguments that are drawn from the input -------------------------------
 * The server lays each stdin or file out in a memfd before the run, so that code we do not know reads the
 * right bytes; labels are given by position. */
struct untaken_stream {
    uint64_t offset;   /* of its bytes in the input */
    uint64_t capacity; /* declared largest size */
    uint64_t size;     /* size in this run */
    term size_term;    /* 64 bits: min(length field, capacity) */
    int memfd;
    const char *name;  /* "" for stdin */
    bool asked;        /* a model was about to read it in this run */
    bool connected;    /* of stdin: it was accepted as a connection, see libc/files/sockets.c */
};
struct untaken_stream *untaken_stream_of_fd(int fd);            /* null if not one of ours */
struct untaken_stream *untaken_stream_of_name(const char *name);
struct untaken_stream *untaken_stream_of_stdin(void); /* null if it is not declared */
/* Once, before the server starts (also by hand, when there is nothing declared). */
void untaken_sources_start(int argc, char **argv);
/* Before each run, with recording as it will be in it: lays the streams out and takes
 * their fields, the first of the input. */
void untaken_sources_prepare(void);
/* At the end of a run: notes if stdin was read where nobody saw it. */
void untaken_sources_check(void);

/* ---- memory/objects.c: what a symbolic address may point into -------------------------------------------------- */
/* Finds the global or heap block that holds `address`. Heap blocks are known through malloc_usable_size of the
 * models of malloc, calloc, realloc, free, strdup and the like, which keep a table of live blocks. */
bool untaken_find_object(const void *address, const void **start, uint64_t *size);
void untaken_object_add(const void *start, uint64_t size);
void untaken_object_remove(const void *start);

/* ---- process/run.c --------------------------------------------------------------------------------------------- */
/* Ends the run: sets exit kind and message, then leaves without running anything of the target's. */
_Noreturn void untaken_end_run(enum untaken_exit_kind kind, const char *message);
/* Notes why the program is about to fail (exit kind ERROR) and returns, so that it dies in its own way. */
void untaken_note_error(const char *message);

#endif
