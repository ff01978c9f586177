/* Models of functions that read wide characters. A character of ASCII is a byte of the stream; others are pinned. What
 * reads more than one character is called as it is, and named. */
#define _GNU_SOURCE
#include "input/streams.h"
#include "libc/model.h"

#include <stdlib.h>
#include <wchar.h>

static unsigned encoded_size(wint_t character) {
    if (MB_CUR_MAX == 1 || character < 0x80)
        return 1;
    return character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
}

/* The character at the cursor, which was read. */
static term read_at(struct cursor *cursor, wint_t result) {
    term byte = stream_byte(cursor->stream, cursor->position), there = stream_has(cursor->stream, cursor->position);
    term usable = term_or(term_not(there), term_between(byte, 0, 0x7f));
    if (usable.label)
        untaken_decide(UNTAKEN_LIBRARY, usable, 0);
    if (usable.value) {
        cursor->position++;
        return term_ite(there, term_extend(UNTAKEN_OP_ZEXT, byte, 32), term_constant(32, WEOF));
    }
    for (unsigned left = encoded_size(result); left > 0; left--, cursor->position++) {
        term pinned = stream_byte(cursor->stream, cursor->position);
        if (pinned.label)
            untaken_pin_term(pinned);
    }
    return term_constant(32, result);
}

static wint_t character_read(void *self, FILE *file, unsigned arguments) {
    struct cursor *cursor = file_before_read(file);
    wint_t result = fgetwc(file);
    untaken_label label;
    if (!model_begin(self, &label, arguments))
        return result;
    term value = term_constant(32, result);
    if (cursor) {
        value = read_at(cursor, result);
        cursor_was_read(cursor, false);
    }
    model_end(self, value, result);
    return result;
}

wint_t untaken_model_fgetwc(FILE *file) { return character_read(SELF(fgetwc), file, 1); }
wint_t untaken_model_getwc(FILE *file) { return character_read(SELF(getwc), file, 1); }
wint_t untaken_model_getwchar(void) { return character_read(SELF(getwchar), stdin, 0); }

wchar_t *untaken_model_fgetws(wchar_t *to, int size, FILE *file) {
    struct cursor *cursor = file_before_read(file);
    wchar_t *result = fgetws(to, size, file);
    untaken_label labels[3];
    if (model_begin(SELF(fgetws), labels, 3)) {
        if (cursor)
            untaken_count_external("fgetws");
        if (result)
            untaken_memory_clear(to, (wcslen(to) + 1) * sizeof *to);
        model_end_concrete(SELF(fgetws));
    }
    return result;
}
