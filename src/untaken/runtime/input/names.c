/* Which file a name means: as the kernel finds it, from a folder, through links and "..". What is not there (a declared
 * file is mostly not) has a name all the same. */
#define _GNU_SOURCE
#include "input/names.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST_LINKS 40 /* as the kernel has it */
#define PART_SIZE 256

/* What is still to be walked; links put their targets in front of it. */
struct walk {
    char rest[UNTAKEN_NAME_SIZE];
    unsigned links;
};

/* Asked of the kernel: programs may have a getcwd of their own. */
static bool folder_of(int directory, char *path) {
    if (directory == AT_FDCWD)
        return syscall(SYS_getcwd, path, (unsigned long)UNTAKEN_NAME_SIZE) > 0 && path[0] == '/';
    char link[32];
    snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
    ssize_t length = readlink(link, path, UNTAKEN_NAME_SIZE - 1);
    if (length <= 0 || path[0] != '/')
        return false;
    path[length] = 0;
    return true;
}

static void drop_last(char *path) {
    char *slash = strrchr(path, '/');
    if (slash)
        *slash = 0;
}

/* Takes the first part of what is left, without slashes around it; false if there is none. */
static bool next_part(struct walk *walk, char *part) {
    const char *start = walk->rest + strspn(walk->rest, "/");
    size_t length = strcspn(start, "/");
    if (length == 0 || length >= PART_SIZE)
        return false;
    memcpy(part, start, length);
    part[length] = 0;
    start += length + strspn(start + length, "/");
    memmove(walk->rest, start, strlen(start) + 1);
    return true;
}

/* If the path is a link, its target comes next instead; false if that is too much. */
static bool follow(struct walk *walk, char *path) {
    char target[UNTAKEN_NAME_SIZE];
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length < 0)
        return true;
    size_t left = strlen(walk->rest);
    if (++walk->links > MOST_LINKS || (size_t)length + 1 + left >= sizeof walk->rest)
        return false;
    memmove(walk->rest + length + 1, walk->rest, left + 1);
    memcpy(walk->rest, target, (size_t)length);
    walk->rest[length] = '/';
    if (target[0] == '/')
        path[0] = 0;
    else
        drop_last(path);
    return true;
}

/* Goes one part further; false if the name is too long or goes round in circles. */
static bool step(struct walk *walk, const char *part, bool last_link, char *path) {
    if (strcmp(part, ".") == 0)
        return true;
    if (strcmp(part, "..") == 0) {
        bool is_there = path[0] == 0 || access(path, F_OK) == 0;
        drop_last(path);
        return is_there;
    }
    size_t before = strlen(path), length = strlen(part);
    if (before + 1 + length >= UNTAKEN_NAME_SIZE)
        return false;
    path[before] = '/';
    memcpy(path + before + 1, part, length + 1);
    return (walk->rest[0] == 0 && !last_link) || follow(walk, path);
}

bool untaken_resolve_name(int directory, const char *name, bool last_link, char *path) {
    struct walk walk = {.links = 0};
    char part[PART_SIZE];
    int saved = errno;
    size_t length = strlen(name);
    bool goes_on = length > 0 && length < sizeof walk.rest;
    if (goes_on && name[0] == '/')
        path[0] = 0;
    else
        goes_on = goes_on && folder_of(directory, path);
    if (goes_on && strcmp(path, "/") == 0)
        path[0] = 0;
    if (goes_on)
        memcpy(walk.rest, name, length + 1);
    while (goes_on && next_part(&walk, part))
        goes_on = step(&walk, part, last_link, path);
    errno = saved;
    return goes_on && walk.rest[strspn(walk.rest, "/")] == 0; /* else a part of it was too long */
}
