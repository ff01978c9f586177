/* What the models of libc share: how a call is taken apart and how an expression over a string is built.
 *
 * A model calls the real function exactly as the program would have, and then, if a run is recorded, builds
 * the expression of the result. Expressions hold for every input that keeps to the decisions recorded so far,
 * not just for the one at hand: the tests evaluate them for other inputs and ask the real function again.
 */
#ifndef UNTAKEN_LIBC_MODEL_H
#define UNTAKEN_LIBC_MODEL_H

#include "memory/memory.h"
#include "tracking/tracking.h"

#include <stdarg.h>

#define SELF(function) ((void *)(uintptr_t)untaken_model_##function)

/* More symbolic positions than this in one call are not followed. */
#define SCAN_LIMIT 4096u

/* Takes the labels of the arguments. True if a run is recorded and the model may go on; then it must end with
 * model_end. Else the result is concrete. */
bool model_begin(void *self, untaken_label *labels, unsigned count);
/* Hands back the expression of the result, and leaves. An expression that does not have the value that the
 * program sees is dropped and counted. */
void model_end(void *self, term result, uint64_t concrete);
void model_end_concrete(void *self);
/* The result is the argument with this label, unchanged. */
void model_end_label(void *self, untaken_label label);

/* All of a model that follows nothing: the call is named if one of two pieces of memory that it read is symbolic. */
void model_not_followed(void *self, const char *name, const void *first, uint64_t first_size, const void *second,
                 uint64_t second_size);

/* An argument as a term. */
static inline term model_argument(untaken_label label, uint8_t width, uint64_t value) {
    return term_believed(label, width, value);
}

/* An address or a size of which only the concrete value is followed. */
static inline void model_pin(untaken_label label, uint64_t value) {
    if (label)
        untaken_pin_term(term_believed(label, 64, value));
}

/* The same of how many bytes a function wrote, and maybe read. */
static inline void model_pin_count(untaken_label label, uint64_t count, const void *to, const void *from) {
    if (label)
        untaken_pin_count(term_believed(label, 64, count), to, from);
}

static inline void model_pin_pointer(untaken_label label, const void *pointer) {
    model_pin(label, (uintptr_t)pointer);
}

/* The body of a function with `...` behind `format`: calls the variant that takes a va_list. */
#define WITH_ARGUMENTS(call)                                                                                       \
    va_list arguments;                                                                                             \
    va_start(arguments, format);                                                                                   \
    int result = call;                                                                                             \
    va_end(arguments);                                                                                             \
    return result

static inline term term_true(void) { return term_constant(1, 1); }
static inline term term_false(void) { return term_constant(1, 0); }
static inline bool term_certain(term a) { return a.label == 0 && a.value != 0; }
static inline bool term_impossible(term a) { return a.label == 0 && a.value == 0; }
static inline term term_equals(term a, uint64_t value) {
    return term_binary(UNTAKEN_OP_EQ, a, term_constant(a.width, value));
}
/* a is one of low, low + 1, ..., high, modulo 2^width. */
term term_between(term a, uint64_t low, uint64_t high);
/* a as 64 bits, zero-extended. */
term term_to_64(term a);

/* Bytes that a function may look at. `seen` are those that it did look at; past them are those that it would
 * go on to for another input: bytes with a label, and bytes on the page of one that is there. */
struct span {
    const unsigned char *start;
    uint64_t seen;
};
bool span_byte(const struct span *span, uint64_t index, term *byte); /* false if it may not be there */
static inline bool span_symbolic(const struct span *span) { return untaken_memory_symbolic(span->start, span->seen); }

/* A function that walks over positions until it stops: at position i it stops if `stop`, and then returns
 * `result`. False from the step: what is there is not known; `stop` is what is known all the same. */
struct scan_step {
    term stop;
    term result;
};
typedef bool scan_position(const void *context, uint64_t index, struct scan_step *step);
/* One expression for the result. Where the walk would leave what is known, that it does not is pinned. */
term scan(scan_position *position, const void *context, uint64_t concrete, uint8_t width);

/* Decides, as one decision that a search may flip, that the string has the length that it has. */
void string_decide_length(const char *string, uint64_t length);
/* The same for a string of which at most `limit` bytes were looked at. */
void string_decide_length_within(const char *string, uint64_t length, uint64_t limit);

/* libc/text/character_classes.c: classes and case of the current locale, as unions of ranges. character has 8 bits. */
enum character_class {
    CLASS_ALNUM, CLASS_ALPHA, CLASS_BLANK, CLASS_CNTRL, CLASS_DIGIT, CLASS_GRAPH, CLASS_LOWER, CLASS_PRINT,
    CLASS_PUNCT, CLASS_SPACE, CLASS_UPPER, CLASS_XDIGIT, CLASS_COUNT
};
term character_in_class(enum character_class which, term character);
term character_lower(term character);
/* A set given by 256 flags. */
term character_in_set(const bool *members, term character);

/* libc/string/wanted_words.c: a string was not equal to a text, of each of which at most `limit` bytes were looked
 * at. If no change of its bytes makes it so, because it is too short or too long, and the text has no labels, that
 * is noted. */
void note_word(struct untaken_word *word); /* asked for now; unless it is noted already, or there is no room */
void note_wanted_word(const char *string, const char *text, uint64_t limit);
/* A function that takes a string apart would have gone on if the text, of up to UNTAKEN_WORD_SIZE bytes, had been put in
 * here, or had been in the place of the rest of the string. */
void note_wanted_text(const char *string, const char *text, bool in_place_of_all);

/* libc/memory/allocation.c: a block that libc allocated for the program. */
void block_added(void *block, uint64_t size);

#endif
