/* Asks its argument, stdin and a file, through as many functions as fit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>
#include <fcntl.h>
#include <unistd.h>
#include <sys/stat.h>
static int cmp(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
int main(int argc, char **argv) {
    char line[64], data[64];
    if (argc > 1 && strcmp(argv[1], "hello") == 0) puts("arg");
    while (fgets(line, sizeof line, stdin)) {
        char *p = line;
        while (isspace((unsigned char)*p)) p++;
        if (strncmp(p, "key=", 4) == 0) {
            int v = atoi(p + 4);
            if (v == 1234) puts("found");
            else if (v > 100000) puts("big");
        }
        qsort(line, strlen(line), 1, cmp);
        if (line[0] == 'Q') puts("sorted");
    }
    int fd = open("conf.txt", O_RDONLY);
    struct stat st;
    if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size == 7) puts("seven");
    ssize_t n = fd >= 0 ? read(fd, data, sizeof data) : -1;
    if (n == 5) puts("five");
    if (n > 0 && memchr(data, '#', n)) puts("hash");
    FILE *f = fopen("./conf.txt", "r");
    int c = f ? getc(f) : -2;
    if (c == EOF) puts("empty"); else if (toupper(c) == 'Z') puts("zed");
    char *copy = strdup(line);
    if (copy && strstr(copy, "abc")) puts("abc");
    free(copy);
    return 0;
}
