/* Which of the processes at hand takes the next request.
 *
 * A process that is used again has all that a run touches in its caches, so it goes on taking requests, and the other is
 * parked until that one ends: asleep at the same pipe, it would be woken up by every second request. Where the driver
 * waits awake for its answers (execute/server.py), the process stays awake for a moment, too: to be woken up on another
 * processor takes as long as many a run. */
#define _GNU_SOURCE
#include "process/process.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define AWAKE_NS 400000 /* most drivers have chosen and solved by then */
#define GONE_NS 50000   /* between two looks: somebody else had the processor */
#define SLEEPS 64       /* further requests that are waited for asleep then */
#define PARKED_MS 20    /* how often somebody who is parked looks whether a request lies there */

static int64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Where others need the processor, it is left to them for a while. */
static void stay_awake(void) {
    uint32_t *asleep = &untaken_server_shared->asleep;
    if (*asleep > 0) {
        --*asleep;
        return;
    }
    int64_t begun = now_ns(), last = begun;
    while (!untaken_is_asked() && last - begun < AWAKE_NS) {
        sched_yield();
        int64_t now = now_ns();
        if (now - last > GONE_NS) {
            *asleep = SLEEPS;
            return;
        }
        last = now;
    }
}

static int32_t holder(void) { return __atomic_load_n(&untaken_server_shared->turn, __ATOMIC_ACQUIRE); }

/* Until it changes whose turn it is. A run may have written over that: so if a request is there that nobody has taken
 * since the last look, or nobody will ask any more, it is as good as ours. */
static void park(int32_t own) {
    bool was_asked = false;
    for (int32_t other; (other = holder()) != 0 && other != own;) {
        const struct timespec a_while = {0, PARKED_MS * 1000000};
        syscall(SYS_futex, &untaken_server_shared->turn, FUTEX_WAIT, other, &a_while, NULL, 0);
        bool is_asked = untaken_is_asked();
        if ((is_asked && was_asked) || untaken_driver_gone()) {
            return;
        }
        was_asked = is_asked;
    }
}

void untaken_await_turn(void) {
    int32_t own = (int32_t)getpid(), none = 0;
    int error = errno;
    if (untaken_reuse_has_run()) {
        __atomic_compare_exchange_n(&untaken_server_shared->turn, &none, own, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    }
    park(own);
    if (holder() == own && (untaken_shared->run_flags & UNTAKEN_RUN_AWAKE) != 0) {
        stay_awake();
    }
    errno = error;
}

void untaken_give_turn_away(pid_t from) {
    int32_t own = (int32_t)from;
    if (__atomic_compare_exchange_n(&untaken_server_shared->turn, &own, 0, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        syscall(SYS_futex, &untaken_server_shared->turn, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    }
}
