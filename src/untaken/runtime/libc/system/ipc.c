/* Models of the objects that processes share by a key or a name: those that a run makes are noted, since they would
 * outlive it, and the next run would find them. */
#define _GNU_SOURCE
#include "libc/model.h"
#include "process/process.h"

#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <semaphore.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <unistd.h>

/* Where they are in a library of their own, programs that call them are linked with it. */
int shm_open(const char *name, int flags, mode_t mode) __attribute__((weak));
sem_t *sem_open(const char *name, int flags, ...) __attribute__((weak));
int sem_close(sem_t *semaphore) __attribute__((weak));
mqd_t mq_open(const char *name, int flags, ...) __attribute__((weak));
int mq_close(mqd_t queue) __attribute__((weak));

/* Pins the arguments that say which object it is: another one would be another object of the system. */
static void pin_arguments(void *self, unsigned count, const uint64_t *values, unsigned widths) {
    untaken_label labels[4];
    if (!model_begin(self, labels, count))
        return;
    for (unsigned index = 0; index < count; index++) {
        if (labels[index])
            untaken_pin_term(model_argument(labels[index], widths >> index & 1 ? 64 : 32, values[index]));
    }
    model_end_concrete(self);
}

/* ---- System V ---- */

/* Asked before the object may be made: whether there is one already. Of a private one there never is. */
#define IS_NEW(key, flags, ask) \
    (untaken_server_shared && ((key) == IPC_PRIVATE || ((flags)&IPC_CREAT && (ask) < 0 && errno == ENOENT)))

static int made(enum leftover_kind kind, bool is_new, int id) {
    if (is_new && id >= 0)
        untaken_note_leftover(kind, id, "");
    return id;
}

int untaken_model_shmget(key_t key, size_t size, int flags) {
    int saved = errno;
    bool is_new = IS_NEW(key, flags, shmget(key, 0, 0));
    errno = saved;
    int id = made(LEFT_SEGMENT, is_new, shmget(key, size, flags));
    pin_arguments(SELF(shmget), 3, (uint64_t[]){(uint32_t)key, size, (uint32_t)flags}, 2);
    return id;
}

int untaken_model_semget(key_t key, int count, int flags) {
    int saved = errno;
    bool is_new = IS_NEW(key, flags, semget(key, 0, 0));
    errno = saved;
    int id = made(LEFT_SEMAPHORES, is_new, semget(key, count, flags));
    pin_arguments(SELF(semget), 3, (uint64_t[]){(uint32_t)key, (uint32_t)count, (uint32_t)flags}, 0);
    return id;
}

int untaken_model_msgget(key_t key, int flags) {
    int saved = errno;
    bool is_new = IS_NEW(key, flags, msgget(key, 0));
    errno = saved;
    int id = made(LEFT_MESSAGES, is_new, msgget(key, flags));
    pin_arguments(SELF(msgget), 2, (uint64_t[]){(uint32_t)key, (uint32_t)flags}, 0);
    return id;
}

/* ---- POSIX ---- */

static bool may_make(int flags) { return untaken_server_shared && flags & O_CREAT; }

int untaken_model_shm_open(const char *name, int flags, mode_t mode) {
    int saved = errno, there = may_make(flags) ? shm_open(name, O_RDONLY, 0) : -1;
    bool is_new = may_make(flags) && there < 0 && errno == ENOENT;
    if (there >= 0)
        close(there);
    errno = saved;
    int descriptor = shm_open(name, flags, mode);
    if (is_new && descriptor >= 0)
        untaken_note_leftover(LEFT_MEMORY, 0, name);
    return descriptor;
}

sem_t *untaken_model_sem_open(const char *name, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = va_arg(arguments, mode_t);
    unsigned value = va_arg(arguments, unsigned);
    va_end(arguments);
    int saved = errno;
    sem_t *there = may_make(flags) ? sem_open(name, 0) : SEM_FAILED;
    bool is_new = may_make(flags) && there == SEM_FAILED && errno == ENOENT;
    if (there != SEM_FAILED)
        sem_close(there);
    errno = saved;
    sem_t *semaphore = sem_open(name, flags, mode, value);
    if (is_new && semaphore != SEM_FAILED)
        untaken_note_leftover(LEFT_SEMAPHORE, 0, name);
    return semaphore;
}

mqd_t untaken_model_mq_open(const char *name, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = va_arg(arguments, mode_t);
    struct mq_attr *attributes = va_arg(arguments, struct mq_attr *);
    va_end(arguments);
    int saved = errno;
    mqd_t there = may_make(flags) ? mq_open(name, O_RDONLY) : -1;
    bool is_new = may_make(flags) && there < 0 && errno == ENOENT;
    if (there >= 0)
        mq_close(there);
    errno = saved;
    mqd_t queue = mq_open(name, flags, mode, attributes);
    if (is_new && queue >= 0)
        untaken_note_leftover(LEFT_QUEUE, 0, name);
    return queue;
}

/* ---- Locks of files that runs share ---- */

int untaken_model_flock(int descriptor, int operation) {
    untaken_note_changed_descriptors();
    int result = flock(descriptor, operation);
    pin_arguments(SELF(flock), 2, (uint64_t[]){(uint32_t)descriptor, (uint32_t)operation}, 0);
    return result;
}
