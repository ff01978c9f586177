// Reads "settings.ini", if there is one, and does what it says.
//
// shows: a symbolic file, also one that is short or empty; a division by zero behind two settings
// run: untaken run examples/settings_file.c --file settings.ini=40
// expect: branches=19/20 findings=1 args="--file settings.ini=40"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    int width, columns;
    int verbose;
};

static void set(struct settings *settings, const char *key, const char *value)
{
    if (strcmp(key, "width") == 0)
        settings->width = atoi(value);
    else if (strcmp(key, "columns") == 0)
        settings->columns = atoi(value);
    else if (strcmp(key, "verbose") == 0)
        settings->verbose = value[0] == 'y';
}

static int load(struct settings *settings, const char *name)
{
    FILE *file = fopen(name, "r");
    if (!file)
        return 0;
    char line[41];
    int lines = 0;
    while (fgets(line, sizeof line, file)) {
        lines++;
        char *equals = strchr(line, '=');
        if (line[0] == '#' || !equals)
            continue;
        *equals = '\0';
        set(settings, line, equals + 1);
    }
    fclose(file);
    return lines;
}

int main(void)
{
    struct settings settings = {80, 2, 0};
    int lines = load(&settings, "settings.ini");
    if (lines == 0)
        puts("no settings");
    if (settings.verbose)
        printf("%d lines\n", lines);
    if (settings.width > 200)
        settings.width = 200;
    int each = settings.width / settings.columns; // columns=0 was never tried
    printf("%d\n", each);
    return 0;
}
