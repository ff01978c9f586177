/* A model of argp_parse: which arguments are options, and which ones, is decided as getopt_long does, and recorded
 * before the real function is called. The program's own parser then finds arguments with labels. */
#define _GNU_SOURCE
#include "libc/model.h"
#include "libc/text/options.h"

#include <argp.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MOST_OPTIONS 256u
#define USUAL_KEY (-2) /* of the options that every program has: not the -1 by which getopt ends */

/* The options of an argp parser, in the form in which getopt_long takes them. */
struct table {
    char letters[3 * MOST_OPTIONS + 2];
    struct option names[MOST_OPTIONS + 1];
    unsigned letter_count, name_count;
};

static void add_letter(struct table *table, int key, int has_arg) {
    if (key <= 0 || key > 127 || !isprint(key) || table->letter_count + 3 > sizeof table->letters - 1)
        return;
    table->letters[table->letter_count++] = (char)key;
    for (int colons = has_arg == required_argument ? 1 : has_arg == optional_argument ? 2 : 0; colons > 0; colons--)
        table->letters[table->letter_count++] = ':';
}

static void add_name(struct table *table, const char *name, int key, int has_arg) {
    if (name && table->name_count < MOST_OPTIONS)
        table->names[table->name_count++] = (struct option){name, has_arg, NULL, key};
}

static bool is_last(const struct argp_option *option) {
    return !option->key && !option->name && !option->doc && !option->group;
}

/* An alias is another name of the option before it. */
static void add_options(struct table *table, const struct argp_option *option) {
    const struct argp_option *real = option;
    for (; option && !is_last(option); option++) {
        if (!(option->flags & OPTION_ALIAS))
            real = option;
        if (real->flags & OPTION_DOC)
            continue;
        int has_arg = !real->arg                               ? no_argument
                      : real->flags & OPTION_ARG_OPTIONAL ? optional_argument
                                                               : required_argument;
        add_letter(table, option->key, has_arg);
        add_name(table, option->name, option->key ? option->key : real->key, has_arg);
    }
}

static void add_parser(struct table *table, const struct argp *argp) {
    add_options(table, argp->options);
    for (const struct argp_child *child = argp->children; child && child->argp; child++)
        add_parser(table, child->argp);
}

/* They come last: the program's own are found first. The hidden ones, of which one waits for an hour, are left out. */
static void add_usual(struct table *table, unsigned flags) {
    if (!(flags & ARGP_NO_HELP)) {
        add_letter(table, '?', no_argument);
        add_name(table, "help", USUAL_KEY, no_argument);
        add_name(table, "usage", USUAL_KEY, no_argument);
    }
    if (argp_program_version || argp_program_version_hook) {
        add_letter(table, 'V', no_argument);
        add_name(table, "version", USUAL_KEY, no_argument);
    }
}

static void decide(const struct argp *argp, int argc, char **argv, unsigned flags) {
    struct table table = {.letter_count = 0};
    if (flags & (ARGP_IN_ORDER | ARGP_NO_ARGS))
        table.letters[table.letter_count++] = flags & ARGP_IN_ORDER ? '-' : '+';
    if (argp)
        add_parser(&table, argp);
    add_usual(&table, flags);
    struct untaken_options options = {table.letters, table.names, (flags & ARGP_LONG_ONLY) != 0};
    untaken_decide_options(flags & ARGP_PARSE_ARGV0 ? 0 : 1, argc, argv, &options);
}

error_t untaken_model_argp_parse(const struct argp *argp, int argc, char **argv, unsigned flags, int *index,
                                 void *input) {
    untaken_label labels[6];
    if (model_begin(SELF(argp_parse), labels, 6)) {
        decide(argp, argc, argv, flags);
        model_end_concrete(SELF(argp_parse));
    }
    return argp_parse(argp, argc, argv, flags, index, input);
}
