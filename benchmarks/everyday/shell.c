// A small command shell: tokens with quotes, a table of commands, variables that later commands use.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ARGS 6
#define MAX_VARS 4

struct variable {
    char name[8];
    char value[16];
};

static struct variable variables[MAX_VARS];
static int variable_count, verbose, running = 1;

static struct variable *lookup(const char *name)
{
    for (int i = 0; i < variable_count; i++)
        if (!strcmp(variables[i].name, name))
            return &variables[i];
    return NULL;
}

static int cmd_set(int argc, char **argv)
{
    if (argc != 3) {
        puts("usage: set NAME VALUE");
        return 1;
    }
    struct variable *v = lookup(argv[1]);
    if (!v) {
        if (variable_count == MAX_VARS) {
            puts("too many variables");
            return 1;
        }
        v = &variables[variable_count++];
        snprintf(v->name, sizeof v->name, "%s", argv[1]);
    }
    snprintf(v->value, sizeof v->value, "%s", argv[2]);
    return 0;
}

static int cmd_unset(int argc, char **argv)
{
    if (argc != 2)
        return 1;
    struct variable *v = lookup(argv[1]);
    if (!v) {
        puts("no such variable");
        return 1;
    }
    *v = variables[--variable_count];
    return 0;
}

static int cmd_echo(int argc, char **argv)
{
    int newline = 1, i = 1;
    if (argc > 1 && strcmp(argv[1], "-n") == 0) {
        newline = 0;
        i++;
    }
    for (; i < argc; i++) {
        if (argv[i][0] == '$') {
            struct variable *v = lookup(argv[i] + 1);
            printf("%s", v ? v->value : "");
        } else
            fputs(argv[i], stdout);
        if (i + 1 < argc)
            putchar(' ');
    }
    if (newline)
        putchar('\n');
    return 0;
}

static int cmd_add(int argc, char **argv)
{
    int sum = 0;
    for (int i = 1; i < argc; i++) {
        struct variable *v = lookup(argv[i]);
        sum += atoi(v ? v->value : argv[i]);
    }
    if (verbose)
        printf("sum of %d numbers: ", argc - 1);
    printf("%d\n", sum);
    return sum == 0;
}

static int cmd_verbose(int argc, char **argv)
{
    verbose = argc < 2 || strcmp(argv[1], "off") != 0;
    return 0;
}

static int cmd_exit(int argc, char **argv)
{
    running = 0;
    return argc > 1 ? atoi(argv[1]) : 0;
}

static const struct {
    const char *name;
    int (*function)(int argc, char **argv);
} commands[] = {{"set", cmd_set}, {"unset", cmd_unset}, {"echo", cmd_echo},
                {"add", cmd_add}, {"verbose", cmd_verbose}, {"exit", cmd_exit}};

static int split(char *line, char **argv)
{
    int argc = 0;
    char *out;
    while (*line) {
        while (isspace((unsigned char)*line))
            line++;
        if (!*line || *line == '#')
            break;
        if (argc == MAX_ARGS)
            return -1;
        argv[argc++] = out = line;
        char quote = 0;
        while (*line && (quote || !isspace((unsigned char)*line))) {
            if (*line == '\\' && line[1])
                *out++ = *++line;
            else if (quote && *line == quote)
                quote = 0;
            else if (!quote && (*line == '"' || *line == '\''))
                quote = *line;
            else
                *out++ = *line;
            line++;
        }
        if (quote)
            return -2;
        if (*line)
            line++;
        *out = '\0';
    }
    return argc;
}

int main(void)
{
    char line[100], *argv[MAX_ARGS];
    int status = 0;
    while (running && fgets(line, sizeof line, stdin)) {
        int argc = split(line, argv);
        if (argc == -1)
            puts("too many arguments");
        else if (argc == -2)
            puts("quote not closed");
        if (argc <= 0)
            continue;
        size_t i, n = sizeof commands / sizeof *commands;
        for (i = 0; i < n; i++)
            if (strcmp(argv[0], commands[i].name) == 0)
                break;
        if (i == n) {
            printf("unknown command: %s\n", argv[0]);
            status = 127;
        } else
            status = commands[i].function(argc, argv);
        if (verbose && status)
            printf("status %d\n", status);
    }
    return status;
}
