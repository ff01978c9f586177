/* What instrumented code does, as models and interfaces report it, too: decisions, and labels across calls. */
#ifndef UNTAKEN_TRACKING_TRACKING_H
#define UNTAKEN_TRACKING_TRACKING_H

#include "expressions/expressions.h"

/* ---- constraints.c: the path constraint ---- */
/* condition has width 1; nothing is recorded if its label is 0. taken is condition.value. */
void untaken_decide(enum untaken_constraint_kind kind, term condition, uint32_t id);
/* Records a condition that holds as a pin does, but may be flipped: a BOUND. */
void untaken_bound(term condition);
bool untaken_is_pinned(term value); /* in this run; then nothing more is to be said of it */
void untaken_pin_term(term value); /* records value == its concrete value as a PIN */
/* Decides against the other entries of the table that the target of a call or jump was read from. */
void untaken_refuse_targets(term target);

/* ---- calls.c: for models, which are called as if they were instrumented functions ------------------------
 * A model of strlen is the function untaken_model_strlen; instrumented code calls it in the place of strlen
 * when the declared type fits. untaken_arguments gives the labels that the caller passed to `self`, at most
 * `count`, zeros if none; untaken_return hands back the label of the result. */
void untaken_arguments(void *self, untaken_label *labels, unsigned count);
void untaken_return(void *self, untaken_label label);
void untaken_count_external(const char *name);

/* ---- libm_calls.c: the result of a function that sets errno, if it is infinite or no number ---- */
void untaken_may_set_errno(term result);

/* Before a longjmp: the label of what setjmp is going to return. */
void untaken_jump_with(untaken_label label);

#endif
