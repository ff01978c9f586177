/* Models of functions that wait: for so long, or until a deadline of the run's own clock (libc/system/clock.c). They
 * do wait, as other threads and processes may have to come to something meanwhile; and the clock goes on by what
 * they waited for. */
#define _GNU_SOURCE
#include "input/streams.h"
#include "libc/model.h"
#include "libc/system/clock.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>

struct argument {
    uint8_t width;
    uint64_t value;
};

/* Only the concrete values of the arguments count. */
static void pin_arguments(void *self, const struct argument *arguments, unsigned count) {
    untaken_label labels[UNTAKEN_ARGUMENT_LABELS];
    int saved = errno;
    if (model_begin(self, labels, count)) {
        for (unsigned i = 0; i < count; i++) {
            untaken_pin_term(term_believed(labels[i], arguments[i].width, arguments[i].value));
        }
        model_end_concrete(self);
    }
    errno = saved;
}

#define PIN(function, ...)                                                                                             \
    pin_arguments(SELF(function), (struct argument[]){__VA_ARGS__},                                                    \
                  sizeof((struct argument[]){__VA_ARGS__}) / sizeof(struct argument))
#define WORD(value) {32, (uint32_t)(value)}
#define LONG(value) {64, (uint64_t)(value)}
#define POINTER(value) {64, (uintptr_t)(value)}

static void waited(int64_t nanoseconds) {
    if (clock_is_ours() && nanoseconds > 0)
        clock_pass(nanoseconds);
}

static int64_t nanoseconds_of(struct timespec time) { return time.tv_sec * SECOND + time.tv_nsec; }

/* ---- For so long ---- */

unsigned untaken_model_sleep(unsigned seconds) {
    unsigned left = sleep(seconds);
    PIN(sleep, WORD(seconds));
    waited((int64_t)(seconds - left) * SECOND);
    return left;
}

int untaken_model_usleep(useconds_t microseconds) {
    int result = usleep(microseconds);
    PIN(usleep, WORD(microseconds));
    if (result == 0)
        waited((int64_t)microseconds * 1000);
    return result;
}

int untaken_model_nanosleep(const struct timespec *wanted, struct timespec *left) {
    int64_t time = wanted ? nanoseconds_of(*wanted) : 0;
    int result = nanosleep(wanted, left);
    PIN(nanosleep, POINTER(wanted), POINTER(left));
    if (wanted && untaken_memory_symbolic(wanted, sizeof *wanted))
        untaken_count_external("nanosleep");
    if (result == 0)
        waited(time);
    return result;
}

/* Whether there is something to read, where the program itself may have sent it; and whether the input says which files
 * are asked about. */
static void note_awaited(struct pollfd *files, nfds_t count) {
    if (!runtime_begin())
        return;
    for (nfds_t i = 0; i < count; i++) {
        if (untaken_memory_symbolic(&files[i], offsetof(struct pollfd, revents)))
            untaken_count_external("poll");
        if (files[i].events & POLLIN)
            descriptor_note_awaited(files[i].fd, "poll (of a pipe or socket)");
        untaken_memory_clear(&files[i].revents, sizeof files[i].revents);
    }
    runtime_leave();
}

int untaken_model_poll(struct pollfd *files, nfds_t count, int milliseconds) {
    int result = poll(files, count, milliseconds);
    if (result >= 0)
        note_awaited(files, count);
    PIN(poll, POINTER(files), LONG(count), WORD(milliseconds));
    if (result == 0)
        waited((int64_t)milliseconds * 1000000);
    return result;
}

static void clear_written(void *object, size_t size) {
    if (object && runtime_begin()) {
        untaken_memory_clear(object, size);
        runtime_leave();
    }
}

int untaken_model_epoll_wait(int file, struct epoll_event *events, int most, int milliseconds) {
    int result = epoll_wait(file, events, most, milliseconds);
    if (result > 0)
        clear_written(events, (size_t)result * sizeof *events);
    PIN(epoll_wait, WORD(file), POINTER(events), WORD(most), WORD(milliseconds));
    if (result == 0)
        waited((int64_t)milliseconds * 1000000);
    return result;
}

static size_t bytes_of_set(int count) { return count > 0 ? ((size_t)count + 7) / 8 : 0; }

/* Before the call, which changes the set. */
static void note_selected(int count, const fd_set *set, bool to_read) {
    if (!set || !runtime_begin())
        return;
    if (untaken_memory_symbolic(set, bytes_of_set(count)))
        untaken_count_external("select");
    for (int i = 0; i < count && to_read; i++) {
        if (FD_ISSET(i, set))
            descriptor_note_awaited(i, "select (of a pipe or socket)");
    }
    runtime_leave();
}

int untaken_model_select(int count, fd_set *in, fd_set *out, fd_set *except, struct timeval *most) {
    fd_set *sets[] = {in, out, except};
    for (unsigned i = 0; i < 3; i++)
        note_selected(count, sets[i], sets[i] == in);
    int64_t wanted = most ? most->tv_sec * SECOND + most->tv_usec * 1000 : 0;
    int result = select(count, in, out, except, most);
    for (unsigned i = 0; i < 3; i++)
        clear_written(sets[i], bytes_of_set(count));
    PIN(select, WORD(count), POINTER(in), POINTER(out), POINTER(except), POINTER(most));
    if (result == 0)
        waited(wanted);
    return result;
}

/* ---- Until a deadline ---- */

/* The same distance from now, by the real clock. */
static struct timespec real_deadline(struct timespec deadline) {
    struct timespec now;
    clock_gettime(clock_of(deadline), &now);
    int64_t at = nanoseconds_of(now) + clock_until(deadline);
    return (struct timespec){.tv_sec = at / SECOND, .tv_nsec = at % SECOND};
}

static int ended(int error, const struct timespec *deadline) {
    if (error == ETIMEDOUT)
        waited(clock_until(*deadline));
    return error;
}

int untaken_model_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                         const struct timespec *deadline) {
    if (!clock_is_ours())
        return pthread_cond_timedwait(condition, mutex, deadline);
    struct timespec real = real_deadline(*deadline);
    return ended(pthread_cond_timedwait(condition, mutex, &real), deadline);
}

int untaken_model_pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *deadline) {
    if (!clock_is_ours())
        return pthread_mutex_timedlock(mutex, deadline);
    struct timespec real = real_deadline(*deadline);
    return ended(pthread_mutex_timedlock(mutex, &real), deadline);
}

int untaken_model_sem_timedwait(sem_t *semaphore, const struct timespec *deadline) {
    if (!clock_is_ours())
        return sem_timedwait(semaphore, deadline);
    struct timespec real = real_deadline(*deadline);
    int result = sem_timedwait(semaphore, &real);
    if (result != 0)
        ended(errno, deadline);
    return result;
}
