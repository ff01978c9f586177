// A tool with options, in the manner of cut: -d C, -f LIST, -s, -c LIST, -w WIDTH, -h; reads standard input.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_RANGES 4

struct range {
    int low, high;
};

static struct range ranges[MAX_RANGES];
static int range_count;

static int parse_list(const char *text)
{
    while (*text) {
        struct range range = {1, 1 << 30};
        char *end;
        if (range_count == MAX_RANGES)
            return -1;
        if (isdigit((unsigned char)*text)) {
            range.low = (int)strtol(text, &end, 10);
            if (range.low == 0)
                return -2;
            text = end;
            if (*text != '-')
                range.high = range.low;
        } else if (*text != '-')
            return -3;
        if (*text == '-') {
            text++;
            if (isdigit((unsigned char)*text)) {
                range.high = (int)strtol(text, &end, 10);
                text = end;
                if (range.high < range.low)
                    return -4;
            }
        }
        ranges[range_count++] = range;
        if (*text == ',')
            text++;
        else if (*text)
            return -5;
    }
    return range_count ? 0 : -6;
}

static int selected(int number)
{
    for (int i = 0; i < range_count; i++)
        if (number >= ranges[i].low && number <= ranges[i].high)
            return 1;
    return 0;
}

static void cut_fields(char *line, char delimiter, int only_delimited)
{
    int number = 1, printed = 0;
    if (!strchr(line, delimiter)) {
        if (!only_delimited)
            puts(line);
        return;
    }
    for (char *field = line; field; number++) {
        char *next = strchr(field, delimiter);
        if (next)
            *next++ = '\0';
        if (selected(number)) {
            if (printed++)
                putchar(delimiter);
            fputs(field, stdout);
        }
        field = next;
    }
    putchar('\n');
}

static void cut_characters(const char *line, int width)
{
    for (int i = 0; line[i]; i++) {
        if (width && i >= width)
            break;
        if (selected(i + 1))
            putchar(line[i]);
    }
    putchar('\n');
}

int main(int argc, char **argv)
{
    char delimiter = '\t', mode = 0, line[64];
    int option, only_delimited = 0, width = 0;
    while ((option = getopt(argc, argv, "d:f:c:w:sh")) != -1) {
        switch (option) {
        case 'd':
            if (strlen(optarg) != 1) {
                fputs("the delimiter must be one character\n", stderr);
                return 2;
            }
            delimiter = optarg[0];
            break;
        case 'f':
        case 'c':
            if (mode) {
                fputs("only one list\n", stderr);
                return 2;
            }
            mode = (char)option;
            int error = parse_list(optarg);
            if (error) {
                fprintf(stderr, "bad list: %d\n", error);
                return 2;
            }
            break;
        case 'w':
            width = atoi(optarg);
            if (width <= 0)
                return 2;
            break;
        case 's': only_delimited = 1; break;
        case 'h': puts("usage: cut -f LIST | -c LIST"); return 0;
        default: return 2;
        }
    }
    if (!mode || optind != argc) {
        fputs("which fields?\n", stderr);
        return 2;
    }
    if (mode == 'c' && (only_delimited || delimiter != '\t')) {
        fputs("-d and -s are for fields\n", stderr);
        return 2;
    }
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        if (mode == 'f')
            cut_fields(line, delimiter, only_delimited);
        else
            cut_characters(line, width);
    }
    return 0;
}
