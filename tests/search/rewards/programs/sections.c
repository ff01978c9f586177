/* Sections of a file, with keys in them: a key counts only behind the name of a section, and each refused line ends it.
 *
 * Rewards records, as a part of auto: lines with a good name and lines with a good key are met, but not in one run. That
 * there is a name depends on the input by control only: the string was copied up to an end that the program had put there.
 */
#include <stdio.h>
#include <string.h>
#include <untaken.h>

static char section[16], name[40];

static int take(char *line)
{
    char *end = strchr(line, *line == '[' ? ']' : '=');
    if (end == NULL || strlen(line) >= sizeof section)
        return 0;
    *end = '\0';
    if (*line == '[') {
        strcpy(section, line + 1);
        return 1;
    }
    if (!*section || !*line)
        return 0;
    snprintf(name, sizeof name, "%s.%s", section, line);
    return strcmp(name, "net.port") == 0;
}

int main(void)
{
    char text[25];
    untaken_input(text, sizeof text - 1, "text");
    text[sizeof text - 1] = '\0';
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        if (*line != '#' && !take(line))
            return 1;
    return 0;
}
