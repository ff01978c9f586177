// Numbers and words that the library cuts out of a text. What `strtok` cuts out ends with a zero byte of its own, so no
// decision makes it longer; `sscanf` says nothing before all parts are there; an empty word is no input at all. The program
// tells which texts would have gone on, and `words`, a part of auto, puts them in.
#include <untaken.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_magic(char *text)
{
    long values[3] = {0, 0, 0};
    int count = 0;
    for (char *word = strtok(text, " "); word && count < 3; word = strtok(NULL, " "))
        values[count++] = strtol(word, NULL, 10);
    if (values[0] == -5 && values[1] == 31 && values[2] == 1000)
        return 1;
    return 0;
}

int main(void)
{
    char text[25] = {0}, name[8];
    int day, month, year;
    untaken_input(text, sizeof text - 1, "text");
    if (sscanf(text, "%7[a-z] %2d-%2d-%4d", name, &day, &month, &year) == 4)
        return year > 2000 ? 1 : 2;
    char *equals = strchr(text, '=');
    if (equals) {
        *equals = '\0';
        if (strcmp(text, "numbers") == 0 && is_magic(equals + 1))
            return 3;
    }
    return 0;
}
