/* Property test of the models: what the expression of a result says about other inputs is what the real function
 * returns for them.
 *
 * A scene calls one or more functions on buffers drawn from the input. It is played once with the models and
 * labels, for an input A. Then, for inputs B near A that keep to all recorded decisions, it is played with the
 * real functions, and every result and every byte of the buffers must be what the expressions of the first play
 * evaluate to under B.
 */
#ifndef HARNESS_H
#define HARNESS_H

#include "libc/model.h"

#include <stdio.h>
#include <stdlib.h>

#define BUFFER 24
#define OUTPUT 64
#define STREAM 40
#define RESULTS 64

/* Layout of the input: stdin's length and bytes, then what the buffers and numbers hold. */
#define AT_STREAM 4
#define AT_LEFT (AT_STREAM + STREAM)
#define AT_RIGHT (AT_LEFT + BUFFER)
#define AT_NUMBERS (AT_RIGHT + BUFFER)
#define NUMBERS 4
#define INPUT_SIZE (AT_NUMBERS + 4 * NUMBERS)

struct play {
    bool symbolic; /* with models and labels, else the real functions */
    char *left, *right, *output; /* left and right end at the end of a page */
    FILE *file; /* stdin */
    int numbers[NUMBERS];
    untaken_label number_labels[NUMBERS];
    uint64_t choices; /* fixed for all plays of a round: random bits for the scene */
    unsigned count;
    term results[RESULTS];
};

struct scene {
    const char *name;
    const char *alphabet;
    void (*play)(struct play *);
    bool uses_stream;
    bool only_same; /* not followed: what the model does is compared for the input at hand alone */
};
extern const struct scene string_scenes[], stream_scenes[], option_scenes[], scan_scenes[], format_scenes[],
    wide_scenes[];

/* Notes a result; `function` is the model it came from, null for a plain observation. */
void note(struct play *play, void *function, uint8_t width, uint64_t value);
void pass(struct play *play, void *function, unsigned argument, untaken_label label);

/* Calls the model or the real function and notes the result. */
#define CALL(play, width, function, ...)                                                                           \
    do {                                                                                                           \
        uint64_t result_ = (play)->symbolic ? (uint64_t)untaken_model_##function(__VA_ARGS__)                      \
                                            : (uint64_t)function(__VA_ARGS__);                                     \
        note(play, (play)->symbolic ? SELF(function) : NULL, width, result_);                                      \
    } while (0)

#endif
