/* Models of character classes and case: expressions by ranges, read off the current locale's own functions. */
#define _GNU_SOURCE
#include "libc/model.h"
#include "process/process.h"

#include <ctype.h>
#include <string.h>

/* The functions are defined for these and, in glibc, answer for them. */
#define LOWEST (-128)
#define HIGHEST 255
#define CHARACTERS (HIGHEST - LOWEST + 1)

struct range {
    int16_t low, high;
    int16_t delta; /* what a case function adds */
};

/* What a function of a character returns, as ranges outside which it is 0 (a class) or c itself (case). */
struct ranges {
    const void *locale; /* the table they were computed for */
    unsigned count;
    int member; /* what the class function returns for members */
    struct range of[CHARACTERS];
};

#undef isalnum
#undef isalpha
#undef isblank
#undef iscntrl
#undef isdigit
#undef isgraph
#undef islower
#undef isprint
#undef ispunct
#undef isspace
#undef isupper
#undef isxdigit
#undef tolower
#undef toupper

typedef int character_function(int);
static character_function *const class_functions[CLASS_COUNT] = {
    isalnum, isalpha, isblank, iscntrl, isdigit, isgraph, islower, isprint, ispunct, isspace, isupper, isxdigit,
};

/* Computed in the server, and at first use where the locale is another. Threads that meet here compute the same and
 * store the same. */
static struct ranges classes[CLASS_COUNT], lower_case, upper_case;

static void extend_ranges(struct ranges *ranges, int character, int delta) {
    struct range *last = ranges->count ? &ranges->of[ranges->count - 1] : NULL;
    if (last && last->high == character - 1 && last->delta == delta)
        last->high++;
    else
        ranges->of[ranges->count++] = (struct range){(int16_t)character, (int16_t)character, (int16_t)delta};
}

static const struct ranges *ranges_of_class(enum character_class which) {
    const void *locale = *__ctype_b_loc();
    if (classes[which].locale == locale)
        return &classes[which];
    struct ranges ranges = {.locale = locale};
    for (int character = LOWEST; character <= HIGHEST; character++) {
        int member = class_functions[which](character);
        if (member) {
            extend_ranges(&ranges, character, 0);
            ranges.member = member;
        }
    }
    classes[which] = ranges;
    return &classes[which];
}

static const struct ranges *ranges_of_case(struct ranges *cache, character_function *function, const void *locale) {
    if (cache->locale == locale)
        return cache;
    struct ranges ranges = {.locale = locale};
    for (int character = LOWEST; character <= HIGHEST; character++) {
        int delta = function(character) - character;
        if (delta)
            extend_ranges(&ranges, character, delta);
    }
    *cache = ranges;
    return cache;
}

/* Whether a 32-bit character, or one of 8 bits taken as unsigned, is in the range. */
static term in_range(term character, const struct range *range) {
    if (character.width == 32)
        return term_between(character, (uint32_t)range->low, (uint32_t)range->high);
    return term_between(character, (uint64_t)(range->low < 0 ? 0 : range->low), (uint64_t)range->high);
}

static bool range_matters(term character, const struct range *range) {
    return character.width == 32 || range->high >= 0;
}

static term in_ranges(term character, const struct ranges *ranges) {
    term member = term_false();
    for (unsigned index = 0; index < ranges->count; index++)
        if (range_matters(character, &ranges->of[index]))
            member = term_or(member, in_range(character, &ranges->of[index]));
    return member;
}

static term change_case(term character, const struct ranges *ranges) {
    term result = character;
    uint64_t mask = character.width == 32 ? UINT32_MAX : UINT8_MAX;
    for (unsigned index = 0; index < ranges->count; index++) {
        const struct range *range = &ranges->of[index];
        if (!range_matters(character, range))
            continue;
        term delta = term_constant(character.width, (uint64_t)(int64_t)range->delta & mask);
        term changed = term_binary(UNTAKEN_OP_ADD, character, delta);
        result = term_ite(in_range(character, range), changed, result);
    }
    return result;
}

static const struct ranges *lower_ranges(void) {
    return ranges_of_case(&lower_case, tolower, *__ctype_tolower_loc());
}

static const struct ranges *upper_ranges(void) {
    return ranges_of_case(&upper_case, toupper, *__ctype_toupper_loc());
}

term character_in_class(enum character_class which, term character) {
    if (character.label == 0)
        return term_constant(1, class_functions[which]((int)character.value) != 0);
    return in_ranges(character, ranges_of_class(which));
}

term character_lower(term character) {
    if (character.label == 0)
        return term_constant(8, (uint8_t)tolower((int)character.value));
    return change_case(character, lower_ranges());
}

term character_in_set(const bool *members, term character) {
    if (character.label == 0)
        return term_constant(1, members[character.value]);
    term member = term_false();
    for (int value = 0; value <= UINT8_MAX; value++) {
        if (!members[value])
            continue;
        struct range range = {(int16_t)value, (int16_t)value, 0};
        while (range.high < UINT8_MAX && members[range.high + 1])
            range.high++;
        member = term_or(member, in_range(character, &range));
        value = range.high;
    }
    return member;
}

static int classify(void *self, enum character_class which, int character) {
    int result = class_functions[which](character);
    untaken_label label;
    if (!model_begin(self, &label, 1))
        return result;
    if (!label) {
        model_end_concrete(self);
        return result;
    }
    const struct ranges *ranges = ranges_of_class(which);
    term member = in_ranges(model_argument(label, 32, (uint32_t)character), ranges);
    term value = term_ite(member, term_constant(32, (uint32_t)ranges->member), term_constant(32, 0));
    model_end(self, value, (uint32_t)result);
    return result;
}

static int recase(void *self, struct ranges *cache, character_function *function, const void *locale, int character) {
    int result = function(character);
    untaken_label label;
    if (!model_begin(self, &label, 1))
        return result;
    term value = model_argument(label, 32, (uint32_t)character);
    if (label)
        value = change_case(value, ranges_of_case(cache, function, locale));
    model_end(self, value, (uint32_t)result);
    return result;
}

#define CLASS_MODEL(function, which)                                                                               \
    int untaken_model_##function(int character) { return classify(SELF(function), which, character); }

CLASS_MODEL(isalnum, CLASS_ALNUM)
CLASS_MODEL(isalpha, CLASS_ALPHA)
CLASS_MODEL(isblank, CLASS_BLANK)
CLASS_MODEL(iscntrl, CLASS_CNTRL)
CLASS_MODEL(isdigit, CLASS_DIGIT)
CLASS_MODEL(isgraph, CLASS_GRAPH)
CLASS_MODEL(islower, CLASS_LOWER)
CLASS_MODEL(isprint, CLASS_PRINT)
CLASS_MODEL(ispunct, CLASS_PUNCT)
CLASS_MODEL(isspace, CLASS_SPACE)
CLASS_MODEL(isupper, CLASS_UPPER)
CLASS_MODEL(isxdigit, CLASS_XDIGIT)

int untaken_model_tolower(int character) {
    return recase(SELF(tolower), &lower_case, tolower, *__ctype_tolower_loc(), character);
}

int untaken_model_toupper(int character) {
    return recase(SELF(toupper), &upper_case, toupper, *__ctype_toupper_loc(), character);
}

int untaken_model_isascii(int character) {
    int result = (character & ~0x7f) == 0;
    untaken_label label;
    if (model_begin(SELF(isascii), &label, 1)) {
        term within = term_between(model_argument(label, 32, (uint32_t)character), 0, 0x7f);
        model_end(SELF(isascii), term_extend(UNTAKEN_OP_ZEXT, within, 32), (uint32_t)result);
    }
    return result;
}

int untaken_model_toascii(int character) {
    int result = character & 0x7f;
    untaken_label label;
    if (model_begin(SELF(toascii), &label, 1)) {
        term value = model_argument(label, 32, (uint32_t)character);
        model_end(SELF(toascii), term_and(value, term_constant(32, 0x7f)), (uint32_t)result);
    }
    return result;
}

/* The tables behind the ctype macros: told to the object table, so that a symbolic index into one stays
 * symbolic. Each has entries for LOWEST to HIGHEST, and the pointer is to that of 0. */
static __thread const void *known_classes, *known_lower, *known_upper;

static void table_added(const void **known, const void *zero, uint64_t entry) {
    untaken_object_add((const char *)zero + LOWEST * (int64_t)entry, CHARACTERS * entry);
    *known = zero;
}

/* In the server, so that runs need not: most programs use some of this. */
void untaken_character_classes_start(void) {
    for (unsigned which = 0; which < CLASS_COUNT; which++)
        (void)ranges_of_class((enum character_class)which);
    (void)lower_ranges();
    (void)upper_ranges();
    table_added(&known_classes, *__ctype_b_loc(), sizeof **__ctype_b_loc());
    table_added(&known_lower, *__ctype_tolower_loc(), sizeof **__ctype_tolower_loc());
    table_added(&known_upper, *__ctype_toupper_loc(), sizeof **__ctype_toupper_loc());
}

static void table_used(const void **known, const void *zero, uint64_t entry) {
    if (!untaken_recording || *known == zero || !runtime_enter())
        return;
    table_added(known, zero, entry);
    runtime_leave();
}

const unsigned short **untaken_model___ctype_b_loc(void) {
    const unsigned short **table = __ctype_b_loc();
    table_used(&known_classes, *table, sizeof **table);
    return table;
}

const int32_t **untaken_model___ctype_tolower_loc(void) {
    const int32_t **table = __ctype_tolower_loc();
    table_used(&known_lower, *table, sizeof **table);
    return table;
}

const int32_t **untaken_model___ctype_toupper_loc(void) {
    const int32_t **table = __ctype_toupper_loc();
    table_used(&known_upper, *table, sizeof **table);
    return table;
}
