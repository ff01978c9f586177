/* Scenes with memory, strings, characters and numbers. */
#define _GNU_SOURCE
#include "harness.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#undef isalnum
#undef isdigit
#undef isspace
#undef isxdigit
#undef isupper
#undef ispunct
#undef tolower
#undef toupper
#undef isascii
#undef toascii
#undef strdup
#undef strndup

#define MODEL(function) extern __typeof__(function) untaken_model_##function;
#define LETTERS "abAB"

/* The scene of a function that takes what `...` says and only returns something. */
#define SIMPLE(function, width, ...)                                                                               \
    MODEL(function)                                                                                                \
    static void play_##function(struct play *play) { CALL(play, width, function, __VA_ARGS__); }
/* The same, with a number as argument `position`, whose label is passed. */
#define WITH_NUMBER(function, width, position, conversion, ...)                                                    \
    MODEL(function)                                                                                                \
    static void play_##function(struct play *play) {                                                               \
        int number = play->numbers[0];                                                                             \
        untaken_label label = play->number_labels[0];                                                              \
        (void)number;                                                                                              \
        pass(play, SELF(function), position, conversion);                                                          \
        CALL(play, width, function, __VA_ARGS__);                                                                  \
    }

/* A size is the number, extended to 64 bits. */
static untaken_label widened(untaken_label label) {
    return label ? term_extend(UNTAKEN_OP_ZEXT, term_of_label(label), 64).label : 0;
}

SIMPLE(strlen, 64, play->left)
SIMPLE(strcmp, 32, play->left, play->right)
SIMPLE(strcasecmp, 32, play->left, play->right)
SIMPLE(strstr, 64, play->left, play->right)
SIMPLE(strspn, 64, play->left, "ab")
SIMPLE(strcspn, 64, play->left, "AB")
SIMPLE(strpbrk, 64, play->left, play->right)
SIMPLE(atoi, 32, play->left)
SIMPLE(atol, 64, play->left)
SIMPLE(atoll, 64, play->left)
WITH_NUMBER(strnlen, 64, 1, widened(label), play->left, (size_t)number)
WITH_NUMBER(memcmp, 32, 2, widened(label), play->left, play->right, (size_t)number)
WITH_NUMBER(bcmp, 32, 2, widened(label), play->left, play->right, (size_t)number)
WITH_NUMBER(strncmp, 32, 2, widened(label), play->left, play->right, (size_t)number)
WITH_NUMBER(strncasecmp, 32, 2, widened(label), play->left, play->right, (size_t)number)
WITH_NUMBER(memchr, 64, 2, widened(label), play->left, 'a', (size_t)number)
WITH_NUMBER(memrchr, 64, 2, widened(label), play->left, 'a', (size_t)number)
WITH_NUMBER(memmem, 64, 1, widened(label), play->left, (size_t)number, play->right, play->choices % 3)
SIMPLE(strchr, 64, play->left, 'b')
SIMPLE(strchrnul, 64, play->left, 'b')
WITH_NUMBER(abs, 32, 0, label, number)
WITH_NUMBER(htonl, 32, 0, label, (uint32_t)number)

MODEL(rawmemchr)
static void play_rawmemchr(struct play *play) { CALL(play, 64, rawmemchr, play->left, 0); }

/* A character to look for that is symbolic itself. */
static untaken_label right_character(struct play *play) {
    return play->symbolic ? term_extend(UNTAKEN_OP_ZEXT, untaken_memory_byte(play->right), 32).label : 0;
}

MODEL(strrchr)
static void play_any_strchr(struct play *play) {
    int wanted = (unsigned char)play->right[0];
    pass(play, SELF(strchr), 1, right_character(play));
    CALL(play, 64, strchr, play->left, wanted);
}

static void play_strrchr(struct play *play) {
    int wanted = play->choices % 2 ? 'a' : (unsigned char)play->right[0];
    pass(play, SELF(strrchr), 1, play->choices % 2 ? 0 : right_character(play));
    CALL(play, 64, strrchr, play->left, wanted);
}

/* ---- Characters ---- */

MODEL(isalnum)
MODEL(isdigit)
MODEL(isspace)
MODEL(isxdigit)
MODEL(isupper)
MODEL(ispunct)
MODEL(tolower)
MODEL(toupper)
MODEL(isascii)
MODEL(toascii)

#define CHARACTER(function)                                                                                        \
    do {                                                                                                           \
        pass(play, SELF(function), 0, label);                                                                      \
        CALL(play, 32, function, number);                                                                          \
    } while (0)

static void play_ctype(struct play *play) {
    for (unsigned index = 0; index < 4; index++) {
        int number = play->choices % 2 ? (unsigned char)play->left[index] : (signed char)play->left[index];
        untaken_label label = 0;
        if (play->symbolic) {
            term byte = untaken_memory_byte(play->left + index);
            label = byte.label ? term_extend(play->choices % 2 ? UNTAKEN_OP_ZEXT : UNTAKEN_OP_SEXT, byte, 32).label : 0;
        }
        CHARACTER(isalnum);
        CHARACTER(isdigit);
        CHARACTER(isspace);
        CHARACTER(isxdigit);
        CHARACTER(isupper);
        CHARACTER(ispunct);
        CHARACTER(tolower);
        CHARACTER(toupper);
        CHARACTER(isascii);
        CHARACTER(toascii);
    }
}

/* ---- Numbers ---- */

/* Also what is left in errno and where the number ended. */
#define NUMBER(function)                                                                                           \
    MODEL(function)                                                                                                \
    static void play_##function(struct play *play) {                                                               \
        static const int bases[] = {10, 0, 16, 8, 2, 36, 10, 1};                                                   \
        int base = bases[play->choices % 8];                                                                       \
        char *end = NULL;                                                                                          \
        errno = 0;                                                                                                 \
        CALL(play, 64, function, play->left, &end, base);                                                          \
        note(play, NULL, 32, (uint32_t)errno);                                                                     \
        note(play, NULL, 64, base == 1 ? 0 : (uintptr_t)end); /* sanitizers set it, glibc does not */              \
    }

NUMBER(strtol)
NUMBER(strtoul)
NUMBER(strtoll)
NUMBER(strtoull)
NUMBER(strtoimax)
NUMBER(strtoumax)

/* ---- Copies ---- */

#define COPY(function, ...)                                                                                        \
    MODEL(function)                                                                                                \
    static void play_##function(struct play *play) {                                                               \
        int number = play->numbers[0];                                                                             \
        untaken_label label = play->number_labels[0];                                                              \
        pass(play, SELF(function), 2, widened(label));                                                             \
        CALL(play, 64, function, __VA_ARGS__);                                                                     \
    }

MODEL(memset)
MODEL(memccpy)
MODEL(strcat)
MODEL(strncat)
COPY(memcpy, play->output, play->left, (size_t)number)
COPY(mempcpy, play->output, play->left, (size_t)number)
SIMPLE(memmove, 64, play->left + play->choices % 5, play->left + play->choices / 5 % 5, play->choices / 25 % 18)
COPY(strncpy, play->output, play->left, (size_t)number)
COPY(stpncpy, play->output, play->left, (size_t)number)
SIMPLE(strcpy, 64, play->output, play->left)
SIMPLE(stpcpy, 64, play->output, play->left)

static void play_memset(struct play *play) {
    pass(play, SELF(memset), 1, play->number_labels[1]);
    CALL(play, 64, memset, play->left + play->choices % 7, play->numbers[1], 5);
}

static void play_memccpy(struct play *play) {
    CALL(play, 64, memccpy, play->output, play->left, 'b', (size_t)play->choices % BUFFER);
}

static void play_strcat(struct play *play) {
    CALL(play, 64, strcpy, play->output, play->left);
    CALL(play, 64, strcat, play->output, play->right);
}

static void play_strncat(struct play *play) {
    CALL(play, 64, strcpy, play->output, play->left);
    CALL(play, 64, strncat, play->output, play->right, (size_t)play->choices % 9);
}

MODEL(strdup)
MODEL(strndup)
MODEL(free)
MODEL(realloc)

/* The pointer differs from play to play: the copy is looked at through the output. */
static void play_strdup(struct play *play) {
    char *copy = play->symbolic ? untaken_model_strdup(play->left) : strdup(play->left);
    char *part = play->symbolic ? untaken_model_strndup(play->right, play->choices % 9)
                                : strndup(play->right, play->choices % 9);
    copy = play->symbolic ? untaken_model_realloc(copy, 2000) : realloc(copy, 2000);
    if (play->symbolic) {
        untaken_model_memcpy(play->output, copy, strlen(copy) + 1);
        untaken_model_memcpy(play->output + BUFFER, part, strlen(part) + 1);
        untaken_model_free(copy);
        untaken_model_free(part);
    } else {
        memcpy(play->output, copy, strlen(copy) + 1);
        memcpy(play->output + BUFFER, part, strlen(part) + 1);
        free(copy);
        free(part);
    }
    note(play, NULL, 64, 0);
}

MODEL(strtok_r)
MODEL(strsep)

static void play_strtok(struct play *play) {
    char *rest = NULL;
    CALL(play, 64, strtok_r, play->left, "aA", &rest);
    CALL(play, 64, strtok_r, NULL, "aA", &rest);
    CALL(play, 64, strtok_r, NULL, "bA", &rest);
    note(play, NULL, 64, (uintptr_t)rest);
}

static void play_strsep(struct play *play) {
    char *rest = play->left;
    CALL(play, 64, strsep, &rest, "aA");
    CALL(play, 64, strsep, &rest, "b");
    note(play, NULL, 64, (uintptr_t)rest);
}

/* ---- Sorting ---- */

MODEL(qsort)
MODEL(bsearch)

/* As instrumented code would return its label. */
static int by_difference(const void *left, const void *right) {
    int result = *(const unsigned char *)left - *(const unsigned char *)right;
    if (untaken_recording) {
        term difference = term_binary(UNTAKEN_OP_SUB, term_extend(UNTAKEN_OP_ZEXT, untaken_memory_byte(left), 32),
                                      term_extend(UNTAKEN_OP_ZEXT, untaken_memory_byte(right), 32));
        untaken_return((void *)(uintptr_t)by_difference, difference.label);
    }
    return result;
}

static void play_qsort(struct play *play) {
    size_t size = 1 + play->choices % 3, count = 1 + play->choices / 8 % 6;
    (play->symbolic ? untaken_model_qsort : qsort)(play->left, count, size, by_difference);
    __untaken_return_owner = NULL;
    note(play, NULL, 64, 0);
}

static void play_bsearch(struct play *play) {
    static const char table[] = {0, ' ', 'A', 'B', 'a', 'c'};
    CALL(play, 64, bsearch, play->left, table, sizeof table, 1, by_difference);
}

#define DIGITS "0011279 +-xXafbB"
/* Numbers, characters and strings in all ways that printf has for them; each format takes a number and a string. */
MODEL(sprintf)
static void play_sprintf(struct play *play) {
    static const char *const formats[] = {"%d:%s", "%x %5s", "<%-6u>%.2s", "%+05d%-4s", "%hhd%%%s", "%c%s", "% o|%s", "%08X%2.1s"};
    const char *format = formats[play->choices % 8];
    if (play->symbolic) {
        pass(play, SELF(sprintf), 2, play->number_labels[0]);
        __untaken_varargs_call("gg|gg", 4);
    }
    CALL(play, 32, sprintf, play->output, format, play->numbers[0], play->left);
}

/* Cut off, with sizes from arguments, and more arguments than there are registers. */
MODEL(snprintf)
static void play_snprintf(struct play *play) {
    size_t room = play->choices % 20;
    if (play->symbolic) {
        pass(play, SELF(snprintf), 9, play->number_labels[0]);
        __untaken_varargs_call("ggg|ggggggg", 10);
    }
    CALL(play, 32, snprintf, play->output, room, "%*d%.*s%s%ld-%u", 3, 7, 2, play->right, "x", -5L,
         (unsigned)play->numbers[0]);
}

const struct scene string_scenes[] = {
    {"strlen", LETTERS, play_strlen, false},
    {"strnlen", LETTERS, play_strnlen, false},
    {"strcmp", LETTERS, play_strcmp, false},
    {"strncmp", LETTERS, play_strncmp, false},
    {"strcasecmp", LETTERS, play_strcasecmp, false},
    {"strncasecmp", LETTERS, play_strncasecmp, false},
    {"memcmp", LETTERS, play_memcmp, false},
    {"bcmp", LETTERS, play_bcmp, false},
    {"memchr", LETTERS, play_memchr, false},
    {"memrchr", LETTERS, play_memrchr, false},
    {"rawmemchr", LETTERS, play_rawmemchr, false},
    {"memmem", "ab", play_memmem, false},
    {"strchr", LETTERS, play_strchr, false},
    {"any strchr", LETTERS, play_any_strchr, false},
    {"strrchr", LETTERS, play_strrchr, false},
    {"strchrnul", LETTERS, play_strchrnul, false},
    {"strstr", "aab", play_strstr, false},
    {"strspn", LETTERS, play_strspn, false},
    {"strcspn", LETTERS, play_strcspn, false},
    {"strpbrk", LETTERS, play_strpbrk, false},
    {"ctype", "aZ 09\t_~", play_ctype, false},
    {"abs", LETTERS, play_abs, false},
    {"htonl", LETTERS, play_htonl, false},
    {"atoi", DIGITS, play_atoi, false},
    {"atol", DIGITS, play_atol, false},
    {"atoll", DIGITS, play_atoll, false},
    {"strtol", DIGITS, play_strtol, false},
    {"strtoul", DIGITS, play_strtoul, false},
    {"strtoll", DIGITS, play_strtoll, false},
    {"strtoull", DIGITS, play_strtoull, false},
    {"strtoimax", DIGITS, play_strtoimax, false},
    {"strtoumax", DIGITS, play_strtoumax, false},
    {"memcpy", LETTERS, play_memcpy, false},
    {"mempcpy", LETTERS, play_mempcpy, false},
    {"memmove", LETTERS, play_memmove, false},
    {"memset", LETTERS, play_memset, false},
    {"memccpy", LETTERS, play_memccpy, false},
    {"strcpy", LETTERS, play_strcpy, false},
    {"stpcpy", LETTERS, play_stpcpy, false},
    {"strncpy", LETTERS, play_strncpy, false},
    {"stpncpy", LETTERS, play_stpncpy, false},
    {"strcat", LETTERS, play_strcat, false},
    {"strncat", LETTERS, play_strncat, false},
    {"strdup", LETTERS, play_strdup, false},
    {"strtok", LETTERS, play_strtok, false},
    {"strsep", LETTERS, play_strsep, false},
    {"sprintf", LETTERS, play_sprintf, false},
    {"snprintf", LETTERS, play_snprintf, false},
    {"qsort", LETTERS, play_qsort, false},
    {"bsearch", LETTERS, play_bsearch, false},
    {0},
};
