/* Models of file descriptors: data read from a stream of the input gets its labels, sizes are symbolic, and a
 * declared file name leads to the stream. */
#define _GNU_SOURCE
#include "input/streams.h"
#include "libc/model.h"
#include "libc/system/random.h"
#include "process/process.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdarg.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

ssize_t __read_chk(int descriptor, void *to, size_t size, size_t room);
ssize_t __pread_chk(int descriptor, void *to, size_t size, off_t position, size_t room);
ssize_t __pread64_chk(int descriptor, void *to, size_t size, off64_t position, size_t room);
int __open_2(const char *name, int flags);
int __open64_2(const char *name, int flags);
int __openat_2(int directory, const char *name, int flags);
int __openat64_2(int directory, const char *name, int flags);

/* ---- Opening and closing ---- */

/* A new description of the stream, as open would give. */
static int open_stream(struct untaken_stream *stream, int flags, mode_t mode) {
    char path[STREAM_PATH_SIZE];
    int descriptor = open(stream_path(stream, path), flags & ~O_NOFOLLOW, mode);
    if (descriptor >= 0)
        descriptor_opened(descriptor, stream);
    return descriptor;
}

static mode_t mode_argument(int flags, va_list arguments) {
    bool needed = flags & O_CREAT || (flags & __O_TMPFILE) == __O_TMPFILE;
    return needed ? va_arg(arguments, mode_t) : 0;
}

static int open_name(int directory, const char *name, int flags, mode_t mode) {
    struct untaken_stream *stream = untaken_stream_at(directory, name, !(flags & O_NOFOLLOW));
    if (stream)
        return open_stream(stream, flags, mode);
    int descriptor = openat(directory, name, flags, mode);
    if (descriptor >= 0)
        descriptor_closed(descriptor);
    if (descriptor >= 0 && is_random_file(name))
        random_file_opened();
    return descriptor;
}

#define OPEN_MODEL(function, extra)                                                                                \
    int untaken_model_##function(const char *name, int flags, ...) {                                               \
        va_list arguments;                                                                                         \
        va_start(arguments, flags);                                                                                \
        mode_t mode = mode_argument(flags, arguments);                                                             \
        va_end(arguments);                                                                                         \
        return open_name(AT_FDCWD, name, flags | (extra), mode);                                                   \
    }
#define OPENAT_MODEL(function, extra)                                                                              \
    int untaken_model_##function(int directory, const char *name, int flags, ...) {                                \
        va_list arguments;                                                                                         \
        va_start(arguments, flags);                                                                                \
        mode_t mode = mode_argument(flags, arguments);                                                             \
        va_end(arguments);                                                                                         \
        return open_name(directory, name, flags | (extra), mode);                                                  \
    }

OPEN_MODEL(open, 0)
OPEN_MODEL(open64, O_LARGEFILE)
OPENAT_MODEL(openat, 0)
OPENAT_MODEL(openat64, O_LARGEFILE)

#define OPEN_CHECKED_MODEL(function)                                                                               \
    int untaken_model_##function(const char *name, int flags) {                                                    \
        struct untaken_stream *stream = untaken_stream_of_name(name);                                              \
        int descriptor = stream ? open_stream(stream, flags, 0) : function(name, flags);                           \
        if (!stream)                                                                                               \
            descriptor_closed(descriptor);                                                                         \
        if (!stream && is_random_file(name))                                                                         \
            random_file_opened();                                                                                       \
        return descriptor;                                                                                         \
    }
#define OPENAT_CHECKED_MODEL(function)                                                                             \
    int untaken_model_##function(int directory, const char *name, int flags) {                                     \
        struct untaken_stream *stream = untaken_stream_at(directory, name, !(flags & O_NOFOLLOW));                 \
        int descriptor = stream ? open_stream(stream, flags, 0) : function(directory, name, flags);                \
        if (!stream)                                                                                               \
            descriptor_closed(descriptor);                                                                         \
        return descriptor;                                                                                         \
    }

OPEN_CHECKED_MODEL(__open_2)
OPEN_CHECKED_MODEL(__open64_2)
OPENAT_CHECKED_MODEL(__openat_2)
OPENAT_CHECKED_MODEL(__openat64_2)

int untaken_model_creat(const char *name, mode_t mode) {
    return open_name(AT_FDCWD, name, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

int untaken_model_creat64(const char *name, mode_t mode) {
    return open_name(AT_FDCWD, name, O_CREAT | O_WRONLY | O_TRUNC | O_LARGEFILE, mode);
}

int untaken_model_close(int descriptor) {
    int result = close(descriptor);
    if (result == 0)
        descriptor_closed(descriptor);
    return result;
}

int untaken_model_dup(int descriptor) {
    int result = dup(descriptor);
    descriptor_duplicated(descriptor, result);
    return result;
}

int untaken_model_dup2(int from, int to) {
    int result = dup2(from, to);
    if (result >= 0 && from != to)
        descriptor_duplicated(from, to);
    return result;
}

int untaken_model_dup3(int from, int to, int flags) {
    int result = dup3(from, to, flags);
    if (result >= 0)
        descriptor_duplicated(from, to);
    return result;
}

/* Those that only ask, or change what no other process has. */
static bool changes_shared(int command) {
    return command != F_DUPFD && command != F_DUPFD_CLOEXEC && command != F_GETFD && command != F_SETFD &&
           command != F_GETFL && command != F_GETLK;
}

static int duplicate_with(int descriptor, int command, void *argument) {
    if (changes_shared(command))
        untaken_note_changed_descriptors();
    int result = fcntl(descriptor, command, argument);
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
        descriptor_duplicated(descriptor, result);
    return result;
}

/* The third argument is an int, a pointer or missing: in a register it is the same to pass it on. */
#define FCNTL_MODEL(function)                                                                                      \
    int untaken_model_##function(int descriptor, int command, ...) {                                               \
        va_list arguments;                                                                                         \
        va_start(arguments, command);                                                                              \
        void *argument = va_arg(arguments, void *);                                                                \
        va_end(arguments);                                                                                         \
        return duplicate_with(descriptor, command, argument);                                                      \
    }

FCNTL_MODEL(fcntl)
FCNTL_MODEL(fcntl64)

/* ---- Reading ---- */

static void pin_int(untaken_label label, int value) {
    if (label)
        untaken_pin_term(model_argument(label, 32, (uint32_t)value));
}

uint64_t descriptor_before_read(int descriptor) {
    descriptor_asked(descriptor);
    if (!untaken_recording || !cursor_of_descriptor(descriptor))
        return UINT64_MAX;
    int saved = errno;
    off_t position = lseek(descriptor, 0, SEEK_CUR);
    errno = saved;
    return (uint64_t)position;
}

static void record_bytes(void *self, const struct untaken_stream *stream, uint64_t position, void *to, size_t size,
                         ssize_t result) {
    if (result > 0)
        stream_label(stream, position, to, (uint64_t)result);
    model_end(self, result < 0 ? term_constant(64, 0) : stream_available(stream, position, size), (uint64_t)result);
}

#define CLOCK_TICK_MS 20 /* file systems tell the time as coarsely as that */

static bool is_of_this_run(const struct stat *status) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    int64_t age = (now.tv_sec - status->st_mtim.tv_sec) * 1000 + (now.tv_nsec - status->st_mtim.tv_nsec) / 1000000;
    return age <= untaken_now_ms() - untaken_server_shared->started_ms + CLOCK_TICK_MS;
}

/* Files of the kernel's own have no blocks, and always the time of now. */
static bool changed_in_run(const struct stat *status) { return status->st_blocks > 0 && is_of_this_run(status); }

/* What the kernel tells of this process, and the program may have changed: /proc/self/mem, comm. */
static bool is_of_process(int descriptor, const struct stat *status) {
    struct statfs system;
    bool may_be = status->st_blocks == 0 && status->st_size == 0 && status->st_mode & S_IWUSR;
    return may_be && fstatfs(descriptor, &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

/* Where only what was sent can be read; files of the kernel's own, eventfd and its like, are of no type. */
static bool is_between(const struct stat *status) {
    return (status->st_mode & S_IFMT) == 0 || S_ISFIFO(status->st_mode) || S_ISSOCK(status->st_mode);
}

void descriptor_note_unseen(int descriptor, const char *function) {
    struct stat status;
    int saved = errno, access = fcntl(descriptor, F_GETFL) & O_ACCMODE;
    if (access != O_WRONLY && fstat(descriptor, &status) == 0) {
        bool written = access == O_RDWR || changed_in_run(&status) || is_of_process(descriptor, &status);
        if (is_between(&status) || (S_ISREG(status.st_mode) && written))
            untaken_count_external(function);
    }
    errno = saved;
}

static bool is_listening(int descriptor) {
    int listens = 0;
    socklen_t size = sizeof listens;
    return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens;
}

void descriptor_note_awaited(int descriptor, const char *function) {
    struct stat status;
    int saved = errno;
    bool may_be = untaken_stream_of_fd(descriptor) == NULL && fstat(descriptor, &status) == 0 && is_between(&status);
    if (may_be && !is_listening(descriptor))
        untaken_count_external(function);
    errno = saved;
}

void descriptor_note_size(int descriptor, const char *function) {
    struct stat status;
    int saved = errno;
    if ((fcntl(descriptor, F_GETFL) & O_ACCMODE) != O_RDONLY && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode))
        untaken_count_external(function);
    errno = saved;
}

void untaken_note_size_of_name(const char *name, const struct stat *status, const char *function) {
    struct statfs system;
    int saved = errno;
    bool may_be = S_ISREG(status->st_mode) && is_of_this_run(status);
    if (may_be && (status->st_blocks > 0 || (statfs(name, &system) == 0 && system.f_type != PROC_SUPER_MAGIC)))
        untaken_count_external(function);
    errno = saved;
}

void descriptor_after_read(void *self, unsigned arguments, struct read_request request, uint64_t before, ssize_t result) {
    untaken_label labels[UNTAKEN_ARGUMENT_LABELS];
    if (!model_begin(self, labels, arguments))
        return;
    int saved = errno;
    struct cursor *cursor = before == UINT64_MAX ? NULL : cursor_of_descriptor(request.descriptor);
    pin_int(labels[0], request.descriptor);
    model_pin_pointer(labels[1], request.to);
    model_pin(labels[2], request.size);
    if (cursor) {
        cursor_synchronise(cursor, before);
        record_bytes(self, cursor->stream, cursor->position, request.to, request.size, result);
        cursor->position += request.size;
    } else {
        if (result > 0) {
            untaken_memory_clear(request.to, (uint64_t)result);
            descriptor_note_unseen(request.descriptor, "read");
        }
        model_end_concrete(self);
    }
    errno = saved;
}

ssize_t untaken_model_read(int descriptor, void *to, size_t size) {
    uint64_t before = descriptor_before_read(descriptor);
    ssize_t result = read(descriptor, to, size);
    random_file_read(descriptor, to, result);
    descriptor_after_read(SELF(read), 3, (struct read_request){descriptor, to, size}, before, result);
    return result;
}

ssize_t untaken_model___read_chk(int descriptor, void *to, size_t size, size_t room) {
    uint64_t before = descriptor_before_read(descriptor);
    ssize_t result = __read_chk(descriptor, to, size, room);
    random_file_read(descriptor, to, result);
    descriptor_after_read(SELF(__read_chk), 4, (struct read_request){descriptor, to, size}, before, result);
    return result;
}

static void record_pread(void *self, int descriptor, void *to, size_t size, off64_t position, ssize_t result) {
    untaken_label labels[4];
    if (!model_begin(self, labels, 4))
        return;
    struct untaken_stream *stream = untaken_stream_of_fd(descriptor);
    pin_int(labels[0], descriptor);
    model_pin_pointer(labels[1], to);
    model_pin(labels[2], size);
    model_pin(labels[3], (uint64_t)position);
    if (stream) {
        record_bytes(self, stream, (uint64_t)position, to, size, result);
    } else {
        if (result > 0) {
            untaken_memory_clear(to, (uint64_t)result);
            descriptor_note_unseen(descriptor, "pread");
        }
        model_end_concrete(self);
    }
}

#define PREAD_MODEL(function, type)                                                                                \
    ssize_t untaken_model_##function(int descriptor, void *to, size_t size, type position) {                       \
        untaken_look_at(descriptor);                                                                               \
        ssize_t result = function(descriptor, to, size, position);                                                 \
        record_pread(SELF(function), descriptor, to, size, position, result);                                      \
        return result;                                                                                             \
    }
#define PREAD_CHECKED_MODEL(function, type)                                                                        \
    ssize_t untaken_model_##function(int descriptor, void *to, size_t size, type position, size_t room) {          \
        untaken_look_at(descriptor);                                                                               \
        ssize_t result = function(descriptor, to, size, position, room);                                           \
        record_pread(SELF(function), descriptor, to, size, position, result);                                      \
        return result;                                                                                             \
    }

PREAD_MODEL(pread, off_t)
PREAD_MODEL(pread64, off64_t)
PREAD_CHECKED_MODEL(__pread_chk, off_t)
PREAD_CHECKED_MODEL(__pread64_chk, off64_t)

/* The bytes are spread over the vector in order. */
static void label_vector(const struct untaken_stream *stream, uint64_t position, const struct iovec *vector,
                         uint64_t left) {
    for (; left > 0; vector++) {
        uint64_t count = vector->iov_len < left ? vector->iov_len : left;
        if (stream)
            stream_label(stream, position, vector->iov_base, count);
        else
            untaken_memory_clear(vector->iov_base, count);
        position += count;
        left -= count;
    }
}

static uint64_t wanted(const struct iovec *vector, int count) {
    uint64_t want = 0;
    for (int index = 0; index < count; index++)
        want += vector[index].iov_len;
    return want;
}

ssize_t untaken_model_readv(int descriptor, const struct iovec *vector, int count) {
    uint64_t before = descriptor_before_read(descriptor), want = 0;
    ssize_t result = readv(descriptor, vector, count);
    untaken_label labels[3];
    if (!model_begin(SELF(readv), labels, 3))
        return result;
    int saved = errno;
    struct cursor *cursor = before == UINT64_MAX || result < 0 ? NULL : cursor_of_descriptor(descriptor);
    term got = term_constant(64, (uint64_t)result);
    pin_int(labels[0], descriptor);
    model_pin_pointer(labels[1], vector);
    pin_int(labels[2], count);
    if (cursor) {
        cursor_synchronise(cursor, before);
        want = wanted(vector, count);
        got = stream_available(cursor->stream, cursor->position, want);
    } else if (result > 0) {
        descriptor_note_unseen(descriptor, "readv");
    }
    label_vector(cursor ? cursor->stream : NULL, cursor ? cursor->position : 0, vector,
                 result > 0 ? (uint64_t)result : 0);
    if (cursor)
        cursor->position += want;
    model_end(SELF(readv), got, (uint64_t)result);
    errno = saved;
    return result;
}

static void record_preadv(void *self, int descriptor, const struct iovec *vector, int count,
                          off64_t position, ssize_t result) {
    untaken_label labels[4];
    if (!model_begin(self, labels, 4))
        return;
    const struct untaken_stream *stream = result < 0 ? NULL : untaken_stream_of_fd(descriptor);
    pin_int(labels[0], descriptor);
    model_pin_pointer(labels[1], vector);
    pin_int(labels[2], count);
    model_pin(labels[3], (uint64_t)position);
    term got = term_constant(64, (uint64_t)result);
    if (stream)
        got = stream_available(stream, (uint64_t)position, wanted(vector, count));
    else if (result > 0)
        descriptor_note_unseen(descriptor, "preadv");
    label_vector(stream, (uint64_t)position, vector, result > 0 ? (uint64_t)result : 0);
    model_end(self, got, (uint64_t)result);
}

#define PREADV_MODEL(function, type)                                                                               \
    ssize_t untaken_model_##function(int descriptor, const struct iovec *vector, int count, type position) {       \
        untaken_look_at(descriptor);                                                                               \
        ssize_t result = function(descriptor, vector, count, position);                                            \
        record_preadv(SELF(function), descriptor, vector, count, position, result);                             \
        return result;                                                                                             \
    }

PREADV_MODEL(preadv, off_t)
PREADV_MODEL(preadv64, off64_t)

static void record_seek(void *self, int descriptor, off64_t offset, int whence, off64_t result) {
    untaken_label labels[3];
    if (!model_begin(self, labels, 3))
        return;
    struct cursor *cursor = cursor_of_descriptor(descriptor);
    term position = term_constant(64, (uint64_t)result);
    pin_int(labels[0], descriptor);
    model_pin(labels[1], (uint64_t)offset);
    pin_int(labels[2], whence);
    if (cursor && result >= 0)
        position = cursor_seek(cursor, offset, whence, (uint64_t)result);
    else if (result >= 0 && whence != SEEK_SET)
        descriptor_note_size(descriptor, "lseek (of what was written)");
    model_end(self, position, (uint64_t)result);
}

#define SEEK_MODEL(function, type)                                                                                 \
    type untaken_model_##function(int descriptor, type offset, int whence) {                                       \
        untaken_look_at(descriptor);                                                                               \
        type result = function(descriptor, offset, whence);                                                        \
        record_seek(SELF(function), descriptor, offset, whence, result);                                           \
        return result;                                                                                             \
    }

SEEK_MODEL(lseek, off_t)
SEEK_MODEL(lseek64, off64_t)
