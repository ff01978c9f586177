// Commands over a list of numbers: the first line holds the numbers, later ones say what to do with them.
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long values[8];
static int count;

static int read_values(char *line)
{
    for (char *word = strtok(line, " ,\n"); word; word = strtok(NULL, " ,\n")) {
        char *end;
        if (count == 8)
            return -1;
        errno = 0;
        values[count] = strtol(word, &end, 10);
        if (*end || errno)
            return -2;
        count++;
    }
    return count;
}

static int compare(const void *a, const void *b)
{
    long x = *(const long *)a, y = *(const long *)b;
    return x < y ? -1 : x > y;
}

static int is_sorted(void)
{
    for (int i = 1; i < count; i++)
        if (values[i - 1] > values[i])
            return 0;
    return 1;
}

static long median(void)
{
    if (!is_sorted())
        qsort(values, (size_t)count, sizeof *values, compare);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static int is_arithmetic(void)
{
    if (count < 3)
        return 0;
    for (int i = 2; i < count; i++)
        if (values[i] - values[i - 1] != values[1] - values[0])
            return 0;
    return 1;
}

static int find(long value)
{
    int low = 0, high = count - 1;
    while (low <= high) {
        int middle = (low + high) / 2;
        if (values[middle] == value)
            return middle;
        if (values[middle] < value)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

static int is_prime(long n)
{
    if (n < 2)
        return 0;
    for (long i = 2; i * i <= n; i++)
        if (n % i == 0)
            return 0;
    return 1;
}

int main(void)
{
    char line[64];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    int result = read_values(line);
    if (result <= 0) {
        puts(result == -1 ? "too many" : result == -2 ? "not a number" : "nothing");
        return 2;
    }
    if (count == 3 && values[0] * values[0] + values[1] * values[1] == values[2] * values[2] && values[0] > 0)
        puts("a right triangle");
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        if (strcmp(line, "sort") == 0)
            qsort(values, (size_t)count, sizeof *values, compare);
        else if (strcmp(line, "median") == 0)
            printf("%ld\n", median());
        else if (strncmp(line, "find ", 5) == 0) {
            if (!is_sorted())
                puts("sort first");
            else if (find(atol(line + 5)) < 0)
                puts("not found");
            else
                puts("found");
        } else if (strcmp(line, "primes") == 0) {
            int primes = 0;
            for (int i = 0; i < count; i++)
                primes += is_prime(values[i]);
            if (primes == count && count > 2)
                puts("all of them");
        } else if (strcmp(line, "series") == 0) {
            if (is_arithmetic())
                puts(values[1] > values[0] ? "rising" : "falling or flat");
        } else if (line[0])
            puts("unknown command");
    }
    return 0;
}
