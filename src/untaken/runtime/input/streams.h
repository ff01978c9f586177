/* Streams drawn from the input, as the models of files and stdio see them: which descriptor is which stream,
 * how far it was read, and what that means for the symbolic size.
 *
 * A cursor does not count bytes got but bytes asked for: a read of 100 moves it by 100 even where the data
 * ended before. What is left for the next read is max(0, size - cursor) for every size, so that positions
 * stay plain numbers although the size is symbolic.
 */
#ifndef UNTAKEN_INPUT_STREAMS_H
#define UNTAKEN_INPUT_STREAMS_H

#include "input/input.h"

#include <stdio.h>

struct cursor {
    struct untaken_stream *stream; /* null: not one of ours */
    uint64_t start;                /* where the last seek led; may be past the data */
    uint64_t position;             /* asked for up to here */
    int64_t from_end;              /* if at_end: the position is size + from_end */
    bool at_end;                   /* set by a seek relative to the end */
    bool ended;                    /* a line was asked for where there was no data: how long it would be is open */
    bool read;                     /* the last operation was a read, not a seek */
    bool peeked;                   /* then: it looked at one byte more and gave that back */
};

static inline void cursor_was_read(struct cursor *cursor, bool peeked) {
    cursor->read = true;
    cursor->peeked = peeked;
}

/* A descriptor and the FILE on top of it have a cursor each: the FILE reads ahead. Null if not ours. */
struct cursor *cursor_of_descriptor(int descriptor);
struct cursor *cursor_of_file(FILE *file);

void descriptor_opened(int descriptor, struct untaken_stream *stream); /* stream may be null */
void descriptor_closed(int descriptor);
void descriptor_duplicated(int from, int to);

/* What a program wants to read. */
struct read_request {
    int descriptor;
    void *to;
    size_t size;
};
/* An input statement, if it is one of ours: before it is read. */
void descriptor_asked(int descriptor);
/* Likewise, and where it is; UINT64_MAX if it is not one of ours or nobody wants to know. */
uint64_t descriptor_before_read(int descriptor);
/* Ends the model of a read from where the descriptor was; `self` has so many arguments, the request's first. */
void descriptor_after_read(void *self, unsigned arguments, struct read_request request, uint64_t before, ssize_t result);

/* What comes through a pipe or a socket, or from a file that the run itself has written to or may write to, may be what the
 * program made of its input: it has no labels, and the function that reads it, or is to read it, is named. */
void descriptor_note_unseen(int descriptor, const char *function);
/* The same of one that asks where in a file it is, or how large that is: what was written may depend on the input. */
/* The same of one that asks whether there is something to read; sockets that others connect to do not count. */
void descriptor_note_awaited(int descriptor, const char *function);
struct stat;
void descriptor_note_size(int descriptor, const char *function);
void untaken_note_size_of_name(const char *name, const struct stat *status, const char *function);

void file_asked(FILE *file);

/* The cursor of a FILE of ours, in line with what stdio says; null if it is not ours. */
struct cursor *file_cursor(FILE *file);

/* Before a FILE is read: the input statement, and its cursor, settled; null if it is not ours or no run is recorded. */
static inline struct cursor *file_before_read(FILE *file) {
    file_asked(file);
    return untaken_recording ? file_cursor(file) : NULL;
}

/* Brings the cursor in line with the position that the operating system or stdio reports. */
void cursor_synchronise(struct cursor *cursor, uint64_t actual);
/* Before anything that would be otherwise if there had been a line where there was none: pins that. */
void cursor_confirm(struct cursor *cursor);
/* After a seek that led to `result`: the new position as a term of 64 bits. */
term cursor_seek(struct cursor *cursor, int64_t offset, int whence, uint64_t result);
/* The position as a term of 64 bits, if it is `actual` in this run. */
term cursor_position(const struct cursor *cursor, uint64_t actual);

/* 64 bits: how much there is from `position` on; of that, at most `want`. */
term stream_remaining(const struct untaken_stream *stream, uint64_t position);
term stream_available(const struct untaken_stream *stream, uint64_t position, uint64_t want);
/* One bit: the byte at `position` is there. */
term stream_has(const struct untaken_stream *stream, uint64_t position);
/* The byte at `position`, whether it is there or not in this run. */
term stream_byte(const struct untaken_stream *stream, uint64_t position);
/* Labels `count` bytes of memory that were read from `position`. */
void stream_label(const struct untaken_stream *stream, uint64_t position, void *to, uint64_t count);
/* The path under which the stream can be opened afresh. */
#define STREAM_PATH_SIZE 32
const char *stream_path(const struct untaken_stream *stream, char *path);

#endif
