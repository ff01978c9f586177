/* Models of the clocks: in a run time goes by with each question, and begins at the same moment in all runs, so that a
 * program which looks at the clock still does the same for the same input. */
#define _GNU_SOURCE
#include "libc/system/clock.h"
#include "memory/memory.h"

#include <sys/time.h>
#include <time.h>

#define BEGINNING 1000000000ll    /* seconds: a moment in 2001 */
#define QUESTION_NANOSECONDS 10000 /* what passes with each; programs that wait for a moment come to it */

static int64_t passed; /* nanoseconds since the beginning; a run is a process of its own */

static struct timespec next_moment(int64_t beginning) {
    int64_t now = clock_pass(QUESTION_NANOSECONDS);
    return (struct timespec){.tv_sec = beginning + now / SECOND, .tv_nsec = now % SECOND};
}

int64_t clock_pass(int64_t nanoseconds) { return __atomic_add_fetch(&passed, nanoseconds, __ATOMIC_RELAXED); }

bool clock_is_ours(void) { return untaken_core.under_way; }

/* A moment that is told as a date is far from zero. */
int64_t clock_until(struct timespec moment) {
    int64_t seconds = moment.tv_sec < BEGINNING / 2 ? moment.tv_sec : moment.tv_sec - BEGINNING;
    return seconds * SECOND + moment.tv_nsec - clock_pass(0);
}

clockid_t clock_of(struct timespec moment) { return moment.tv_sec < BEGINNING / 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME; }

static void written(void *to, size_t size) {
    if (untaken_recording && untaken_enter()) {
        untaken_memory_clear(to, size);
        untaken_leave();
    }
}

time_t untaken_model_time(time_t *to) {
    if (!clock_is_ours())
        return time(to);
    time_t now = next_moment(BEGINNING).tv_sec;
    if (to) {
        *to = now;
        written(to, sizeof *to);
    }
    return now;
}

int untaken_model_gettimeofday(struct timeval *to, void *zone) {
    if (!clock_is_ours() || !to)
        return gettimeofday(to, zone);
    struct timespec now = next_moment(BEGINNING);
    *to = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    written(to, sizeof *to);
    return 0;
}

/* Clocks that tell no date begin at zero. */
int untaken_model_clock_gettime(clockid_t clock, struct timespec *to) {
    bool dated = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
    if (!clock_is_ours() || !to || clock < 0 || clock > CLOCK_TAI)
        return clock_gettime(clock, to);
    *to = next_moment(dated ? BEGINNING : 0);
    written(to, sizeof *to);
    return 0;
}

clock_t untaken_model_clock(void) {
    if (!clock_is_ours())
        return clock();
    struct timespec now = next_moment(0);
    return now.tv_sec * CLOCKS_PER_SEC + now.tv_nsec / (SECOND / CLOCKS_PER_SEC);
}
