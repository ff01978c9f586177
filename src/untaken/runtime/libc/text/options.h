/* How getopt goes over arguments, for others that do the same. */
#ifndef UNTAKEN_LIBC_TEXT_OPTIONS_H
#define UNTAKEN_LIBC_TEXT_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>

struct untaken_options {
    const char *letters;
    const struct option *names;
    bool only_names; /* of getopt_long_only: -name is a long option, too */
};

/* Records what calls of getopt would decide from argv[first] on, up to the last or one that complains. */
void untaken_decide_options(int first, int argc, char *const *argv, const struct untaken_options *options);

#endif
