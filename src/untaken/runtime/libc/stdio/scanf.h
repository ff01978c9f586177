/* What scanf makes of text: formats taken apart, and the decisions and values that come of each conversion. */
#ifndef UNTAKEN_LIBC_STDIO_SCANF_H
#define UNTAKEN_LIBC_STDIO_SCANF_H

#include "expressions/wide.h"
#include "input/streams.h"
#include "libc/model.h"

#include <stdarg.h>

/* One conversion of a format. */
struct conversion {
    char kind;       /* the letter, '%', or 0 if there is none that we know */
    bool suppressed; /* '*' */
    bool allocates;  /* 'm' */
    bool wide;       /* of characters: they become those of wchar_t */
    bool set[256];   /* of '[' */
    uint64_t width;  /* at most so many characters; 0: not said */
    size_t size;     /* of what is stored, unless that is characters */
};

/* Reads the conversion after a '%'; returns what follows it. */
const char *conversion_read(const char *at, struct conversion *conversion);

/* The text that was scanned, in memory. It ends with a zero byte that is not part of it. */
struct scanned {
    const char *text;
    uint64_t length;
    const struct untaken_stream *stream; /* null: a string */
    uint64_t position;                   /* of the text in the stream */
    uint64_t at;                         /* what was taken of it so far */
    uint64_t token;                      /* where the characters begin that were taken last */
    bool lacks;                          /* the text was over where something was needed */
    term shape;                          /* what is to be decided of it; at first, one bit that is true */
    bool spaced;                         /* blanks were skipped last: none follows */
    uint64_t asked;                      /* what was looked at so far */
    bool untracked;                      /* some value is concrete although its text is not */
};

#define SCANNED_OVER (-1)
#define SCANNED_UNKNOWN (-2) /* there is a conversion that we cannot follow */

/* Takes the steps that scanf took, decides what they depend on, and labels what was stored; gives what scanf returned,
 * or SCANNED_UNKNOWN. */
int scanned_follow(struct scanned *scanned, const char *format, va_list *arguments);

#endif
