/* Models of the functions that look for something in memory or a string and return where it is. */
#define _GNU_SOURCE
#include "libc/model.h"

#include <string.h>

/* A walk over a string or memory that stops at a byte wanted, at the end of the string, or after limit bytes. */
struct search {
    struct span span;
    term limit;          /* 64 bits; past it the result is `not_found` (or the position, for lengths) */
    bool string;         /* a zero byte ends it */
    term wanted;         /* 8 bits; or */
    const bool *members; /* if not null: a set of bytes that end it, or with `outside` all others */
    bool outside;
    enum { POSITION, ADDRESS, ADDRESS_OR_END } result; /* ADDRESS is null if the byte is not found */
};

static const term UNLIMITED = {0, 64, UINT64_MAX};

static term search_finds(const struct search *search, term byte) {
    if (!search->members)
        return search->wanted.width ? term_binary(UNTAKEN_OP_EQ, byte, search->wanted) : term_false();
    term member = character_in_set(search->members, byte);
    return search->outside ? term_not(member) : member;
}

static term search_result(const struct search *search, uint64_t index, term found) {
    if (search->result == POSITION)
        return term_constant(64, index);
    term address = term_constant(64, (uintptr_t)(search->span.start + index));
    return search->result == ADDRESS ? term_ite(found, address, term_constant(64, 0)) : address;
}

static bool search_position(const void *context, uint64_t index, struct scan_step *step) {
    const struct search *search = context;
    term past = term_binary(UNTAKEN_OP_ULE, search->limit, term_constant(64, index));
    *step = (struct scan_step){past, search_result(search, index, term_false())};
    if (term_certain(past))
        return true;
    term byte;
    if (!span_byte(&search->span, index, &byte))
        return false;
    term found = term_and(term_not(past), search_finds(search, byte));
    term ends = search->string ? term_equals(byte, 0) : term_false();
    step->stop = term_or(past, term_or(found, ends));
    step->result = search_result(search, index, found);
    return true;
}

/* Ends the model: `seen` bytes were looked at and the result was `concrete`. */
static void record_search(void *self, struct search *search, const void *start, uint64_t seen, uint64_t concrete) {
    search->span = (struct span){start, seen};
    if (span_symbolic(&search->span) || search->wanted.label || search->limit.label)
        model_end(self, scan(search_position, search, concrete, 64), concrete);
    else
        model_end_concrete(self);
}

static term wanted_byte(untaken_label label, int byte) {
    return term_extract(model_argument(label, 32, (uint32_t)byte), 0, 8);
}

static uint64_t distance(const void *start, const void *end) {
    return (uint64_t)((const char *)end - (const char *)start);
}

size_t untaken_model_strlen(const char *string) {
    size_t length = strlen(string);
    untaken_label label;
    if (model_begin(SELF(strlen), &label, 1)) {
        struct search search = {.limit = UNLIMITED, .string = true, .result = POSITION};
        model_pin_pointer(label, string);
        record_search(SELF(strlen), &search, string, length + 1, length);
    }
    return length;
}

size_t untaken_model_strnlen(const char *string, size_t limit) {
    size_t length = strnlen(string, limit);
    untaken_label labels[2];
    if (model_begin(SELF(strnlen), labels, 2)) {
        struct search search = {.limit = model_argument(labels[1], 64, limit), .string = true, .result = POSITION};
        model_pin_pointer(labels[0], string);
        record_search(SELF(strnlen), &search, string, length < limit ? length + 1 : limit, length);
    }
    return length;
}

static void record_find(void *self, struct search *search, const char *string, int byte, const char *found) {
    untaken_label labels[2];
    if (!model_begin(self, labels, 2))
        return;
    model_pin_pointer(labels[0], string);
    search->limit = UNLIMITED;
    search->wanted = wanted_byte(labels[1], byte);
    uint64_t last = found ? distance(string, found) : strlen(string);
    record_search(self, search, string, last + 1, (uintptr_t)found);
}

char *untaken_model_strchr(const char *string, int byte) {
    char *found = strchr(string, byte);
    struct search search = {.string = true, .result = ADDRESS};
    record_find(SELF(strchr), &search, string, byte, found);
    return found;
}

char *untaken_model_index(const char *string, int byte) {
    char *found = strchr(string, byte);
    struct search search = {.string = true, .result = ADDRESS};
    record_find(SELF(index), &search, string, byte, found);
    return found;
}

char *untaken_model_strchrnul(const char *string, int byte) {
    char *found = strchrnul(string, byte);
    struct search search = {.string = true, .result = ADDRESS_OR_END};
    record_find(SELF(strchrnul), &search, string, byte, found);
    return found;
}

void *untaken_model_rawmemchr(const void *memory, int byte) {
    void *found = rawmemchr(memory, byte);
    struct search search = {.result = ADDRESS};
    record_find(SELF(rawmemchr), &search, memory, byte, found);
    return found;
}

void *untaken_model_memchr(const void *memory, int byte, size_t size) {
    void *found = memchr(memory, byte, size);
    untaken_label labels[3];
    if (model_begin(SELF(memchr), labels, 3)) {
        struct search search = {.limit = model_argument(labels[2], 64, size), .result = ADDRESS};
        search.wanted = wanted_byte(labels[1], byte);
        model_pin_pointer(labels[0], memory);
        record_search(SELF(memchr), &search, memory, found ? distance(memory, found) + 1 : size, (uintptr_t)found);
    }
    return found;
}

/* The last of several: built from the front, each later match taking the place of the one before. */
static void record_last(void *self, const untaken_label *labels, struct span span, int byte, bool string,
                        uint64_t concrete) {
    term wanted = wanted_byte(labels[1], byte), last = term_constant(64, 0), open = term_true(), current;
    model_pin_pointer(labels[0], span.start);
    if (!span_symbolic(&span) && !wanted.label) {
        model_end_concrete(self);
        return;
    }
    uint64_t end = string ? span.seen + SCAN_LIMIT : span.seen;
    for (uint64_t index = 0; index < end && !term_impossible(open) && span_byte(&span, index, &current); index++) {
        term match = term_and(open, term_binary(UNTAKEN_OP_EQ, current, wanted));
        last = term_ite(match, term_constant(64, (uintptr_t)(span.start + index)), last);
        if (string)
            open = term_and(open, term_not(term_equals(current, 0)));
    }
    if (string)
        untaken_decide(UNTAKEN_PIN, open, 0);
    model_end(self, last, concrete);
}

char *untaken_model_strrchr(const char *string, int byte) {
    char *found = strrchr(string, byte);
    untaken_label labels[2];
    if (model_begin(SELF(strrchr), labels, 2)) {
        struct span span = {(const unsigned char *)string, strlen(string) + 1};
        record_last(SELF(strrchr), labels, span, byte, true, (uintptr_t)found);
    }
    return found;
}

char *untaken_model_rindex(const char *string, int byte) {
    char *found = strrchr(string, byte);
    untaken_label labels[2];
    if (model_begin(SELF(rindex), labels, 2)) {
        struct span span = {(const unsigned char *)string, strlen(string) + 1};
        record_last(SELF(rindex), labels, span, byte, true, (uintptr_t)found);
    }
    return found;
}

void *untaken_model_memrchr(const void *memory, int byte, size_t size) {
    void *found = memrchr(memory, byte, size);
    untaken_label labels[3];
    if (model_begin(SELF(memrchr), labels, 3)) {
        model_pin(labels[2], size);
        record_last(SELF(memrchr), labels, (struct span){memory, size}, byte, false, (uintptr_t)found);
    }
    return found;
}

/* The characters of a string as flags. If they are symbolic, they are pinned: sets rarely come from input. */
static void read_set(const char *string, bool *members) {
    memset(members, 0, 256 * sizeof *members);
    bool symbolic = untaken_memory_symbolic(string, strlen(string) + 1);
    for (const char *at = string;; at++) {
        if (symbolic)
            untaken_pin_term(untaken_memory_byte(at));
        if (*at == 0)
            return;
        members[(unsigned char)*at] = true;
    }
}

static void record_set(void *self, struct search *search, const char *string, const char *set, size_t last,
                       uint64_t concrete) {
    untaken_label labels[2];
    if (!model_begin(self, labels, 2))
        return;
    bool members[256];
    model_pin_pointer(labels[0], string);
    model_pin_pointer(labels[1], set);
    search->limit = UNLIMITED;
    if (untaken_memory_symbolic(string, last + 1) || untaken_memory_symbolic(set, strlen(set) + 1))
        read_set(set, members);
    search->members = members;
    record_search(self, search, string, last + 1, concrete);
}

size_t untaken_model_strspn(const char *string, const char *set) {
    size_t length = strspn(string, set);
    struct search search = {.string = true, .outside = true, .result = POSITION};
    record_set(SELF(strspn), &search, string, set, length, length);
    return length;
}

size_t untaken_model_strcspn(const char *string, const char *set) {
    size_t length = strcspn(string, set);
    struct search search = {.string = true, .result = POSITION};
    record_set(SELF(strcspn), &search, string, set, length, length);
    return length;
}

char *untaken_model_strpbrk(const char *string, const char *set) {
    size_t length = strcspn(string, set);
    char *found = string[length] ? (char *)string + length : NULL;
    struct search search = {.string = true, .result = ADDRESS};
    record_set(SELF(strpbrk), &search, string, set, length, (uintptr_t)found);
    return found;
}

/* A search for a sequence of bytes. */
struct substring {
    struct span hay;
    struct span needle; /* all seen */
    uint64_t limit;     /* the haystack's size; UINT64_MAX for strings */
    bool string;
};

/* Whether the needle is at `index`; false if that cannot be known. */
static bool needle_at(const struct substring *search, uint64_t index, term *match) {
    *match = term_constant(1, search->needle.seen <= search->limit && index <= search->limit - search->needle.seen);
    for (uint64_t offset = 0; offset < search->needle.seen && !term_impossible(*match); offset++) {
        term byte;
        if (!span_byte(&search->hay, index + offset, &byte))
            return false;
        term wanted = untaken_memory_byte(search->needle.start + offset);
        *match = term_and(*match, term_binary(UNTAKEN_OP_EQ, byte, wanted));
    }
    return true;
}

static bool substring_position(const void *context, uint64_t index, struct scan_step *step) {
    const struct substring *search = context;
    term match, byte, ends = term_constant(1, index >= search->limit);
    *step = (struct scan_step){ends, term_constant(64, 0)};
    if (index > search->limit)
        return true;
    if (search->string && span_byte(&search->hay, index, &byte))
        ends = term_equals(byte, 0);
    if (!needle_at(search, index, &match))
        return false;
    step->stop = term_or(match, ends);
    step->result = term_ite(match, term_constant(64, (uintptr_t)(search->hay.start + index)), term_constant(64, 0));
    return true;
}

static void record_substring(void *self, const struct substring *search, uint64_t concrete) {
    if (span_symbolic(&search->hay) || span_symbolic(&search->needle))
        model_end(self, scan(substring_position, search, concrete, 64), concrete);
    else
        model_end_concrete(self);
}

char *untaken_model_strstr(const char *hay, const char *needle) {
    char *found = strstr(hay, needle);
    untaken_label labels[2];
    if (model_begin(SELF(strstr), labels, 2)) {
        size_t length = strlen(needle), seen = found ? distance(hay, found) + length : strlen(hay) + 1;
        model_pin_pointer(labels[0], hay);
        model_pin_pointer(labels[1], needle);
        string_decide_length(needle, length);
        struct substring search = {
            {(const unsigned char *)hay, seen}, {(const unsigned char *)needle, length}, UINT64_MAX, true};
        record_substring(SELF(strstr), &search, (uintptr_t)found);
    }
    return found;
}

void *untaken_model_memmem(const void *hay, size_t size, const void *needle, size_t length) {
    void *found = memmem(hay, size, needle, length);
    untaken_label labels[4];
    if (model_begin(SELF(memmem), labels, 4)) {
        model_pin_pointer(labels[0], hay);
        model_pin(labels[1], size);
        model_pin_pointer(labels[2], needle);
        model_pin(labels[3], length);
        struct substring search = {{hay, size}, {needle, length}, size, false};
        record_substring(SELF(memmem), &search, (uintptr_t)found);
    }
    return found;
}
