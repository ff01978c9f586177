/* stdin, files and arguments that are drawn from the input.
 *
 * The fork server lays streams out in memfds before each run, so that code we know nothing of reads the right
 * bytes; the models give labels by position. Arguments are buffers that live as long as the server.
 */
#define _GNU_SOURCE
#include "input/names.h"
#include "input/streams.h"
#include "memory/memory.h"
#include "process/process.h"
#include "tracking/tracking.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DESCRIPTORS 1024
#define LENGTH_SIZE 4u
#define ON_A_DESCRIPTOR 0x2000 /* glibc's flag of a FILE that has one; else the number is not set */

struct source {
    const struct untaken_source *declared;
    struct untaken_stream stream;
    char *argument; /* of declared->size + 1 bytes */
};

static struct source *sources;
static uint64_t source_count;
static char start_folder[4096]; /* with a slash behind it, so that what begins so lies in it; empty if it is too long */
static struct {
    struct cursor descriptor, file;
} cursors[DESCRIPTORS]; /* side by side: of most descriptors little is known, and runs copy no page for them */

static void start_stream(struct source *source) {
    struct untaken_stream *stream = &source->stream;
    int descriptor = memfd_create("untaken", MFD_CLOEXEC);
    if (descriptor < 0)
        untaken_end_run(UNTAKEN_EXIT_ERROR, "cannot create a memory file for the input");
    stream->memfd = untaken_hide_descriptor(descriptor);
    stream->capacity = source->declared->size;
    stream->name = source->declared->kind == UNTAKEN_SOURCE_FILE ? source->declared->name : "";
    char path[UNTAKEN_NAME_SIZE];
    if (stream->name[0] && untaken_resolve_name(AT_FDCWD, stream->name, false, path))
        stream->path = strdup(path);
    if (source->declared->kind == UNTAKEN_SOURCE_STDIN)
        dup2(stream->memfd, STDIN_FILENO);
}

static void start_argument(struct source *source, int argc, char **argv) {
    source->argument = calloc(source->declared->size + 1, 1);
    if (!source->argument || source->declared->index >= (uint32_t)argc)
        untaken_end_run(UNTAKEN_EXIT_ERROR, "an argument was declared that is not on the command line");
    argv[source->declared->index] = source->argument;
}

static const struct untaken_source *declared_sources(void) {
    const char *base = (const char *)untaken_shared + untaken_shared->sources.offset;
    return (const struct untaken_source *)(const void *)base;
}

/* Asked of the kernel: programs may have a getcwd of their own. */
static void note_start_folder(void) {
    if (syscall(SYS_getcwd, start_folder, sizeof start_folder - 1) <= 0)
        start_folder[0] = 0;
    if (start_folder[0] && strcmp(start_folder, "/") != 0)
        strcat(start_folder, "/");
}

void untaken_sources_start(int argc, char **argv) {
    if (!untaken_shared || untaken_shared->source_count == 0)
        return;
    note_start_folder();
    const struct untaken_source *declared = declared_sources();
    source_count = untaken_shared->source_count;
    sources = calloc(source_count, sizeof *sources);
    if (!sources)
        untaken_end_run(UNTAKEN_EXIT_ERROR, "no memory for the declared inputs");
    for (uint64_t index = 0; index < source_count; index++) {
        sources[index].declared = &declared[index];
        sources[index].stream.memfd = -1;
        if (declared[index].kind == UNTAKEN_SOURCE_ARGUMENT)
            start_argument(&sources[index], argc, argv);
        else
            start_stream(&sources[index]);
    }
}

/* min(length, capacity) as a term of 64 bits, over the four bytes of the length field. */
static term size_of_stream(uint64_t offset, uint64_t capacity) {
    term length = {0, 8, 0};
    for (unsigned index = 0; index < LENGTH_SIZE; index++) {
        uint8_t value = untaken_input_value(offset + index);
        term byte = {untaken_recording ? untaken_input_node(offset + index, value) : 0, 8, value};
        length = index ? term_concat(byte, length) : byte;
    }
    length = term_extend(UNTAKEN_OP_ZEXT, length, 64);
    return term_binary(UNTAKEN_OP_UMIN, length, term_constant(64, capacity));
}

/* What the input has of the stream; the file is zeros past its old end. */
static uint64_t given_of(const struct untaken_stream *stream) {
    uint64_t end = untaken_shared->input_size < untaken_shared->input.capacity ? untaken_shared->input_size
                                                                              : untaken_shared->input.capacity;
    uint64_t given = end > stream->offset ? end - stream->offset : 0;
    return given < stream->size ? given : stream->size;
}

static void write_stream(const struct untaken_stream *stream) {
    const uint8_t *input = (const uint8_t *)untaken_shared + untaken_shared->input.offset;
    uint64_t given = given_of(stream);
    if (given < stream->size && ftruncate(stream->memfd, (off_t)given) != 0)
        return;
    for (uint64_t done = 0; done < given;) {
        ssize_t count = pwrite(stream->memfd, input + stream->offset + done, given - done, (off_t)done);
        if (count <= 0)
            return;
        done += (uint64_t)count;
    }
    (void)!ftruncate(stream->memfd, (off_t)stream->size);
}

static void prepare_stream(struct source *source) {
    struct untaken_stream *stream = &source->stream;
    bool is_stdin = source->declared->kind == UNTAKEN_SOURCE_STDIN;
    const char *name = is_stdin ? "stdin" : stream->name;
    uint64_t length = untaken_take_field(LENGTH_SIZE, UNTAKEN_FIELD_LENGTH, name);
    stream->offset = untaken_take_field(stream->capacity, is_stdin ? UNTAKEN_FIELD_STDIN : UNTAKEN_FIELD_FILE, name);
    stream->size_term = size_of_stream(length, stream->capacity);
    stream->size = stream->size_term.value;
    stream->asked = stream->removed = false;
    write_stream(stream);
    if (is_stdin) {
        lseek(stream->memfd, 0, SEEK_SET);
        descriptor_opened(STDIN_FILENO, stream);
    }
}

static void prepare_argument(struct source *source) {
    char name[24] = "argv[";
    unsigned index = source->declared->index, digits = index < 10 ? 1 : index < 100 ? 2 : 3;
    for (unsigned place = digits, rest = index; place > 0; place--, rest /= 10)
        name[4 + place] = (char)('0' + rest % 10);
    name[5 + digits] = ']';
    uint64_t offset = untaken_take_field(source->declared->size, UNTAKEN_FIELD_ARGUMENT, name);
    untaken_deliver(source->argument, offset, source->declared->size);
}

/* What reads them all the same, unseen, reads something and moves on. */
void untaken_sources_await(void) {
    for (uint64_t index = 0; index < source_count; index++) {
        struct untaken_stream *stream = &sources[index].stream;
        if (stream->memfd >= 0)
            (void)!ftruncate(stream->memfd, (off_t)stream->capacity);
        if (sources[index].declared->kind == UNTAKEN_SOURCE_STDIN)
            descriptor_opened(STDIN_FILENO, stream);
    }
}

bool untaken_sources_are_unread(void) {
    for (uint64_t index = 0; index < source_count; index++) {
        if (sources[index].argument || lseek(sources[index].stream.memfd, 0, SEEK_CUR) != 0)
            return false;
    }
    return true;
}

/* That one of them is asked for at all is the end of the prologue. */
static struct untaken_stream *looked_at(struct untaken_stream *stream) {
    if (stream && untaken_state.in_prologue)
        untaken_prologue_end();
    return stream;
}

void untaken_look_at(int descriptor) { (void)untaken_stream_of_fd(descriptor); }

void untaken_sources_prepare(void) {
    for (uint64_t index = 0; index < source_count; index++) {
        if (sources[index].argument)
            prepare_argument(&sources[index]);
        else
            prepare_stream(&sources[index]);
    }
}

/* Functions without a model (wscanf, a plain library, a system call by hand) read stdin, too. What they read is
 * concrete, and no constraint says so; but the position in the stream is then not where it began. */
void untaken_sources_check(void) {
    struct untaken_stream *stream = untaken_stream_of_stdin();
    if (stream && untaken_recording && !stream->asked && lseek(stream->memfd, 0, SEEK_CUR) > 0)
        __untaken_note_gap(UNTAKEN_GAP_READS);
}

void untaken_sources_rewrite(void) {
    for (uint64_t index = 0; index < source_count; index++) {
        if (!sources[index].argument)
            write_stream(&sources[index].stream);
    }
}

/* "./name" is the same file as "name", and so is the one that begins with the folder in which the program was started. */
static const char *plain_name(const char *name) {
    size_t length = strlen(start_folder);
    if (length > 0 && strncmp(name, start_folder, length) == 0)
        name += length;
    while (name[0] == '.' && name[1] == '/')
        name += 2;
    return name;
}

/* Constructors run before there is any input, and find none. That they asked is told of each run. */
static void *none_yet(uint32_t kind, const char *name) {
    for (uint64_t index = 0; untaken_shared && index < untaken_shared->source_count; index++) {
        const struct untaken_source *declared = &declared_sources()[index];
        if (declared->kind == kind && (!name || strcmp(plain_name(name), plain_name(declared->name)) == 0))
            untaken_state.early_gaps |= UNTAKEN_GAP_EARLY;
    }
    return NULL;
}

/* Which file it is, and whether there is one, is known for this name only. */
static void note_name(const char *name) {
    if (!runtime_begin())
        return;
    if (untaken_memory_symbolic(name, strlen(name) + 1))
        untaken_count_external("(names of files)");
    runtime_leave();
}

static bool is_file(const struct untaken_stream *stream) {
    return stream->memfd >= 0 && stream->name[0] && !stream->removed;
}

static struct untaken_stream *stream_named(const char *name) {
    for (uint64_t index = 0; index < source_count; index++) {
        struct untaken_stream *stream = &sources[index].stream;
        if (is_file(stream) && strcmp(plain_name(name), plain_name(stream->name)) == 0)
            return stream;
    }
    return NULL;
}

bool untaken_any_files(void) {
    for (uint64_t index = 0; index < source_count; index++) {
        if (is_file(&sources[index].stream))
            return true;
    }
    return false;
}

static struct untaken_stream *stream_with_path(int directory, const char *name, bool last_link) {
    char path[UNTAKEN_NAME_SIZE];
    if (!untaken_any_files() || !untaken_resolve_name(directory, name, last_link, path))
        return NULL;
    for (uint64_t index = 0; index < source_count; index++) {
        struct untaken_stream *stream = &sources[index].stream;
        if (is_file(stream) && stream->path && strcmp(path, stream->path) == 0)
            return stream;
    }
    return NULL;
}

static struct untaken_stream *stream_of_file(int directory, const char *name, bool last_link) {
    note_name(name);
    if (source_count == 0)
        return none_yet(UNTAKEN_SOURCE_FILE, name);
    bool from_here = directory == AT_FDCWD || name[0] == '/';
    struct untaken_stream *stream = from_here ? stream_named(name) : NULL;
    return looked_at(stream ? stream : stream_with_path(directory, name, last_link));
}

static bool is_name_of_stdin(const char *name) {
    return strcmp(name, "/dev/stdin") == 0 || strcmp(name, "/dev/fd/0") == 0 || strcmp(name, "/proc/self/fd/0") == 0;
}

struct untaken_stream *untaken_stream_at(int directory, const char *name, bool last_link) {
    struct untaken_stream *stream = name ? stream_of_file(directory, name, last_link) : NULL;
    if (stream || !name || !last_link || !is_name_of_stdin(name))
        return stream;
    return untaken_stream_of_fd(STDIN_FILENO); /* which the program may have put something else in place of */
}

struct untaken_stream *untaken_stream_of_name(const char *name) { return untaken_stream_at(AT_FDCWD, name, true); }

struct untaken_stream *untaken_stream_of_stdin(void) {
    for (uint64_t index = 0; index < source_count; index++) {
        if (sources[index].declared->kind == UNTAKEN_SOURCE_STDIN)
            return &sources[index].stream;
    }
    return NULL;
}

struct untaken_stream *untaken_stream_of_fd(int fd) {
    if (source_count == 0)
        return fd == STDIN_FILENO ? none_yet(UNTAKEN_SOURCE_STDIN, NULL) : NULL;
    return fd >= 0 && fd < DESCRIPTORS ? looked_at(cursors[fd].descriptor.stream) : NULL;
}

struct cursor *cursor_of_descriptor(int descriptor) {
    return untaken_stream_of_fd(descriptor) ? &cursors[descriptor].descriptor : NULL;
}

/* What fileno says, without a call: programs that read byte by byte ask at each. */
static inline int descriptor_of(const FILE *file) { return file->_flags & ON_A_DESCRIPTOR ? file->_fileno : -1; }

struct cursor *cursor_of_file(FILE *file) {
    if (source_count == 0)
        return file == stdin ? none_yet(UNTAKEN_SOURCE_STDIN, NULL) : NULL;
    int descriptor = descriptor_of(file);
    return untaken_stream_of_fd(descriptor) ? &cursors[descriptor].file : NULL;
}

void descriptor_asked(int descriptor) {
    struct untaken_stream *stream = untaken_stream_of_fd(descriptor);
    if (stream) {
        stream->asked = true;
        untaken_input_statement(descriptor, NULL);
    }
}

void file_asked(FILE *file) {
    struct cursor *cursor = cursor_of_file(file);
    if (cursor) {
        cursor->stream->asked = true;
        untaken_input_statement(descriptor_of(file), file);
    }
}

void descriptor_opened(int descriptor, struct untaken_stream *stream) {
    if (descriptor < 0 || descriptor >= DESCRIPTORS)
        return;
    cursors[descriptor].descriptor = cursors[descriptor].file = (struct cursor){.stream = stream, .read = true};
}

void descriptor_closed(int descriptor) { descriptor_opened(descriptor, NULL); }

void descriptor_duplicated(int from, int to) {
    descriptor_opened(to, untaken_stream_of_fd(from));
    if (untaken_stream_of_fd(to))
        cursors[to].descriptor = cursors[from].descriptor;
}
