/* Models of what a program does with names of files, other than opening them: a declared file is there, although the file
 * system does not have it. */
#define _GNU_SOURCE
#include "input/streams.h"
#include "libc/model.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *__realpath_chk(const char *name, char *resolved, size_t room);
_Noreturn void __chk_fail(void);

/* ---- Whether it is there ---- */

static int may_access(int directory, const char *name, int mode, int flags) {
    char path[STREAM_PATH_SIZE];
    struct untaken_stream *stream = untaken_stream_at(directory, name, !(flags & AT_SYMLINK_NOFOLLOW));
    if (stream)
        return faccessat(AT_FDCWD, stream_path(stream, path), mode, flags & ~AT_SYMLINK_NOFOLLOW);
    return faccessat(directory, name, mode, flags);
}

int untaken_model_access(const char *name, int mode) {
    char path[STREAM_PATH_SIZE];
    struct untaken_stream *stream = untaken_stream_of_name(name);
    return access(stream ? stream_path(stream, path) : name, mode);
}

int untaken_model_faccessat(int directory, const char *name, int mode, int flags) {
    return may_access(directory, name, mode, flags);
}

int untaken_model_eaccess(const char *name, int mode) { return may_access(AT_FDCWD, name, mode, AT_EACCESS); }

int untaken_model_euidaccess(const char *name, int mode) { return may_access(AT_FDCWD, name, mode, AT_EACCESS); }

/* ---- Its path ---- */

/* `room` bytes are at `resolved`, which may be null. */
static char *path_of(const struct untaken_stream *stream, char *resolved, size_t room) {
    size_t size = strlen(stream->path) + 1;
    if (!resolved)
        return strdup(stream->path);
    if (size > room)
        __chk_fail();
    memcpy(resolved, stream->path, size);
    return resolved;
}

static char *real_path(void *self, const char *name, char *resolved, size_t room) {
    const struct untaken_stream *stream = name ? untaken_stream_of_name(name) : NULL;
    bool has_path = stream && stream->path;
    char *result = has_path              ? path_of(stream, resolved, room)
                   : room == SIZE_MAX ? realpath(name, resolved)
                                      : __realpath_chk(name, resolved, room);
    untaken_label labels[3];
    if (model_begin(self, labels, 2)) {
        if (result)
            untaken_memory_clear(result, strlen(result) + 1);
        model_end_concrete(self);
    }
    return result;
}

char *untaken_model_realpath(const char *name, char *resolved) {
    return real_path(SELF(realpath), name, resolved, SIZE_MAX);
}

char *untaken_model___realpath_chk(const char *name, char *resolved, size_t room) {
    return real_path(SELF(__realpath_chk), name, resolved, room);
}

char *untaken_model_canonicalize_file_name(const char *name) {
    return real_path(SELF(canonicalize_file_name), name, NULL, SIZE_MAX);
}

/* ---- Its folder ---- */

DIR *untaken_model_opendir(const char *name) {
    (void)untaken_stream_of_name(name); /* which the input may have a part in */
    DIR *result = opendir(name);
    untaken_label label;
    if (model_begin(SELF(opendir), &label, 1)) {
        if (result && untaken_any_files())
            untaken_count_external("opendir (which does not show declared files)");
        model_end_concrete(SELF(opendir));
    }
    return result;
}

/* ---- Taken away ---- */

static int remove_name(int directory, const char *name, int flags) {
    struct untaken_stream *stream = flags & AT_REMOVEDIR ? NULL : untaken_stream_at(directory, name, false);
    if (!stream)
        return unlinkat(directory, name, flags);
    stream->removed = true;
    return 0;
}

int untaken_model_unlink(const char *name) { return remove_name(AT_FDCWD, name, 0); }

int untaken_model_unlinkat(int directory, const char *name, int flags) { return remove_name(directory, name, flags); }

int untaken_model_remove(const char *name) {
    struct untaken_stream *stream = untaken_stream_at(AT_FDCWD, name, false);
    if (!stream)
        return remove(name);
    stream->removed = true;
    return 0;
}

/* What takes the place of a declared file is another file from then on. That a declared file gets another name is not
 * followed: there is no file behind it that could. */
static int rename_name(void *self, int from_directory, const char *from, int to_directory, const char *to) {
    struct untaken_stream *moved = untaken_stream_at(from_directory, from, false);
    int result = renameat(from_directory, from, to_directory, to);
    struct untaken_stream *replaced = result == 0 ? untaken_stream_at(to_directory, to, false) : NULL;
    if (replaced)
        replaced->removed = true;
    untaken_label labels[4];
    if (model_begin(self, labels, 2)) {
        if (moved)
            untaken_count_external("rename (of a declared file)");
        model_end_concrete(self);
    }
    return result;
}

int untaken_model_rename(const char *from, const char *to) {
    return rename_name(SELF(rename), AT_FDCWD, from, AT_FDCWD, to);
}

int untaken_model_renameat(int from_directory, const char *from, int to_directory, const char *to) {
    return rename_name(SELF(renameat), from_directory, from, to_directory, to);
}
