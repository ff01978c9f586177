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

static int set(struct settings *settings, const char *line)
{
    if (strncmp(line, "width=", 6) == 0)
        settings->width = atoi(line + 6);
    else if (strncmp(line, "columns=", 8) == 0)
        settings->columns = atoi(line + 8);
    else if (strncmp(line, "verbose=", 8) == 0)
        settings->verbose = line[8] == 'y';
    else
        return 0;
    return 1;
}

static int load(struct settings *settings, const char *name)
{
    FILE *file = fopen(name, "r");
    if (!file)
        return 0;
    char line[41];
    int known = 0;
    while (fgets(line, sizeof line, file))
        if (line[0] != '#' && set(settings, line))
            known++;
    fclose(file);
    return known;
}

int main(void)
{
    struct settings settings = {80, 2, 0};
    int known = load(&settings, "settings.ini");
    if (known == 0)
        puts("no settings");
    if (settings.verbose)
        printf("%d settings\n", known);
    if (settings.width < 10)
        settings.width = 10;
    int each = settings.width / settings.columns; // columns=0 was never tried
    printf("%d\n", each);
    return 0;
}
