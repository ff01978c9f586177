/* Models of getopt and its relatives.
 *
 * The real function does the work. What it has decided is found out by going the same way once more, over the
 * arguments as they were before the call: whether each is an option, which letter, which long name. Where that ends
 * as the real function did, the decisions are recorded, each so that a search may flip it; else the call is concrete,
 * and counted. */
#define _GNU_SOURCE
#include "libc/model.h"
#include "libc/text/options.h"

#include <stdlib.h>
#include <string.h>

int __posix_getopt(int, char *const *, const char *) __attribute__((weak));

#define MOST_ARGUMENTS 64 /* looked at in one call */
#define MOST_DECISIONS 256
#define THE_END (-1)

enum ordering { PERMUTE, OPTIONS_FIRST, IN_ORDER };
enum parameter { NONE, REQUIRED, OPTIONAL };

/* What the real functions remember between calls; all of them share it. */
static enum ordering ordering;
static bool initialised;
static const char *next_letter; /* inside a group such as -abc */

struct walk {
    int argc;
    const char *letters; /* without the sign in front */
    const struct option *names; /* null: there are none */
    bool only_names; /* of getopt_long_only: -name is a long option, too */
    int *which;      /* is set to the index of the name; may be null */
    char *arguments[MOST_ARGUMENTS]; /* from `first` on */
    int first, known;
    int index;  /* what optind should be */
    bool lost;  /* too much to follow */
    term result;
    term refused; /* the letter that it complains about; of width 0: none */
    term decisions[MOST_DECISIONS];
    unsigned decided;
};

/* ---- What is decided ---- */

static bool is(struct walk *walk, term condition) {
    if (condition.label) {
        walk->lost |= walk->decided == MOST_DECISIONS;
        if (!walk->lost)
            walk->decisions[walk->decided++] = condition;
    }
    return condition.value != 0;
}

/* A character of a string, which may also lie past its end: then another input may have it there. */
static term character(const char *string, uint64_t index) {
    struct span span = {(const unsigned char *)string, strlen(string) + 1};
    term byte;
    return span_byte(&span, index, &byte) ? byte : term_constant(8, 0);
}

static term character_is(const char *string, uint64_t index, char wanted) {
    return term_equals(character(string, index), (uint8_t)wanted);
}

/* One bit: the string begins with these characters. */
static term begins(const char *string, const char *beginning, uint64_t length) {
    term all = term_true();
    for (uint64_t index = 0; index < length && !term_impossible(all); index++)
        all = term_and(all, character_is(string, index, beginning[index]));
    return all;
}

static term ends_name(const char *string, uint64_t index) {
    return term_or(character_is(string, index, '='), character_is(string, index, 0));
}

static int returns(struct walk *walk, int value) {
    walk->result = term_constant(32, (uint32_t)value);
    return value;
}

static int complains(struct walk *walk, bool parameter_missing) {
    return returns(walk, parameter_missing && walk->letters[0] == ':' ? ':' : '?');
}

static int complains_about(struct walk *walk, term letter, bool parameter_missing) {
    walk->refused = term_extend(UNTAKEN_OP_SEXT, letter, 32);
    return complains(walk, parameter_missing);
}

/* ---- Letters ---- */

static bool is_letter(const char *letters, int letter, enum parameter *parameter) {
    const char *at = letter == 0 || letter == ':' || letter == ';' ? NULL : strchr(letters, letter);
    if (at != NULL)
        *parameter = at[1] != ':' ? NONE : at[2] == ':' ? OPTIONAL : REQUIRED;
    return at != NULL;
}

/* The letters that take a parameter in this way; all of them if `any`. */
static term is_among(const char *letters, term letter, bool any, enum parameter wanted) {
    bool members[256];
    for (int each = 0; each < 256; each++) {
        enum parameter parameter;
        members[each] = is_letter(letters, (char)each, &parameter) && (any || parameter == wanted);
    }
    return character_in_set(members, letter);
}

/* getopt_long_only takes what is no name for letters if the first of them occurs in the list, be it one of its colons. */
static term occurs(const char *letters, term letter) {
    bool members[256];
    for (int each = 0; each < 256; each++)
        members[each] = strchr(letters, (char)each) != NULL;
    return character_in_set(members, letter);
}

static int walk_letter(struct walk *walk) {
    term letter = character(next_letter, 0);
    enum parameter parameter = NONE;
    next_letter++;
    bool last = is(walk, character_is(next_letter, 0, 0));
    if (last)
        walk->index++;
    if (!is(walk, is_among(walk->letters, letter, true, NONE)))
        return complains_about(walk, letter, false);
    is_letter(walk->letters, (char)letter.value, &parameter);
    is(walk, is_among(walk->letters, letter, false, parameter));
    walk->result = term_extend(UNTAKEN_OP_SEXT, letter, 32);
    if (parameter != NONE) {
        next_letter = NULL;
        if (last && parameter == REQUIRED && walk->index == walk->argc)
            return complains_about(walk, letter, true);
        walk->index += !last || parameter == REQUIRED;
    }
    return (int)walk->result.value;
}

/* ---- Names ---- */

/* The name that is given, or that begins so if no other does; null if there is none, `ambiguous` if several. */
static const struct option *find_name(struct walk *walk, const char *given, bool *ambiguous) {
    const struct option *found = NULL;
    for (const struct option *each = walk->names; each->name; each++) {
        uint64_t length = strlen(each->name);
        if (is(walk, term_and(begins(given, each->name, length), ends_name(given, length))))
            return each;
    }
    uint64_t length = strcspn(given, "=");
    term shape = ends_name(given, length);
    for (uint64_t index = 0; index < length; index++)
        shape = term_and(shape, term_not(ends_name(given, index)));
    is(walk, shape);
    for (const struct option *each = walk->names; each->name; each++) {
        if (strlen(each->name) < length || !is(walk, begins(given, each->name, length)))
            continue;
        *ambiguous |= found != NULL && (walk->only_names || found->has_arg != each->has_arg ||
                                        found->flag != each->flag || found->val != each->val);
        found = found ? found : each;
    }
    return *ambiguous ? NULL : found;
}

static int walk_name(struct walk *walk, const char *given, bool one_dash) {
    bool ambiguous = false;
    const struct option *found = find_name(walk, given, &ambiguous);
    if (found == NULL) {
        if (!ambiguous && one_dash && is(walk, occurs(walk->letters, character(given, 0))))
            return THE_END; /* a letter then */
        walk->index++;
        return complains(walk, false);
    }
    walk->index++;
    if (is(walk, character_is(given, strcspn(given, "="), '='))) {
        if (found->has_arg == no_argument)
            return complains(walk, false);
    } else if (found->has_arg == required_argument && walk->index++ == walk->argc) {
        walk->index--;
        return complains(walk, true);
    }
    untaken_memory_clear(walk->which, walk->which ? sizeof *walk->which : 0);
    untaken_memory_clear(found->flag, found->flag ? sizeof *found->flag : 0);
    return returns(walk, found->flag ? 0 : found->val);
}

/* ---- Arguments ---- */

static int walk_option(struct walk *walk, const char *argument) {
    if (walk->names && is(walk, character_is(argument, 1, '-')))
        return walk_name(walk, argument + 2, false);
    if (walk->names && walk->only_names) {
        bool longer = !is(walk, character_is(argument, 2, 0));
        if (longer || !is(walk, occurs(walk->letters, character(argument, 1)))) {
            int result = walk_name(walk, argument + 1, true);
            if (result != THE_END)
                return result;
        }
    }
    next_letter = argument + 1;
    return walk_letter(walk);
}

static int walk_arguments(struct walk *walk) {
    if (next_letter && *next_letter)
        return walk_letter(walk);
    next_letter = NULL;
    for (; walk->index < walk->argc; walk->index++) {
        if (walk->index - walk->first >= walk->known) {
            walk->lost = true;
            return THE_END;
        }
        const char *argument = walk->arguments[walk->index - walk->first];
        if (is(walk, term_and(character_is(argument, 0, '-'), term_not(character_is(argument, 1, 0))))) {
            bool dashes = is(walk, term_and(character_is(argument, 1, '-'), character_is(argument, 2, 0)));
            return dashes ? returns(walk, THE_END) : walk_option(walk, argument);
        }
        if (ordering == OPTIONS_FIRST)
            break;
        if (ordering == IN_ORDER) {
            walk->index++;
            return returns(walk, 1);
        }
    }
    return returns(walk, THE_END);
}

/* ---- The calls ---- */

static enum ordering wanted_ordering(const char *letters, bool posix) {
    if (*letters == '-')
        return IN_ORDER;
    return *letters == '+' || posix || getenv("POSIXLY_CORRECT") ? OPTIONS_FIRST : PERMUTE;
}

static void walk_from(struct walk *walk, int first, int argc, char *const *argv, const char *letters) {
    bool sign = *letters == '-' || *letters == '+';
    walk->argc = argc;
    walk->letters = letters + sign;
    walk->first = walk->index = first;
    walk->known = walk->decided = 0;
    walk->lost = false;
    while (walk->known < MOST_ARGUMENTS && walk->first + walk->known < argc) {
        walk->arguments[walk->known] = argv[walk->first + walk->known];
        walk->known++;
    }
}

static void walk_begin(struct walk *walk, int argc, char *const *argv, const char *letters, bool posix) {
    if (optind == 0 || !initialised) {
        initialised = true;
        next_letter = NULL;
        ordering = wanted_ordering(letters, posix);
    }
    walk_from(walk, optind == 0 ? 1 : optind, argc, argv, letters);
}

static void record_decisions(struct walk *walk) {
    for (unsigned i = 0; i < walk->decided; i++)
        untaken_decide(UNTAKEN_LIBRARY, walk->decisions[i], 0);
    walk->decided = 0;
}

static void label_refused(term letter) {
    untaken_memory_clear(&optopt, sizeof optopt);
    if (letter.width && letter.value == (uint32_t)optopt)
        untaken_memory_store(&optopt, sizeof optopt, letter.label);
}

/* After the real function has returned `result`: records the decisions, if the walk came to the same result. */
static int walk_end(void *self, struct walk *walk, int result) {
    untaken_label labels[5];
    if (!model_begin(self, labels, 5))
        return result;
    int expected = walk_arguments(walk);
    if (walk->lost || expected != result || (result != THE_END && walk->index != optind)) {
        next_letter = NULL;
        untaken_count_concretised(UNTAKEN_BY_OTHER);
        model_end_concrete(self);
        return result;
    }
    record_decisions(walk);
    if (result == '?' || result == ':')
        label_refused(walk->refused);
    model_end(self, walk->result, (uint32_t)result);
    return result;
}

void untaken_decide_options(int first, int argc, char *const *argv, const struct untaken_options *options) {
    enum ordering kept_ordering = ordering;
    const char *kept_letter = next_letter;
    struct walk walk = {.names = options->names, .only_names = options->only_names};
    ordering = wanted_ordering(options->letters, false);
    next_letter = NULL;
    walk_from(&walk, first, argc, argv, options->letters);
    for (int result = 0; result != THE_END && result != '?' && !walk.lost;) {
        result = walk_arguments(&walk);
        record_decisions(&walk);
    }
    if (walk.lost)
        untaken_count_concretised(UNTAKEN_BY_OTHER);
    ordering = kept_ordering;
    next_letter = kept_letter;
}

int untaken_model_getopt(int argc, char *const *argv, const char *letters) {
    struct walk walk = {.names = NULL};
    walk_begin(&walk, argc, argv, letters, false);
    return walk_end(SELF(getopt), &walk, getopt(argc, argv, letters));
}

int untaken_model___posix_getopt(int argc, char *const *argv, const char *letters) {
    struct walk walk = {.names = NULL};
    walk_begin(&walk, argc, argv, letters, true);
    return walk_end(SELF(__posix_getopt), &walk, __posix_getopt(argc, argv, letters));
}

int untaken_model_getopt_long(int argc, char *const *argv, const char *letters, const struct option *names,
                              int *which) {
    struct walk walk = {.names = names, .which = which};
    walk_begin(&walk, argc, argv, letters, false);
    return walk_end(SELF(getopt_long), &walk, getopt_long(argc, argv, letters, names, which));
}

int untaken_model_getopt_long_only(int argc, char *const *argv, const char *letters, const struct option *names,
                                   int *which) {
    struct walk walk = {.names = names, .only_names = true, .which = which};
    walk_begin(&walk, argc, argv, letters, false);
    return walk_end(SELF(getopt_long_only), &walk, getopt_long_only(argc, argv, letters, names, which));
}
