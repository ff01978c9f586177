/* Models of functions on strings of wide characters. */
#define _GNU_SOURCE
#include "libc/model.h"

#include <string.h>
#include <wchar.h>

/* ---- Comparing and searching ---- */

#define PAGE_SIZE 4096u

/* Characters of two strings, or of one and a character. Past `seen` of them, what is symbolic is there, and so is
 * what is on the same page. */
struct wide_walk {
    const wchar_t *left, *right;
    uint64_t seen, limit;
    term wanted;
};

static bool wide_character(const struct wide_walk *walk, const wchar_t *string, uint64_t index, term *character) {
    bool there = index < walk->seen || (index > 0 && (uintptr_t)(string + index) % PAGE_SIZE != 0);
    if (!there && !untaken_memory_symbolic(string + index, sizeof *string))
        return false;
    *character = untaken_memory_load(string + index, sizeof *string);
    return true;
}

static bool length_position(const void *context, uint64_t index, struct scan_step *step) {
    const struct wide_walk *walk = context;
    term character;
    *step = (struct scan_step){term_false(), term_constant(64, index)};
    if (!wide_character(walk, walk->left, index, &character))
        return false;
    step->stop = term_equals(character, 0);
    return true;
}

size_t untaken_model_wcslen(const wchar_t *string) {
    size_t length = wcslen(string);
    untaken_label label;
    if (!model_begin(SELF(wcslen), &label, 1))
        return length;
    model_pin_pointer(label, string);
    struct wide_walk walk = {.left = string, .seen = length + 1};
    bool symbolic = untaken_memory_symbolic(string, (length + 1) * sizeof *string);
    model_end(SELF(wcslen), symbolic ? scan(length_position, &walk, length, 64) : term_constant(64, length), length);
    return length;
}

/* glibc returns -1, 0 or 1. */
static bool comparison_position(const void *context, uint64_t index, struct scan_step *step) {
    const struct wide_walk *walk = context;
    term left, right;
    *step = (struct scan_step){term_false(), term_constant(32, 0)};
    if (index >= walk->limit) {
        step->stop = term_true();
        return true;
    }
    if (!wide_character(walk, walk->left, index, &left) || !wide_character(walk, walk->right, index, &right))
        return false;
    term differ = term_not(term_binary(UNTAKEN_OP_EQ, left, right));
    bool ends = term_certain(term_equals(left, 0)) || term_certain(term_equals(right, 0)); /* then the other one differs */
    step->stop = ends ? term_true() : term_or(differ, term_equals(left, 0));
    term sign = term_ite(term_binary(UNTAKEN_OP_SLT, left, right), term_constant(32, UINT32_MAX), term_constant(32, 1));
    step->result = term_ite(differ, sign, term_constant(32, 0));
    return true;
}

static uint64_t compared_characters(const wchar_t *left, const wchar_t *right, uint64_t limit) {
    uint64_t index = 0;
    while (index < limit && left[index] == right[index] && left[index])
        index++;
    return index < limit ? index + 1 : limit;
}

static int wide_compared(void *self, const wchar_t *left, const wchar_t *right, uint64_t limit, unsigned arguments, int result) {
    untaken_label labels[3] = {0};
    if (!model_begin(self, labels, arguments))
        return result;
    model_pin_pointer(labels[0], left);
    model_pin_pointer(labels[1], right);
    model_pin(labels[2], limit);
    struct wide_walk walk = {.left = left, .right = right, .limit = limit, .seen = compared_characters(left, right, limit)};
    uint64_t bytes = walk.seen * sizeof *left;
    bool symbolic = untaken_memory_symbolic(left, bytes) || untaken_memory_symbolic(right, bytes);
    term known = term_constant(32, (uint32_t)result);
    model_end(self, symbolic ? scan(comparison_position, &walk, (uint32_t)result, 32) : known, (uint32_t)result);
    return result;
}

int untaken_model_wcscmp(const wchar_t *left, const wchar_t *right) {
    return wide_compared(SELF(wcscmp), left, right, UINT64_MAX, 2, wcscmp(left, right));
}

int untaken_model_wcsncmp(const wchar_t *left, const wchar_t *right, size_t limit) {
    return wide_compared(SELF(wcsncmp), left, right, limit, 3, wcsncmp(left, right, limit));
}

static bool search_position(const void *context, uint64_t index, struct scan_step *step) {
    const struct wide_walk *walk = context;
    term character;
    *step = (struct scan_step){term_false(), term_constant(64, 0)};
    if (!wide_character(walk, walk->left, index, &character))
        return false;
    term found = term_binary(UNTAKEN_OP_EQ, character, walk->wanted);
    step->stop = term_or(found, term_equals(character, 0));
    step->result = term_ite(found, term_constant(64, (uintptr_t)(walk->left + index)), term_constant(64, 0));
    return true;
}

wchar_t *untaken_model_wcschr(const wchar_t *string, wchar_t wanted) {
    wchar_t *result = wcschr(string, wanted);
    untaken_label labels[2];
    if (!model_begin(SELF(wcschr), labels, 2))
        return result;
    model_pin_pointer(labels[0], string);
    uint64_t seen = result ? (uint64_t)(result - string) + 1 : wcslen(string) + 1;
    struct wide_walk walk = {.left = string, .seen = seen, .wanted = model_argument(labels[1], 32, (uint32_t)wanted)};
    bool symbolic = walk.wanted.label || untaken_memory_symbolic(string, seen * sizeof *string);
    term known = term_constant(64, (uintptr_t)result);
    model_end(SELF(wcschr), symbolic ? scan(search_position, &walk, (uintptr_t)result, 64) : known, (uintptr_t)result);
    return result;
}

/* ---- Copying ---- */

/* Decides, as one decision, that a wide string has the length that it has. */
static void decide_wide_length(const wchar_t *string, uint64_t length) {
    if (!untaken_memory_symbolic(string, (length + 1) * sizeof *string))
        return;
    term shape = term_true();
    for (uint64_t index = 0; index <= length; index++) {
        term end = term_equals(untaken_memory_load(string + index, sizeof *string), 0);
        shape = term_and(shape, index < length ? term_not(end) : end);
    }
    untaken_decide(UNTAKEN_LIBRARY, shape, 0);
}

static void record_copy(void *self, wchar_t *to, const wchar_t *from, uint64_t length) {
    untaken_label labels[2];
    if (!model_begin(self, labels, 2))
        return;
    model_pin_pointer(labels[1], from);
    decide_wide_length(from, length);
    untaken_memory_copy(to, from, (length + 1) * sizeof *from);
    model_end_label(self, labels[0]);
}

wchar_t *untaken_model_wcscpy(wchar_t *to, const wchar_t *from) {
    uint64_t length = wcslen(from);
    wcscpy(to, from);
    record_copy(SELF(wcscpy), to, from, length);
    return to;
}

wchar_t *untaken_model_wmemcpy(wchar_t *to, const wchar_t *from, size_t count) {
    untaken_label labels[3];
    wmemcpy(to, from, count);
    if (model_begin(SELF(wmemcpy), labels, 3)) {
        model_pin(labels[2], count);
        untaken_memory_copy(to, from, count * sizeof *from);
        model_end_label(SELF(wmemcpy), labels[0]);
    }
    return to;
}
