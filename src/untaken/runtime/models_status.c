/* Models of what a program learns of a file without reading it, its size above all, and of mapped files. */
#define _GNU_SOURCE
#include "models.h"
#include "streams.h"

#include <sys/mman.h>
#include <sys/stat.h>

int __xstat(int version, const char *name, struct stat *status) __attribute__((weak));
int __lxstat(int version, const char *name, struct stat *status) __attribute__((weak));
int __fxstat(int version, int descriptor, struct stat *status) __attribute__((weak));

/* ---- Status ---- */

/* struct stat and struct stat64 are the same here. `arguments`: how many the function has. */
static void record_status(void *self, const struct untaken_stream *stream, struct stat *status, int result,
                          unsigned arguments) {
    untaken_label labels[4];
    if (!model_begin(self, labels, arguments))
        return;
    if (result == 0) {
        untaken_memory_clear(status, sizeof *status);
        if (stream && (uint64_t)status->st_size == stream->size)
            untaken_memory_store(&status->st_size, sizeof status->st_size, stream->size_term.label);
    }
    model_end_concrete(self);
}

#define FSTAT_MODEL(function, type)                                                                                \
    int untaken_model_##function(int descriptor, type *status) {                                                   \
        int result = function(descriptor, status);                                                                 \
        record_status(SELF(function), untaken_stream_of_fd(descriptor), (struct stat *)(void *)status, result, 2); \
        return result;                                                                                             \
    }
#define STAT_MODEL(function, on_descriptor, type)                                                                  \
    int untaken_model_##function(const char *name, type *status) {                                                 \
        struct untaken_stream *stream = untaken_stream_of_name(name);                                              \
        int result = stream ? on_descriptor(stream->memfd, status) : function(name, status);                       \
        record_status(SELF(function), stream, (struct stat *)(void *)status, result, 2);                           \
        return result;                                                                                             \
    }

_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "one record for both");
FSTAT_MODEL(fstat, struct stat)
FSTAT_MODEL(fstat64, struct stat64)
STAT_MODEL(stat, fstat, struct stat)
STAT_MODEL(stat64, fstat64, struct stat64)
STAT_MODEL(lstat, fstat, struct stat)
STAT_MODEL(lstat64, fstat64, struct stat64)

int untaken_model_fstatat(int directory, const char *name, struct stat *status, int flags) {
    struct untaken_stream *stream = untaken_stream_of_name(name);
    int result = stream ? fstat(stream->memfd, status) : fstatat(directory, name, status, flags);
    record_status(SELF(fstatat), stream, status, result, 4);
    return result;
}

/* The names that programs linked against an older libc call. */
int untaken_model___fxstat(int version, int descriptor, struct stat *status) {
    int result = __fxstat(version, descriptor, status);
    record_status(SELF(__fxstat), untaken_stream_of_fd(descriptor), status, result, 3);
    return result;
}

#define XSTAT_MODEL(function)                                                                                      \
    int untaken_model_##function(int version, const char *name, struct stat *status) {                             \
        struct untaken_stream *stream = untaken_stream_of_name(name);                                              \
        int result = stream ? __fxstat(version, stream->memfd, status) : function(version, name, status);          \
        record_status(SELF(function), stream, status, result, 3);                                                  \
        return result;                                                                                             \
    }

XSTAT_MODEL(__xstat)
XSTAT_MODEL(__lxstat)

/* ---- Mapping ---- */

static void record_mapping(void *self, void *mapping, size_t size, int flags, int descriptor, off64_t offset) {
    untaken_label labels[6];
    if (!model_begin(self, labels, 6))
        return;
    model_pin(labels[1], size);
    model_pin(labels[5], (uint64_t)offset);
    struct untaken_stream *stream = flags & MAP_ANONYMOUS ? NULL : untaken_stream_of_fd(descriptor);
    if (mapping != MAP_FAILED) {
        if (untaken_memory_symbolic(mapping, size))
            untaken_memory_clear(mapping, size);
        untaken_object_add(mapping, size);
        uint64_t start = (uint64_t)offset, end = stream ? stream->size : 0;
        if (start < end)
            stream_label(stream, start, mapping, end - start < size ? end - start : size);
    }
    model_end_concrete(self);
}

#define MMAP_MODEL(function, type)                                                                                 \
    void *untaken_model_##function(void *address, size_t size, int access, int flags, int descriptor, type offset) { \
        void *mapping = function(address, size, access, flags, descriptor, offset);                                \
        if (access & PROT_READ)                                                                                    \
            record_mapping(SELF(function), mapping, size, flags, descriptor, offset);                              \
        return mapping;                                                                                            \
    }

MMAP_MODEL(mmap, off_t)
MMAP_MODEL(mmap64, off64_t)

int untaken_model_munmap(void *mapping, size_t size) {
    untaken_label labels[2];
    if (model_begin(SELF(munmap), labels, 2)) {
        model_pin_pointer(labels[0], mapping);
        model_pin(labels[1], size);
        untaken_object_remove(mapping);
        if (untaken_memory_symbolic(mapping, size))
            untaken_memory_clear(mapping, size);
        model_end_concrete(SELF(munmap));
    }
    return munmap(mapping, size);
}
