/* Models of the comparing functions: one expression for the result, over all bytes that might decide it. */
#define _GNU_SOURCE
#include "libc/model.h"

#include <ctype.h>
#include <locale.h>
#include <string.h>
#include <strings.h>

struct comparison {
    struct span left, right;
    term limit;    /* 64 bits: how many bytes at most */
    bool strings;  /* a zero byte on both sides ends it */
    bool any_case;
};

static const term NO_LIMIT = {0, 64, UINT64_MAX};

static bool compared_byte(const struct comparison *comparison, const struct span *span, uint64_t index, term *byte) {
    if (!span_byte(span, index, byte))
        return false;
    if (comparison->any_case)
        *byte = character_lower(*byte);
    return true;
}

/* It stops at a difference, and for strings at the end of both. */
static term comparison_stops(const struct comparison *comparison, term left, term right) {
    term differ = term_not(term_binary(UNTAKEN_OP_EQ, left, right));
    if (!comparison->strings)
        return differ;
    if (term_impossible(left) || term_impossible(right))
        return term_true();
    if (left.label == 0 || right.label == 0)
        return differ;
    return term_or(differ, term_equals(left, 0));
}

static term past_limit(term limit, uint64_t index) {
    return limit.label == 0 ? term_constant(1, limit.value <= index)
                            : term_binary(UNTAKEN_OP_ULE, limit, term_constant(64, index));
}

static bool comparison_position(const void *context, uint64_t index, struct scan_step *step) {
    const struct comparison *comparison = context;
    term past = past_limit(comparison->limit, index);
    *step = (struct scan_step){past, term_constant(32, 0)};
    if (term_certain(past))
        return true;
    term left, right;
    if (!compared_byte(comparison, &comparison->left, index, &left) ||
        !compared_byte(comparison, &comparison->right, index, &right))
        return false;
    step->stop = term_or(past, comparison_stops(comparison, left, right));
    term difference = term_binary(UNTAKEN_OP_SUB, term_extend(UNTAKEN_OP_ZEXT, left, 32),
                                  term_extend(UNTAKEN_OP_ZEXT, right, 32));
    step->result = past.label == 0 ? difference : term_ite(past, term_constant(32, 0), difference);
    return true;
}

/* libc may return any value of the right sign: what it returned stands for its own sign, 1 for the other. */
static term with_sign_of(term difference, int concrete) {
    if (difference.label == 0 || difference.value == (uint32_t)concrete)
        return difference;
    term negative = term_constant(32, (uint32_t)(concrete < 0 ? concrete : -1));
    term positive = term_constant(32, (uint32_t)(concrete > 0 ? concrete : 1));
    term zero = term_constant(32, 0);
    term sign = term_ite(term_binary(UNTAKEN_OP_SLT, difference, zero), negative, positive);
    return term_ite(term_equals(difference, 0), zero, sign);
}

/* How many bytes of each side the function looked at: up to and with the one that decided. */
static uint64_t deciding_bytes(const struct comparison *comparison) {
    const unsigned char *left = comparison->left.start, *right = comparison->right.start;
    uint64_t index = 0;
    for (; index < comparison->limit.value; index++) {
        int a = left[index], b = right[index];
        if (comparison->any_case ? tolower(a) != tolower(b) : a != b)
            return index + 1;
        if (comparison->strings && a == 0)
            return index + 1;
    }
    return index;
}

/* Which of the two is the program's own is not known: note_wanted_word looks at labels. */
static void note_words(const struct comparison *comparison) {
    const char *left = (const char *)comparison->left.start, *right = (const char *)comparison->right.start;
    note_wanted_word(left, right, comparison->limit.value);
    note_wanted_word(right, left, comparison->limit.value);
}

static void record_comparison(void *self, struct comparison *comparison, untaken_label *labels, int result) {
    model_pin_pointer(labels[0], comparison->left.start);
    model_pin_pointer(labels[1], comparison->right.start);
    comparison->left.seen = comparison->right.seen = deciding_bytes(comparison);
    if (comparison->strings && result != 0)
        note_words(comparison);
    if (!comparison->limit.label && !span_symbolic(&comparison->left) && !span_symbolic(&comparison->right)) {
        model_end_concrete(self);
        return;
    }
    term difference = scan(comparison_position, comparison, (uint32_t)result, 32);
    model_end(self, with_sign_of(difference, result), (uint32_t)result);
}

static int compared(void *self, struct comparison comparison, const void *left, const void *right, int result) {
    untaken_label labels[2];
    if (!model_begin(self, labels, 2))
        return result;
    comparison.left.start = left;
    comparison.right.start = right;
    comparison.limit = NO_LIMIT;
    record_comparison(self, &comparison, labels, result);
    return result;
}

static int compared_within(void *self, struct comparison comparison, const void *left, const void *right,
                           size_t limit, int result) {
    untaken_label labels[3];
    if (!model_begin(self, labels, 3))
        return result;
    comparison.left.start = left;
    comparison.right.start = right;
    comparison.limit = model_argument(labels[2], 64, limit);
    record_comparison(self, &comparison, labels, result);
    return result;
}

static const struct comparison of_memory = {.strings = false};
static const struct comparison of_strings = {.strings = true};
static const struct comparison of_any_case = {.strings = true, .any_case = true};

int untaken_model_memcmp(const void *left, const void *right, size_t size) {
    return compared_within(SELF(memcmp), of_memory, left, right, size, memcmp(left, right, size));
}

int untaken_model_bcmp(const void *left, const void *right, size_t size) {
    return compared_within(SELF(bcmp), of_memory, left, right, size, bcmp(left, right, size));
}

int untaken_model_strcmp(const char *left, const char *right) {
    return compared(SELF(strcmp), of_strings, left, right, strcmp(left, right));
}

int untaken_model_strncmp(const char *left, const char *right, size_t limit) {
    return compared_within(SELF(strncmp), of_strings, left, right, limit, strncmp(left, right, limit));
}

int untaken_model_strcasecmp(const char *left, const char *right) {
    return compared(SELF(strcasecmp), of_any_case, left, right, strcasecmp(left, right));
}

int untaken_model_strncasecmp(const char *left, const char *right, size_t limit) {
    return compared_within(SELF(strncasecmp), of_any_case, left, right, limit, strncasecmp(left, right, limit));
}

/* In these locales strings are in the order of their characters. */
static bool collates_bytes(void) {
    const char *locale = setlocale(LC_COLLATE, NULL);
    return !strcmp(locale, "C") || !strcmp(locale, "POSIX") || !strncmp(locale, "C.", 2);
}

int untaken_model_strcoll(const char *left, const char *right) {
    int result = strcoll(left, right);
    if (collates_bytes())
        return compared(SELF(strcoll), of_strings, left, right, result);
    model_not_followed(SELF(strcoll), "strcoll", left, strlen(left) + 1, right, strlen(right) + 1);
    return result;
}
