/* The input of a run: its bytes, the fields that the program takes of them, and the streams that are drawn from it. */
#ifndef UNTAKEN_INPUT_INPUT_H
#define UNTAKEN_INPUT_INPUT_H

#include "expressions/expressions.h"

/* ---- input.c ---- */
/* Takes the next `size` bytes of the input for a field; returns their offset. */
uint64_t untaken_take_field(uint64_t size, enum untaken_field_kind kind, const char *name);
uint64_t untaken_take_fork_choice(void); /* at a fork: the input byte that says which of the two is followed */
uint8_t untaken_input_value(uint64_t index); /* 0 past the end */
/* The program asks for input, of a stream through its descriptor (and FILE, or null), or else (-1) through an input
 * function. May end the run, or turn it into a snapshot. */
void untaken_input_statement(int descriptor, void *file);
/* Copies input bytes to memory and labels them. */
void untaken_deliver(void *to, uint64_t offset, uint64_t size);
void untaken_input_by_hand(const char *path);

/* ---- changes.c ---- */
/* Writes the input of a run of a burst; returns its size. */
uint64_t untaken_changed_input(const struct untaken_burst *burst, uint64_t seed, uint64_t run, uint8_t *input,
                               uint64_t capacity);

/* ---- sources.c: stdin, files and arguments that are drawn from the input -------------------------------
 * The server lays each stdin or file out in a memfd before the run, so that code we do not know reads the
 * right bytes; labels are given by position. */
struct untaken_stream {
    uint64_t offset;   /* of its bytes in the input */
    uint64_t capacity; /* declared largest size */
    uint64_t size;     /* size in this run */
    term size_term;    /* 64 bits: min(length field, capacity) */
    int memfd;
    const char *name;  /* "" for stdin */
    bool asked;        /* a model was about to read it in this run */
    bool connected;    /* of stdin: it was accepted as a connection, see libc/files/sockets.c */
    bool removed;      /* of a file: in this run it has no name any more */
    const char *path;  /* of a file: absolute, without links and dots; null if it has no such path */
};
struct untaken_stream *untaken_stream_of_fd(int fd);             /* null if not one of ours */
/* A file that was declared, by any name that leads to it from a folder (a descriptor, or AT_FDCWD); with `last_link` also
 * by a link to it, and standard input as /dev/stdin; else null. */
struct untaken_stream *untaken_stream_at(int directory, const char *name, bool last_link);
struct untaken_stream *untaken_stream_of_name(const char *name); /* from where the program is, and with links */
bool untaken_any_files(void); /* were declared, and have their names */
struct untaken_stream *untaken_stream_of_stdin(void); /* null if it is not declared */
/* Once, before the server starts (also by hand, when there is nothing declared). */
void untaken_sources_start(int argc, char **argv);
/* In the prologue (process/prologue.c): streams that nobody is to look at yet; and whether nobody has, so far. */
void untaken_sources_await(void);
bool untaken_sources_are_unread(void);
void untaken_look_at(int descriptor); /* the program is about to ask something of it, be it one of ours or not */
/* Before each run, with recording as it will be in it: lays the streams out and takes
 * their fields, the first of the input. */
void untaken_sources_prepare(void);
void untaken_sources_rewrite(void); /* the input has changed since they were laid out */
/* At the end of a run: notes if stdin was read where nobody saw it. */
void untaken_sources_check(void);

/* ---- random_input.c ---- */
void untaken_random_seed(uint64_t seed);
/* Draws what is not given of a field. */
void untaken_draw(uint64_t offset, uint64_t size, enum untaken_field_kind kind, const char *name);

#endif
