/* Models of fork, and of what processes do about each other afterwards: a parent whose child is followed has no such
 * child any more, see process/children.c. To it the child goes on for ever; the run ends before. */
#define _GNU_SOURCE
#include "memory/memory.h"
#include "process/process.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

pid_t untaken_model_fork(void) { return untaken_fork(); }

pid_t untaken_model_getppid(void) {
    pid_t parent = untaken_followed_parent();
    return parent != 0 ? parent : getppid();
}

static void close_standard(void) {
    int nothing = open("/dev/null", O_RDWR);
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++)
        dup2(nothing, descriptor);
    if (nothing > STDERR_FILENO)
        close(nothing);
}

/* The C library's own does not ask us whom to follow. */
int untaken_model_daemon(int keep_directory, int keep_descriptors) {
    pid_t process = untaken_fork();
    if (process > 0)
        _exit(0);
    if (process < 0 || setsid() < 0 || (!keep_directory && chdir("/") != 0))
        return -1;
    if (!keep_descriptors)
        close_standard();
    return 0;
}

/* ---- Waiting ---- */

/* Whether a wait for `process` is for the child that the trace has followed: 0 and below mean any, or any of a
 * group. */
static bool is_meant(pid_t process) {
    pid_t child = untaken_followed_child();
    return child > 0 && (process <= 0 || process == child);
}

static int wait_for_the_end(int options) {
    if (options & WNOHANG)
        return 0;
    pause();
    errno = EINTR;
    return -1;
}

static pid_t await(pid_t process, int *status, int options, struct rusage *usage) {
    pid_t ended = wait4(process, status, options, usage);
    if (ended < 0 && errno == ECHILD && is_meant(process))
        return wait_for_the_end(options);
    if (ended > 0 && status)
        untaken_memory_clear(status, sizeof *status);
    return ended;
}

pid_t untaken_model_wait(int *status) { return await(-1, status, 0, NULL); }

pid_t untaken_model_waitpid(pid_t process, int *status, int options) { return await(process, status, options, NULL); }

pid_t untaken_model_wait3(int *status, int options, struct rusage *usage) {
    return await(-1, status, options, usage);
}

pid_t untaken_model_wait4(pid_t process, int *status, int options, struct rusage *usage) {
    return await(process, status, options, usage);
}

int untaken_model_waitid(idtype_t kind, id_t id, siginfo_t *info, int options) {
    int result = waitid(kind, id, info, options);
    bool meant = is_meant(kind == P_PID ? (pid_t)id : -1);
    return result < 0 && errno == ECHILD && meant ? wait_for_the_end(options) : result;
}
