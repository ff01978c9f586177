// Options as getopt_long reads them: letters, groups of letters, long names and their abbreviations.
//
// shows: the options of an unchanged program are found although the C library reads them
// run: untaken run examples/options.c --arg 12 --arg 8
// expect: branches=22/22 findings=1 args="--arg 12 --arg 8"
#include <assert.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int quiet;

static const struct option names[] = {
    {"quiet", no_argument, &quiet, 1},        {"width", required_argument, NULL, 'w'},
    {"colour", optional_argument, NULL, 'c'}, {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

int main(int argc, char **argv)
{
    int option, all = 0, width = 80;
    const char *colour = "never";
    while ((option = getopt_long(argc, argv, "aw:c::h", names, NULL)) != -1)
        switch (option) {
        case 'a': all = 1; break;
        case 'w': width = atoi(optarg); break;
        case 'c': colour = optarg ? optarg : "auto"; break;
        case 'h': puts("options [-a] [-q] [-w WIDTH] [--colour[=WHEN]] [FILE]..."); return 0;
        case '?': return 2;
        }
    if (quiet && all)
        puts("quiet, but all of it");
    if (strcmp(colour, "red") == 0)
        puts("in red");
    assert(width != 7); // too narrow, and forgotten
    return optind < argc;
}
