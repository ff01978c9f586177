/* See process/leftovers.h. What is noted lies in memory that the server shares with its runs: some of them are
 * killed. */
#define _GNU_SOURCE
#include "process/process.h"
#include "tracking/tracking.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

#define STANDARD 3

static int standard_flags[STANDARD]; /* of the descriptors that programs begin with */

void untaken_note_leftover(enum leftover_kind kind, int id, const char *name) {
    uint32_t count = untaken_server_shared == NULL ? UNTAKEN_MOST_LEFTOVERS : untaken_server_shared->leftover_count;
    if (count >= UNTAKEN_MOST_LEFTOVERS || strlen(name) >= sizeof untaken_server_shared->leftovers->name) {
        untaken_count_external("(objects that were not removed)");
        return;
    }
    struct untaken_leftover *leftover = &untaken_server_shared->leftovers[count];
    leftover->kind = kind;
    leftover->id = id;
    strcpy(leftover->name, name);
    __atomic_store_n(&untaken_server_shared->leftover_count, count + 1, __ATOMIC_RELEASE);
}

void untaken_note_changed_descriptors(void) {
    if (untaken_server_shared != NULL) {
        untaken_server_shared->changed_descriptors = 1;
    }
}

/* Objects of POSIX that have a name are files in /dev/shm, where the C library puts them: `form` is their path. */
static void remove_file(const char *form, const char *name) {
    char path[UNTAKEN_LEFTOVER_NAME + 32];
    snprintf(path, sizeof path, form, name + (name[0] == '/'));
    unlink(path);
}

static void remove_object(const struct untaken_leftover *leftover) {
    switch ((enum leftover_kind)leftover->kind) {
    case LEFT_SEGMENT: shmctl(leftover->id, IPC_RMID, NULL); break;
    case LEFT_SEMAPHORES: semctl(leftover->id, 0, IPC_RMID); break;
    case LEFT_MESSAGES: msgctl(leftover->id, IPC_RMID, NULL); break;
    case LEFT_MEMORY: remove_file("/dev/shm/%s", leftover->name); break;
    case LEFT_SEMAPHORE: remove_file("/dev/shm/sem.%s", leftover->name); break;
    case LEFT_QUEUE: syscall(SYS_mq_unlink, leftover->name + (leftover->name[0] == '/')); break;
    }
}

void untaken_leftovers_remove(void) {
    if (untaken_server_shared->leftover_count > UNTAKEN_MOST_LEFTOVERS) {
        untaken_server_shared->leftover_count = 0; /* a run has written over it */
    }
    while (untaken_server_shared->leftover_count > 0) {
        remove_object(&untaken_server_shared->leftovers[--untaken_server_shared->leftover_count]);
    }
}

void untaken_leftovers_start(void) {
    for (int fd = 0; fd < STANDARD; fd++) {
        standard_flags[fd] = fcntl(fd, F_GETFL);
    }
}

static void put_flags_back(int fd) {
    if (standard_flags[fd] >= 0) {
        fcntl(fd, F_SETFL, standard_flags[fd]);
    }
}

/* Code that we do not see makes stdin non-blocking, too; all else is put back if we saw that it may be needed. */
void untaken_descriptors_put_back(void) {
    put_flags_back(STDIN_FILENO);
    if (untaken_server_shared->changed_descriptors == 0) {
        return;
    }
    untaken_server_shared->changed_descriptors = 0;
    for (int fd = 0; fd < STANDARD; fd++) {
        struct flock all = {.l_type = F_UNLCK};
        put_flags_back(fd);
        flock(fd, LOCK_UN);
        fcntl(fd, F_OFD_SETLK, &all);
    }
}
