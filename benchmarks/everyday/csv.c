// Reads a table with quoted fields, finds columns by their names in the first row, and sums amounts.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FIELDS 8
#define FIELD_SIZE 24

struct row {
    char fields[MAX_FIELDS][FIELD_SIZE];
    int count;
};

enum result { ROW, END, BAD_QUOTE, TOO_LONG, TOO_MANY };

static enum result read_row(FILE *in, struct row *row)
{
    int c, quoted = 0, length = 0;
    row->count = 0;
    c = getc(in);
    if (c == EOF)
        return END;
    for (;; c = getc(in)) {
        if (quoted) {
            if (c == EOF)
                return BAD_QUOTE;
            if (c == '"') {
                int next = getc(in);
                if (next != '"') {
                    quoted = 0;
                    ungetc(next, in);
                    continue;
                }
            }
        } else if (c == '"') {
            if (length > 0)
                return BAD_QUOTE;
            quoted = 1;
            continue;
        } else if (c == ',' || c == '\n' || c == EOF) {
            row->fields[row->count++][length] = '\0';
            length = 0;
            if (c != ',')
                return ROW;
            if (row->count == MAX_FIELDS)
                return TOO_MANY;
            continue;
        } else if (c == '\r')
            continue;
        if (length == FIELD_SIZE - 1)
            return TOO_LONG;
        row->fields[row->count][length++] = (char)c;
    }
}

static int find(const struct row *header, const char *name)
{
    for (int i = 0; i < header->count; i++)
        if (strcmp(header->fields[i], name) == 0)
            return i;
    return -1;
}

int main(void)
{
    struct row header, row;
    enum result result = read_row(stdin, &header);
    if (result != ROW) {
        fputs("no header\n", stderr);
        return 1;
    }
    int name = find(&header, "name"), amount = find(&header, "qty"), price = find(&header, "price");
    if (amount < 0 && price < 0) {
        fputs("nothing to sum\n", stderr);
        return 1;
    }
    double total = 0;
    int rows = 0, skipped = 0;
    while ((result = read_row(stdin, &row)) == ROW) {
        if (row.count == 1 && row.fields[0][0] == '\0')
            continue;
        if (row.count != header.count) {
            skipped++;
            continue;
        }
        rows++;
        int n = 1;
        if (amount >= 0) {
            char *end;
            n = (int)strtol(row.fields[amount], &end, 10);
            if (end == row.fields[amount] || *end) {
                skipped++;
                continue;
            }
        }
        total += price >= 0 ? n * atof(row.fields[price]) : n;
        if (name >= 0 && row.fields[name][0] == '\0')
            fprintf(stderr, "row %d has no name\n", rows);
        if (n < 0)
            printf("returned: %d\n", -n);
    }
    if (result == BAD_QUOTE)
        fputs("quote not closed\n", stderr);
    else if (result == TOO_LONG)
        fputs("field too long\n", stderr);
    else if (result == TOO_MANY)
        fputs("too many fields\n", stderr);
    if (rows >= 3 && total > 100)
        puts("large");
    printf("%d rows, %d skipped, %.2f\n", rows, skipped, total);
    return 0;
}
