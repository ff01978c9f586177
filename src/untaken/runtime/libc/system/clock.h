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
/* Nanoseconds that are left until a deadline; below zero if it is over. */
int64_t clock_until(struct timespec deadline);
/* The clock that the deadline is by. */
clockid_t clock_of(struct timespec deadline);

#endif
