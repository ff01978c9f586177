// checks: stdin through fgets, getline and sscanf, whatever its length
#define _GNU_SOURCE
#include "collection.h"

int main(void)
{
    char line[24];
    int lines = 0, numbers = 0, longest = 0;
    if (fgets(line, sizeof line, stdin)) {
        size_t length = strcspn(line, "\n");
        line[length] = '\0';
        show("first", (long long)length);
        int value;
        if (sscanf(line, "%d", &value) == 1)
            show("number", value);
        if (strcmp(line, "begin") == 0)
            show("begin", 1);
    }
    char *rest = NULL;
    size_t capacity = 0;
    ssize_t length;
    while ((length = getline(&rest, &capacity, stdin)) > 0) {
        lines++;
        if (length > longest)
            longest = (int)length;
        for (ssize_t i = 0; i < length; i++)
            if (rest[i] >= '0' && rest[i] <= '9')
                numbers++;
    }
    free(rest);
    show("lines", lines);
    show("longest", longest);
    show("numbers", numbers);
    show("end", feof(stdin) != 0);
    return finish();
}
