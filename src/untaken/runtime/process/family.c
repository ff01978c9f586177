/* See process/family.h. */
#define _GNU_SOURCE
#include "process/family.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PATH_ROOM 64

struct entry { /* of a folder, as the kernel writes it */
    uint64_t inode;
    int64_t offset;
    uint16_t size;
    uint8_t kind;
    char name[];
};

static struct untaken_family *being_found;

void untaken_each_line(const char *path, void (*each)(char *line)) {
    char text[UNTAKEN_PAGE];
    size_t kept = 0;
    ssize_t got;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && (got = read(fd, text + kept, sizeof text - 1 - kept)) > 0) {
        char *line = text, *end;
        text[kept + (size_t)got] = '\0';
        for (; (end = strchr(line, '\n')) != NULL; line = end + 1) {
            *end = '\0';
            each(line);
        }
        kept = strlen(line);
        memmove(text, line, kept);
        if (kept == sizeof text - 1) {
            kept = 0; /* no line is that long */
        }
    }
    if (fd >= 0) {
        close(fd);
    }
}

static void add(pid_t process) {
    if (process > 0 && being_found->count < UNTAKEN_MOST_FAMILY) {
        being_found->processes[being_found->count++] = process;
    }
}

/* Numbers with a space behind each; one may be cut by the end of what was read. */
static void add_children_in(int fd) {
    char text[UNTAKEN_PAGE], *number;
    size_t kept = 0;
    ssize_t got;
    while ((got = read(fd, text + kept, sizeof text - 1 - kept)) > 0) {
        char *place = text, *end;
        text[kept + (size_t)got] = '\0';
        for (; (end = strchr(place, ' ')) != NULL; place = end + 1) {
            add((pid_t)strtol(place, &number, 10));
        }
        kept = strlen(place);
        memmove(text, place, kept);
    }
}

static void add_children_of(pid_t process, const char *thread) {
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "/proc/%d/task/%.20s/children", process, thread);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        add_children_in(fd);
        close(fd);
    }
}

void untaken_children(struct untaken_family *found) {
    char thread[PATH_ROOM];
    being_found = found;
    found->count = 0;
    snprintf(thread, sizeof thread, "%d", getpid());
    add_children_of(getpid(), thread);
}

/* Children belong to the thread that forked them. */
static void add_children_of_all_threads(pid_t process) {
    char path[PATH_ROOM], entries[UNTAKEN_PAGE] __attribute__((aligned(8)));
    snprintf(path, sizeof path, "/proc/%d/task", process);
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    long got;
    while (fd >= 0 && (got = syscall(SYS_getdents64, fd, entries, sizeof entries)) > 0) {
        for (long at = 0; at < got;) {
            const struct entry *entry = (const struct entry *)(const void *)(entries + at);
            if (entry->name[0] != '.') {
                add_children_of(process, entry->name);
            }
            at += entry->size;
        }
    }
    if (fd >= 0) {
        close(fd);
    }
}

void untaken_descendants(pid_t process, struct untaken_family *found) {
    being_found = found;
    found->count = 0;
    add(process);
    for (unsigned i = 0; i < found->count; i++) {
        add_children_of_all_threads(found->processes[i]);
    }
}
