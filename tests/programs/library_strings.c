// checks: the string functions of the C library with contents and sizes of the input
#define _GNU_SOURCE
#include "collection.h"
#include <strings.h>

static int sign(int value) { return (value > 0) - (value < 0); }

int main(void)
{
    read_input();
    char a[17] = {0}, b[17] = {0}, space[64];
    memcpy(a, input, 16);
    memcpy(b, input + 16, 16);
    show("strlen", (long long)strlen(a));
    show("strnlen", (long long)strnlen(b, u8(32) & 15));
    show("strcmp", sign(strcmp(a, b)));
    show("strncmp", sign(strncmp(a, b, u8(33) & 15)));
    show("strcasecmp", sign(strcasecmp(a, b)));
    show("strncasecmp", sign(strncasecmp(a, "HELLO", 5)));
    show("memcmp", sign(memcmp(a, b, 16)));
    show("equal word", strcmp(a, "open") == 0);
    const char *found = strchr(a, u8(34));
    show("strchr", found ? found - a : -1);
    found = strrchr(a, u8(34));
    show("strrchr", found ? found - a : -1);
    found = memchr(a, u8(35), 16);
    show("memchr", found ? found - a : -1);
    char needle[3] = {(char)u8(36), (char)u8(37), 0};
    found = strstr(a, needle);
    show("strstr", found ? found - a : -1);
    strcpy(space, a);
    strcat(space, "-");
    strncat(space, b, 5);
    show("strcat", (long long)strlen(space));
    strncpy(space, b, 12);
    show("strncpy", space[u8(38) % 12]);
    char *copy = strdup(a), *part = strndup(b, 4);
    if (!copy || !part)
        abort();
    show("strdup", copy[0] * 256 + (int)strlen(part));
    show("strspn", (long long)strspn(copy, "abc"));
    show("strcspn", (long long)strcspn(copy, "xyz "));
    char *token = strtok(copy, " ,");
    show("strtok", token ? (long long)strlen(token) : -1);
    free(copy);
    free(part);
    show("stpcpy", stpcpy(space, a) - space);
    return finish();
}
