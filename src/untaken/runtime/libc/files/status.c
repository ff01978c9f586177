/* Models of what a program learns of a file without reading it, its size above all. */
#define _GNU_SOURCE
#include "expressions/nodes.h"
#include "input/streams.h"
#include "libc/model.h"

#include <fcntl.h>
#include <sys/stat.h>

int __xstat(int version, const char *name, struct stat *status) __attribute__((weak));
int __lxstat(int version, const char *name, struct stat *status) __attribute__((weak));
int __fxstat(int version, int descriptor, struct stat *status) __attribute__((weak));

/* What was asked for: a file by its name (null: none), else by its descriptor. */
struct asked {
    const char *name;
    int descriptor;
};

static void note_size(struct asked asked, const struct stat *status) {
    if (asked.name)
        untaken_note_size_of_name(asked.name, status, "stat (of what was written)");
    else
        descriptor_note_size(asked.descriptor, "fstat (of what was written)");
}

/* struct stat and struct stat64 are the same here. `arguments`: how many the function has. */
static void record_status(void *self, const struct untaken_stream *stream, struct asked asked, struct stat *status,
                          int result, unsigned arguments) {
    untaken_label labels[4];
    if (!model_begin(self, labels, arguments))
        return;
    if (result == 0 && !stream)
        note_size(asked, status);
    if (result == 0) {
        untaken_memory_clear(status, sizeof *status);
        if (stream && (uint64_t)status->st_size == stream->size)
            untaken_memory_store(&status->st_size, sizeof status->st_size, stream->size_term.label);
    }
    model_end_concrete(self);
}

/* Of names that are links, /dev/stdin among them, the link is asked for. */
static struct untaken_stream *stream_itself(const char *name) { return untaken_stream_at(AT_FDCWD, name, false); }

#define FSTAT_MODEL(function, type)                                                                                \
    int untaken_model_##function(int descriptor, type *status) {                                                   \
        const struct untaken_stream *stream = untaken_stream_of_fd(descriptor);                                    \
        int result = function(descriptor, status);                                                                 \
        record_status(SELF(function), stream, (struct asked){NULL, descriptor}, (struct stat *)(void *)status, result, 2); \
        return result;                                                                                             \
    }
#define STAT_MODEL(function, on_descriptor, type, stream_of)                                                       \
    int untaken_model_##function(const char *name, type *status) {                                                 \
        struct untaken_stream *stream = stream_of(name);                                                           \
        int result = stream ? on_descriptor(stream->memfd, status) : function(name, status);                       \
        record_status(SELF(function), stream, (struct asked){name, -1}, (struct stat *)(void *)status, result, 2);     \
        return result;                                                                                             \
    }

_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "one record for both");
FSTAT_MODEL(fstat, struct stat)
FSTAT_MODEL(fstat64, struct stat64)
STAT_MODEL(stat, fstat, struct stat, untaken_stream_of_name)
STAT_MODEL(stat64, fstat64, struct stat64, untaken_stream_of_name)
STAT_MODEL(lstat, fstat, struct stat, stream_itself)
STAT_MODEL(lstat64, fstat64, struct stat64, stream_itself)

int untaken_model_fstatat(int directory, const char *name, struct stat *status, int flags) {
    bool is_open = flags & AT_EMPTY_PATH && name && *name == '\0';
    struct untaken_stream *stream = is_open ? untaken_stream_of_fd(directory)
                                            : untaken_stream_at(directory, name, !(flags & AT_SYMLINK_NOFOLLOW));
    int result = stream ? fstat(stream->memfd, status) : fstatat(directory, name, status, flags);
    record_status(SELF(fstatat), stream, (struct asked){is_open ? NULL : name, directory}, status, result, 4);
    return result;
}

/* The names that programs linked against an older libc call. */
int untaken_model___fxstat(int version, int descriptor, struct stat *status) {
    int result = __fxstat(version, descriptor, status);
    record_status(SELF(__fxstat), untaken_stream_of_fd(descriptor), (struct asked){NULL, descriptor}, status, result, 3);
    return result;
}

#define XSTAT_MODEL(function, stream_of)                                                                           \
    int untaken_model_##function(int version, const char *name, struct stat *status) {                             \
        struct untaken_stream *stream = stream_of(name);                                                           \
        int result = stream ? __fxstat(version, stream->memfd, status) : function(version, name, status);          \
        record_status(SELF(function), stream, (struct asked){name, -1}, status, result, 3);                            \
        return result;                                                                                             \
    }

XSTAT_MODEL(__xstat, untaken_stream_of_name)
XSTAT_MODEL(__lxstat, stream_itself)
