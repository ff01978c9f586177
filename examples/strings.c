// A dialogue in which whole words have to be right; string functions of the library compare them.
//
// shows: symbolic stdin of a program that knows nothing of us; strcmp, strstr and strtol as expressions
// run: untaken run examples/strings.c --stdin 32
// expect: branches=28/28 findings=0 args="--stdin 32"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static const char *const users[] = {"guest", "alice", "operator"};

static int is_user(const char *name)
{
    for (size_t i = 0; i < sizeof users / sizeof users[0]; i++)
        if (strcmp(users[i], name) == 0)
            return 1;
    return 0;
}

static const char *set_level(const char *text)
{
    char *end;
    long level = strtol(text, &end, 10);
    if (end == text || *end != '\0')
        return "a level is a number";
    if (level < 1 || level > 9)
        return "levels are 1 to 9";
    return level == 7 ? "lucky you" : "level set";
}

static const char *answer(const char *line)
{
    if (strncmp(line, "login ", 6) == 0)
        return is_user(line + 6) ? "hello" : "nobody of that name";
    if (strncasecmp(line, "level ", 6) == 0)
        return set_level(line + 6);
    if (strstr(line, "xyzzy"))
        return "nothing happens";
    if (strlen(line) > 20 && !strchr(line, ' '))
        return "that is a long word";
    return "pardon?";
}

int main(void)
{
    char line[33] = "";
    if (read(0, line, sizeof line - 1) <= 0)
        return 1;
    puts(answer(line));
    return 0;
}
