/* Models of the ways in which a program gives up: why is noted for the report, then it dies in its own way. */
#define _GNU_SOURCE
#include "process/process.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MESSAGE_SIZE 400

/* As in assert.h, which declares them only with assertions on. */
_Noreturn void __assert_fail(const char *assertion, const char *file, unsigned line, const char *function);
_Noreturn void __assert_perror_fail(int error, const char *file, unsigned line, const char *function);

_Noreturn void untaken_model___assert_fail(const char *assertion, const char *file, unsigned line,
                                           const char *function) {
    if (untaken_shared) {
        char message[MESSAGE_SIZE];
        snprintf(message, sizeof message, "%s:%u: %s: assertion `%s' failed", file, line, function ? function : "?",
                 assertion);
        untaken_note_error(message);
    }
    __assert_fail(assertion, file, line, function);
}

_Noreturn void untaken_model___assert_perror_fail(int error, const char *file, unsigned line, const char *function) {
    if (untaken_shared) {
        char message[MESSAGE_SIZE];
        snprintf(message, sizeof message, "%s:%u: %s: unexpected error: %s", file, line, function ? function : "?",
                 strerror(error));
        untaken_note_error(message);
    }
    __assert_perror_fail(error, file, line, function);
}
