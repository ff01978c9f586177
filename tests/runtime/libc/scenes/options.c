/* Scenes with the options of a command line. */
#define _GNU_SOURCE
#include "harness.h"

#include <getopt.h>
#include <string.h>

#define MODEL(function) extern __typeof__(function) untaken_model_##function;
#define CALLS 8
#define ARGUMENTS 5

MODEL(getopt)
MODEL(getopt_long)
MODEL(getopt_long_only)

static int flag;
static const struct option names[] = {
    {"ab", no_argument, NULL, 1000},       {"abc", required_argument, NULL, 1001}, {"cab", optional_argument, NULL, 'c'},
    {"ba", no_argument, &flag, 7}, {"bac", no_argument, &flag, 7},         {NULL, 0, NULL, 0},
};

/* Begins anew; which letters there are is the same in all plays of a round. */
static const char *start(struct play *play, char **arguments) {
    static const char *const letters[] = {"ab:c::", "+ab:c", "-ac:", ":a:b"};
    char *const all[ARGUMENTS] = {"program", play->left, play->right, "-a", "end"};
    for (unsigned i = 0; i < ARGUMENTS; i++)
        arguments[i] = all[i];
    optind = opterr = flag = 0;
    optarg = NULL;
    return letters[play->choices % 4];
}

static void show_refused(struct play *play) {
    char *to = play->output + play->count % 8 * sizeof optopt;
    memcpy(to, &optopt, sizeof optopt);
    if (play->symbolic)
        untaken_memory_copy(to, &optopt, sizeof optopt);
}

/* What the program can see beside the result; true at the end. */
static bool looked_at(struct play *play, char *const *arguments) {
    int result = (int)play->results[play->count - 1].value;
    note(play, NULL, 32, (uint32_t)optind);
    note(play, NULL, 64, (uintptr_t)optarg);
    if (result == '?' || result == ':') /* else optopt is what it was, maybe since an earlier play */
        show_refused(play);
    note(play, NULL, 32, (uint32_t)flag);
    note(play, NULL, 64, (uintptr_t)arguments[1]);
    return result == -1;
}

#define OPTIONS(function, ...)                                                                                     \
    static void play_##function(struct play *play) {                                                               \
        char *arguments[ARGUMENTS + 1] = {NULL};                                                                   \
        const char *letters = start(play, arguments);                                                              \
        for (unsigned i = 0; i < CALLS; i++) {                                                                     \
            CALL(play, 32, function, ARGUMENTS, arguments, letters __VA_ARGS__);                                   \
            if (looked_at(play, arguments))                                                                        \
                return;                                                                                            \
        }                                                                                                          \
    }

#define COMMA ,
OPTIONS(getopt)
OPTIONS(getopt_long, COMMA names COMMA NULL)
OPTIONS(getopt_long_only, COMMA names COMMA NULL)

const struct scene option_scenes[] = {
    {"getopt", "---aabbcc:", play_getopt, false},
    {"getopt_long", "----aabbcc=:", play_getopt_long, false},
    {"getopt_long_only", "----aabbcc=:", play_getopt_long_only, false},
    {0},
};
