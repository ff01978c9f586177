/* Models of the clocks. In a run time begins at the same instant, and goes by with each look at a clock: so a program
 * that looks at the clock still does the same for the same input. */
#define _GNU_SOURCE
#include "libc/system/clock.h"
#include "memory/memory.h"

#include <sys/time.h>
#include <time.h>

#define BEGINNING 1000000000ll     /* seconds since 1970: a day in 2001 */
#define QUESTION_NANOSECONDS 10000 /* what passes with each look at a clock: programs that wait in a loop come to an end */

/* Nanoseconds since the run began. Each run begins with 0: it is forked from the server, or the process' memory was put
 * back before it (process/reuse.c). */
static int64_t passed;

static struct timespec next_time(int64_t beginning) {
    int64_t now = clock_pass(QUESTION_NANOSECONDS);
    return (struct timespec){.tv_sec = beginning + now / SECOND, .tv_nsec = now % SECOND};
}

int64_t clock_pass(int64_t nanoseconds) { return __atomic_add_fetch(&passed, nanoseconds, __ATOMIC_RELAXED); }

bool clock_is_ours(void) { return untaken_state.under_way; }

/* A deadline by a clock that tells dates is far from zero. */
int64_t clock_until(struct timespec deadline) {
    int64_t seconds = deadline.tv_sec < BEGINNING / 2 ? deadline.tv_sec : deadline.tv_sec - BEGINNING;
    return seconds * SECOND + deadline.tv_nsec - clock_pass(0);
}

clockid_t clock_of(struct timespec deadline) { return deadline.tv_sec < BEGINNING / 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME; }

static void written(void *to, size_t size) {
    if (runtime_begin()) {
        untaken_memory_clear(to, size);
        runtime_leave();
    }
}

time_t untaken_model_time(time_t *to) {
    if (!clock_is_ours())
        return time(to);
    time_t now = next_time(BEGINNING).tv_sec;
    if (to) {
        *to = now;
        written(to, sizeof *to);
    }
    return now;
}

int untaken_model_gettimeofday(struct timeval *to, void *zone) {
    if (!clock_is_ours() || !to)
        return gettimeofday(to, zone);
    struct timespec now = next_time(BEGINNING);
    *to = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    written(to, sizeof *to);
    return 0;
}

/* Clocks that tell no date begin at zero. */
int untaken_model_clock_gettime(clockid_t clock, struct timespec *to) {
    bool dated = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
    if (!clock_is_ours() || !to || clock < 0 || clock > CLOCK_TAI)
        return clock_gettime(clock, to);
    *to = next_time(dated ? BEGINNING : 0);
    written(to, sizeof *to);
    return 0;
}

clock_t untaken_model_clock(void) {
    if (!clock_is_ours())
        return clock();
    struct timespec now = next_time(0);
    return now.tv_sec * CLOCKS_PER_SEC + now.tv_nsec / (SECOND / CLOCKS_PER_SEC);
}
