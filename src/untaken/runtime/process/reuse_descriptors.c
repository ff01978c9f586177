/* The descriptors of a process that has many runs: files that a run left open are closed, see reuse.c. */
#define _GNU_SOURCE
#include "process/reuse.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct file file_of(int fd) {
    struct stat status;
    return fstat(fd, &status) == 0 ? (struct file){status.st_dev, status.st_ino} : (struct file){0, 0};
}

static bool is_same(struct file file, int fd) {
    struct file now = file_of(fd);
    return now.device == file.device && now.number == file.number;
}

static int first_free(void) {
    int fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, UNTAKEN_FIRST_HIDDEN);
    if (fd >= 0) {
        close(fd);
    }
    return fd;
}

bool untaken_reuse_all_closed(void) {
    for (int fd = STANDARD; fd < UNTAKEN_FIRST_HIDDEN; fd++) {
        if (fcntl(fd, F_GETFD) >= 0 && !untaken_prologue_opened(fd)) {
            return false;
        }
    }
    return true;
}

static bool keep(int fd) {
    struct kept kept = {fd, fcntl(fd, F_DUPFD_CLOEXEC, UNTAKEN_FIRST_HIDDEN), fcntl(fd, F_GETFD)};
    if (kept.copy < 0 || untaken_reuse->kept_count == MOST_KEPT) {
        return false;
    }
    untaken_reuse->kept[untaken_reuse->kept_count++] = kept;
    return true;
}

static bool is_put_back(const struct kept *kept) {
    return dup3(kept->copy, kept->fd, kept->flags & FD_CLOEXEC ? O_CLOEXEC : 0) == kept->fd;
}

bool untaken_reuse_note_descriptors(void) {
    bool whole = true;
    untaken_reuse->kept_count = 0;
    for (int fd = 0; fd < UNTAKEN_FIRST_HIDDEN; fd++) {
        whole = whole && (fd < STANDARD || untaken_prologue_opened(fd) ? keep(fd) : true);
    }
    untaken_reuse->first_free = first_free();
    int hidden = untaken_reuse->first_free - UNTAKEN_FIRST_HIDDEN;
    for (int i = 0; i < hidden && i < MOST_HIDDEN; i++) {
        untaken_reuse->hidden[i] = file_of(UNTAKEN_FIRST_HIDDEN + i);
    }
    return whole && hidden >= 0 && hidden <= MOST_HIDDEN;
}

bool untaken_reuse_put_descriptors_back(void) {
    bool same = syscall(SYS_close_range, STANDARD, UNTAKEN_FIRST_HIDDEN - 1, 0) == 0;
    for (int fd = UNTAKEN_FIRST_HIDDEN; same && fd < untaken_reuse->first_free; fd++) {
        same = is_same(untaken_reuse->hidden[fd - UNTAKEN_FIRST_HIDDEN], fd);
    }
    for (unsigned i = 0; same && i < untaken_reuse->kept_count; i++) {
        same = is_put_back(&untaken_reuse->kept[i]);
    }
    return same && first_free() == untaken_reuse->first_free;
}
