// A spreadsheet: A1=3, B1=A1+2*C3, then "? B1" prints; cycles are errors.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 4
#define ROWS 4
struct cell { char formula[24]; int set, busy; };
static struct cell cells[COLUMNS][ROWS];
static const char *p;
static const char *error;

static long expression(void);

static struct cell *reference(void) {
    int column = toupper((unsigned char)*p) - 'A';
    if (column < 0 || column >= COLUMNS) { error = "column"; return NULL; }
    p++;
    int row = *p - '1';
    if (row < 0 || row >= ROWS) { error = "row"; return NULL; }
    p++;
    return &cells[column][row];
}

static long value(struct cell *c) {
    if (!c->set) return 0;
    if (c->busy) { error = "cycle"; return 0; }
    const char *saved = p;
    c->busy = 1;
    p = c->formula;
    long result = expression();
    if (!error && *p != '\0') error = "rest";
    c->busy = 0;
    p = saved;
    return result;
}

static long range(int kind) {
    struct cell *from = reference();
    if (error) return 0;
    if (*p++ != ':') { error = "range"; return 0; }
    struct cell *to = reference();
    if (error) return 0;
    long result = 0;
    int n = 0;
    if (from > to) { error = "backwards"; return 0; }
    for (struct cell *c = from; c <= to && !error; c++) {
        long v = value(c);
        if (kind == 's') result += v;
        else if (kind == 'm' && (n == 0 || v > result)) result = v;
        else if (kind == 'n' && c->set) result++;
        n++;
    }
    return result;
}

static long factor(void) {
    while (*p == ' ') p++;
    if (isdigit((unsigned char)*p)) return strtol(p, (char **)&p, 10);
    if (*p == '-') { p++; return -factor(); }
    if (*p == '(') {
        p++;
        long v = expression();
        if (*p != ')') { if (!error) error = "paren"; return 0; }
        p++;
        return v;
    }
    if (strncmp(p, "sum(", 4) == 0 || strncmp(p, "max(", 4) == 0 || strncmp(p, "num(", 4) == 0) {
        int kind = *p;
        p += 4;
        long v = range(kind);
        if (!error && *p++ != ')') error = "paren";
        return v;
    }
    if (isalpha((unsigned char)*p)) {
        struct cell *c = reference();
        return c ? value(c) : 0;
    }
    error = "factor";
    return 0;
}

static long term(void) {
    long v = factor();
    while (!error && (*p == '*' || *p == '/')) {
        char op = *p++;
        long w = factor();
        if (op == '*') v *= w;
        else if (w == 0) { error = "division"; return 0; }
        else v /= w;
    }
    return v;
}

static long expression(void) {
    long v = term();
    while (!error && (*p == '+' || *p == '-')) v = *p++ == '+' ? v + term() : v - term();
    return v;
}

int main(void) {
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        error = NULL;
        p = line;
        if (*p == '?') {
            p++;
            while (*p == ' ') p++;
            struct cell *c = reference();
            if (c) {
                long v = value(c);
                if (!error) {
                    printf("%ld\n", v);
                    if (v > 1000) puts("large");
                    if (v < 0) puts("negative");
                    continue;
                }
            }
        } else {
            struct cell *c = reference();
            if (c) {
                if (*p == '=') {
                    if (strlen(p + 1) >= sizeof c->formula) error = "long";
                    else { strcpy(c->formula, p + 1); c->set = 1; }
                } else if (*p == '!') c->set = 0;
                else error = "command";
            }
        }
        if (error) printf("error: %s\n", error);
    }
    return 0;
}
