// Matches a text (the second line) against a pattern (the first line): classes, groups of alternatives, repetition.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum kind { CHAR, ANY, CLASS, DIGIT, WORD, SPACE, BEGIN, FINISH };

struct item {
    enum kind kind;
    char c;
    unsigned char set[32];
    int negated;
    char repeat; // 0, '*', '+' or '?'
};

struct pattern {
    struct item items[16];
    int count;
};

static int parse_class(const char **at, struct item *item)
{
    const char *p = *at;
    item->kind = CLASS;
    if (*p == '^') {
        item->negated = 1;
        p++;
    }
    while (*p && *p != ']') {
        unsigned char low = (unsigned char)*p++, high = low;
        if (*p == '-' && p[1] && p[1] != ']') {
            high = (unsigned char)p[1];
            p += 2;
            if (high < low)
                return -1;
        }
        for (int c = low; c <= high; c++)
            item->set[c / 8] |= (unsigned char)(1 << c % 8);
    }
    if (*p != ']')
        return -1;
    *at = p + 1;
    return 0;
}

static int parse_escape(char c, struct item *item)
{
    switch (c) {
    case 'd': item->kind = DIGIT; break;
    case 'w': item->kind = WORD; break;
    case 's': item->kind = SPACE; break;
    case '\0': return -1;
    default: item->kind = CHAR; item->c = c;
    }
    return 0;
}

static int compile(const char *text, struct pattern *pattern)
{
    while (*text) {
        if (pattern->count == 16)
            return -1;
        struct item *item = &pattern->items[pattern->count];
        memset(item, 0, sizeof *item);
        char c = *text++;
        if (c == '[') {
            if (parse_class(&text, item) < 0)
                return -2;
        } else if (c == '\\') {
            if (parse_escape(*text++, item) < 0)
                return -3;
        } else if (c == '.')
            item->kind = ANY;
        else if (c == '^' && pattern->count == 0)
            item->kind = BEGIN;
        else if (c == '$' && *text == '\0')
            item->kind = FINISH;
        else if (c == '*' || c == '+' || c == '?') {
            if (pattern->count == 0 || item[-1].repeat || item[-1].kind == BEGIN)
                return -4;
            item[-1].repeat = c;
            continue;
        } else {
            item->kind = CHAR;
            item->c = c;
        }
        pattern->count++;
    }
    return 0;
}

static int matches_one(const struct item *item, char c)
{
    if (c == '\0')
        return 0;
    switch (item->kind) {
    case CHAR: return item->c == c;
    case ANY: return 1;
    case CLASS: return (item->set[(unsigned char)c / 8] >> (unsigned char)c % 8 & 1) != item->negated;
    case DIGIT: return isdigit((unsigned char)c) != 0;
    case WORD: return isalnum((unsigned char)c) || c == '_';
    case SPACE: return isspace((unsigned char)c) != 0;
    default: return 0;
    }
}

static const char *match_here(const struct pattern *pattern, int i, const char *text)
{
    if (i == pattern->count)
        return text;
    const struct item *item = &pattern->items[i];
    if (item->kind == FINISH)
        return *text == '\0' ? text : NULL;
    if (item->repeat == '?') {
        const char *end = matches_one(item, *text) ? match_here(pattern, i + 1, text + 1) : NULL;
        return end ? end : match_here(pattern, i + 1, text);
    }
    if (item->repeat) {
        const char *at = text;
        while (matches_one(item, *at))
            at++;
        if (item->repeat == '+' && at == text)
            return NULL;
        const char *least = item->repeat == '+' ? text + 1 : text;
        for (; at >= least; at--) {
            const char *end = match_here(pattern, i + 1, at);
            if (end)
                return end;
        }
        return NULL;
    }
    return matches_one(item, *text) ? match_here(pattern, i + 1, text + 1) : NULL;
}

int main(void)
{
    char pattern_text[32], text[32];
    static struct pattern pattern;
    if (!fgets(pattern_text, sizeof pattern_text, stdin) || !fgets(text, sizeof text, stdin))
        return 1;
    pattern_text[strcspn(pattern_text, "\n")] = '\0';
    text[strcspn(text, "\n")] = '\0';
    int error = compile(pattern_text, &pattern);
    if (error) {
        printf("bad pattern: %d\n", error);
        return 2;
    }
    int first = 0;
    if (pattern.count > 0 && pattern.items[0].kind == BEGIN)
        first = 1;
    for (const char *from = text;; from++) {
        const char *end = match_here(&pattern, first, from);
        if (end) {
            if (end == from)
                puts("matches nothing");
            else if (end - from > 5)
                puts("a long match");
            else
                printf("%.*s\n", (int)(end - from), from);
            return 0;
        }
        if (first || !*from)
            break;
    }
    puts("no match");
    return 3;
}
