/* Signal handlers, masks, the rights of new files, and the folder, in a process that has many runs, see reuse.c. */
#define _GNU_SOURCE
#include "process/reuse.h"

#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool ask_action(int number, const struct action *to_set, struct action *now) {
    return syscall(SYS_rt_sigaction, number, to_set, now, sizeof to_set->mask) == 0;
}

static bool ask_folder(char *folder) { return syscall(SYS_getcwd, folder, PATH_MAX) > 0; }

/* By its name: a descriptor of our own would be one more that programs can see. */
static bool is_folder_put_back(void) {
    const char *before = untaken_reuse->process.folder;
    char now[PATH_MAX];
    return (ask_folder(now) && strcmp(now, before) == 0) || syscall(SYS_chdir, before) == 0;
}

bool untaken_reuse_note_signals(void) {
    struct process *process = &untaken_reuse->process;
    bool known = ask_folder(process->folder) &&
                 syscall(SYS_rt_sigprocmask, SIG_SETMASK, NULL, &process->blocked, sizeof process->blocked) == 0 &&
                 sigaltstack(NULL, &process->stack) == 0;
    for (int i = 0; known && i < SIGNALS; i++) {
        known = ask_action(i + 1, NULL, &process->actions[i]);
    }
    process->file_mask = umask(0);
    umask(process->file_mask);
    return known;
}

/* A signal that waits until it is let through would come in the next run. */
bool untaken_reuse_put_signals_back(void) {
    const struct process *process = &untaken_reuse->process;
    uint64_t waiting;
    bool same = syscall(SYS_rt_sigpending, &waiting, sizeof waiting) == 0 && waiting == 0;
    for (int i = 0; same && i < SIGNALS; i++) {
        struct action now;
        same = ask_action(i + 1, NULL, &now) && (memcmp(&now, &process->actions[i], sizeof now) == 0 ||
                                                 ask_action(i + 1, &process->actions[i], NULL));
    }
    umask(process->file_mask);
    return same && is_folder_put_back() && sigaltstack(&process->stack, NULL) == 0 &&
           syscall(SYS_rt_sigprocmask, SIG_SETMASK, &process->blocked, NULL, sizeof process->blocked) == 0;
}
