/* Streams whose other end is memory, or functions of the program: what passes through them has no labels, and they are named. */
#define _GNU_SOURCE
#include "libc/model.h"

#include <stdio.h>
#include <string.h>
#include <wchar.h>

static void name_always(void *self, const char *function) {
    if (!model_begin(self, NULL, 0))
        return;
    untaken_count_external(function);
    model_end_concrete(self);
}

FILE *untaken_model_fmemopen(void *memory, size_t size, const char *mode) {
    FILE *file = fmemopen(memory, size, mode);
    if (memory && strcspn(mode, "wa+") == strlen(mode))
        model_not_followed(SELF(fmemopen), "fmemopen", memory, size, NULL, 0);
    else
        name_always(SELF(fmemopen), "fmemopen");
    return file;
}

FILE *untaken_model_open_memstream(char **memory, size_t *size) {
    FILE *file = open_memstream(memory, size);
    name_always(SELF(open_memstream), "open_memstream");
    return file;
}

FILE *untaken_model_open_wmemstream(wchar_t **memory, size_t *size) {
    FILE *file = open_wmemstream(memory, size);
    name_always(SELF(open_wmemstream), "open_wmemstream");
    return file;
}

FILE *untaken_model_fopencookie(void *cookie, const char *mode, cookie_io_functions_t functions) {
    FILE *file = fopencookie(cookie, mode, functions);
    name_always(SELF(fopencookie), "fopencookie");
    return file;
}
