// Options on the command line, in the ways that people write them.
//
// shows: symbolic arguments, beside fixed ones; an assertion that two options break together
// run: untaken run examples/arguments.c --arg 9 --arg 9
// expect: branches=24/24 findings=1 args="--arg 9 --arg 9"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    int count, reverse, help;
    const char *name;
};

static int parse_word(struct options *options, const char *word)
{
    if (strcmp(word, "--help") == 0)
        options->help = 1;
    else if (strncmp(word, "--name=", 7) == 0)
        options->name = word + 7;
    else if (word[0] == '-' && word[1] == 'n')
        options->count = atoi(word + 2);
    else if (strcmp(word, "-r") == 0)
        options->reverse = 1;
    else
        return 0;
    return 1;
}

static void greet(const struct options *options)
{
    for (int i = 0; i < options->count && i < 5; i++)
        printf("hello %s\n", options->name);
}

int main(int argc, char **argv)
{
    struct options options = {1, 0, 0, "you"};
    for (int i = 1; i < argc; i++)
        if (!parse_word(&options, argv[i])) {
            fprintf(stderr, "what is %s?\n", argv[i]);
            return 2;
        }
    if (options.help) {
        puts("arguments [--help] [--name=WHO] [-nCOUNT] [-r]");
        return 0;
    }
    assert(!(options.reverse && options.count > 5)); // nobody does that
    greet(&options);
    return 0;
}
