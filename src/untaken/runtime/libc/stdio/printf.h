/* What printf writes to memory, byte by byte. */
#ifndef UNTAKEN_LIBC_STDIO_PRINTF_H
#define UNTAKEN_LIBC_STDIO_PRINTF_H

#include "libc/model.h"

#define UNTAKEN_LONGEST_TEXT 1024u /* longer ones are not followed */

/* The label of each byte of a text that is about to be written. */
struct untaken_text {
    bool recorded; /* there is a run to record it in */
    bool lost;     /* it cannot be followed */
    bool symbolic; /* an argument is */
    bool unfollowed; /* one is whose text has no expression, though that of the others may */
    uint64_t length;
    untaken_label labels[UNTAKEN_LONGEST_TEXT];
};

/* Before the text is written, which may overwrite what it is made from. Records decisions: how long strings and numbers
 * are, and which sign they have. */
void untaken_follow_format(struct untaken_text *text, const char *format, va_list arguments);

/* After it: `result` bytes and a zero were written to `to`, cut at `room`. */
void untaken_text_written(struct untaken_text *text, const char *function, char *to, size_t room, int result);

#endif
