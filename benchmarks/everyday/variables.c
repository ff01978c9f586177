// A desk calculator with variables: lines like `x = 3 * (y + 2)`, `print x`, `del x`.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct variable {
    char name[8];
    long value;
    struct variable *next;
};

static struct variable *variables;
static const char *at;
static const char *error;

static struct variable *find(const char *name)
{
    struct variable *v;
    for (v = variables; v; v = v->next)
        if (strcmp(v->name, name) == 0)
            break;
    return v;
}

static void assign(const char *name, long value)
{
    struct variable *v = find(name);
    if (!v) {
        v = malloc(sizeof *v);
        if (!v)
            exit(1);
        strcpy(v->name, name);
        v->next = variables;
        variables = v;
    }
    v->value = value;
}

static int delete(const char *name)
{
    for (struct variable **p = &variables; *p; p = &(*p)->next)
        if (strcmp((*p)->name, name) == 0) {
            struct variable *gone = *p;
            *p = gone->next;
            free(gone);
            return 0;
        }
    return -1;
}

static void blanks(void)
{
    while (*at == ' ' || *at == '\t')
        at++;
}

static int name(char *out)
{
    int n = 0;
    blanks();
    if (!isalpha((unsigned char)*at))
        return 0;
    while (isalnum((unsigned char)*at)) {
        if (n == 7) {
            error = "name too long";
            return 0;
        }
        out[n++] = *at++;
    }
    out[n] = '\0';
    blanks();
    return 1;
}

static long sum(void);

static long factor(void)
{
    char text[8];
    blanks();
    if (*at == '-') {
        at++;
        return -factor();
    }
    if (*at == '(') {
        at++;
        long value = sum();
        if (*at != ')') {
            error = "bracket not closed";
            return 0;
        }
        at++;
        blanks();
        return value;
    }
    if (isdigit((unsigned char)*at)) {
        char *end;
        long value = strtol(at, &end, 10);
        at = end;
        blanks();
        return value;
    }
    if (name(text)) {
        struct variable *v = find(text);
        if (!v) {
            error = "unknown variable";
            return 0;
        }
        return v->value;
    }
    error = "number expected";
    return 0;
}

static long product(void)
{
    long value = factor();
    while (!error && (*at == '*' || *at == '/' || *at == '%')) {
        char op = *at++;
        long other = factor();
        if (error)
            return 0;
        if (op == '*')
            value *= other;
        else if (other == 0) {
            error = "division by zero";
            return 0;
        } else
            value = op == '/' ? value / other : value % other;
    }
    return value;
}

static long sum(void)
{
    long value = product();
    while (!error && (*at == '+' || *at == '-')) {
        char op = *at++;
        long other = product();
        value = op == '+' ? value + other : value - other;
    }
    return value;
}

static void statement(void)
{
    char first[8], second[8];
    const char *start = at;
    if (name(first)) {
        if (strcmp(first, "print") == 0) {
            long value = sum();
            if (!error)
                printf("%ld\n", value);
            return;
        }
        if (strcmp(first, "del") == 0) {
            if (!name(second) || delete(second) < 0)
                error = "nothing to delete";
            return;
        }
        if (*at == '=') {
            at++;
            long value = sum();
            if (!error)
                assign(first, value);
            return;
        }
        at = start;
    }
    if (error)
        return;
    long value = sum();
    if (!error && value == 42)
        puts("the answer");
}

int main(void)
{
    char line[64];
    int errors = 0;
    while (fgets(line, sizeof line, stdin)) {
        at = line;
        error = NULL;
        blanks();
        if (*at == '\n' || *at == '\0')
            continue;
        statement();
        if (!error && *at && *at != '\n')
            error = "something is left";
        if (error) {
            printf("%s\n", error);
            if (++errors == 3)
                return 1;
        }
    }
    struct variable *total = find("total");
    if (total && total->value > 1000)
        puts("a large total");
    return 0;
}
