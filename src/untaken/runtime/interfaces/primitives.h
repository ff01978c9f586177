/* What the public interfaces (untaken.h, crest.h, klee/klee.h, __VERIFIER_*) are made of. There are two
 * implementations: input/input.c, where inputs carry labels, and interfaces/native.c, for replaying a test on the
 * plain build. */
#ifndef UNTAKEN_INTERFACES_PRIMITIVES_H
#define UNTAKEN_INTERFACES_PRIMITIVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The next bytes of the input. kind: enum untaken_field_kind. */
void untaken_fill(void *to, size_t size, unsigned kind, const char *name);
/* One byte that is 0 or 1: the lowest bit of the next byte of the input. */
void untaken_fill_bool(void *to, const char *name);
/* `self` is about to return this value, which was filled. */
void untaken_answer(void *self, void *value, size_t size);
/* Ends the run, as no test, unless the value is nonzero; it is the given argument of `self`. */
void untaken_require(void *self, unsigned argument, uint64_t value);
/* The same unless low <= value < low + count, as unsigned numbers modulo their width. */
void untaken_require_range(const void *value, size_t size, uint64_t low, uint64_t count);
/* From here on only the concrete value of the first argument of `self` counts. */
void untaken_keep_value(void *self, uint64_t value);
bool untaken_has_label(void *self); /* is the first argument of `self` symbolic? */
bool untaken_is_replay(void);
_Noreturn void untaken_reject(void); /* the input is no test */
_Noreturn void untaken_fail(const char *message); /* the input is a finding */

#endif
