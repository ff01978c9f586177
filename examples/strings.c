// A login dialogue: whole words have to be right, and string functions of the library compare them.
//
// shows: symbolic stdin of a program that knows nothing of us; strcmp, strchr and strtol as expressions
// run: untaken run examples/strings.c --stdin 48
// expect: branches=22/22 findings=0 args="--stdin 48"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct user {
    const char *name, *password;
    int level;
};

static const struct user users[] = {{"guest", "welcome", 1}, {"admin", "tr0ub4dor", 9}};

static const struct user *find(const char *name)
{
    for (size_t i = 0; i < sizeof users / sizeof users[0]; i++)
        if (strcmp(users[i].name, name) == 0)
            return &users[i];
    return NULL;
}

/* name:password:level */
static const char *answer(char *line)
{
    char *password = strchr(line, ':');
    if (!password)
        return "name:password:level, please";
    *password++ = '\0';
    char *level = strchr(password, ':');
    if (!level)
        return "which level?";
    *level++ = '\0';

    const struct user *user = find(line);
    if (!user)
        return "nobody of that name";
    if (strcmp(user->password, password) != 0)
        return "wrong password";
    long wanted = strtol(level, NULL, 10);
    if (wanted < 1 || wanted > 9)
        return "levels are 1 to 9";
    if (wanted > user->level)
        return "not for you";
    return wanted == 9 ? "at your service" : "hello";
}

int main(void)
{
    char line[49] = "";
    if (!fgets(line, sizeof line, stdin))
        return 1;
    line[strcspn(line, "\n")] = '\0';
    puts(answer(line));
    return 0;
}
