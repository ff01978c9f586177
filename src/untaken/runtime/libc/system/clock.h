/* The clock of a run, for those who look at it and for those who wait. */
#ifndef UNTAKEN_LIBC_SYSTEM_CLOCK_H
#define UNTAKEN_LIBC_SYSTEM_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define SECOND 1000000000ll

/* Started by hand, and in processes that the program starts, clocks are the real ones. */
bool clock_is_ours(void);
/* Lets time go by; what has passed since the run's beginning, in nanoseconds. */
int64_t clock_pass(int64_t nanoseconds);
/* What is left until a moment; below zero if it is over. */
int64_t clock_until(struct timespec moment);
/* The clock that tells such a moment. */
clockid_t clock_of(struct timespec moment);

#endif
