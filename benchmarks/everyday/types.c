// A tokenizer, parser and type checker for a tiny language: let x: int = 3; if x < 2 { ... }
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum token { END, NAME, NUMBER, TEXT, LET, IF, ELSE, PRINT, TRUE, FALSE, INT, BOOL, STR, LE, EQ, BAD };
static char source[256];
static const char *at;
static int token, line = 1;
static char text[16];

enum type { NONE, T_INT, T_BOOL, T_STR };
static struct { char name[16]; enum type type; int depth; } symbols[8];
static int count, depth;

static void die(const char *why) { printf("%d: %s\n", line, why); exit(1); }

static int keyword(void) {
    static const struct { const char *word; int token; } words[] = {
        {"let", LET}, {"if", IF}, {"else", ELSE}, {"print", PRINT}, {"true", TRUE},
        {"false", FALSE}, {"int", INT}, {"bool", BOOL}, {"str", STR}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].word, text) == 0) return words[i].token;
    return NAME;
}

static void next(void) {
    while (isspace((unsigned char)*at)) {
        if (*at == '\n') line++;
        at++;
    }
    if (*at == '\0') { token = END; return; }
    if (isalpha((unsigned char)*at)) {
        int n = 0;
        while (isalnum((unsigned char)*at)) {
            if (n == 15) die("name too long");
            text[n++] = *at++;
        }
        text[n] = '\0';
        token = keyword();
        return;
    }
    if (isdigit((unsigned char)*at)) {
        long value = strtol(at, (char **)&at, 10);
        if (value > 32767) die("number too large");
        token = NUMBER;
        return;
    }
    if (*at == '"') {
        for (at++; *at != '"'; at++)
            if (*at == '\0' || *at == '\n') die("open string");
        at++;
        token = TEXT;
        return;
    }
    if (*at == '<' && at[1] == '=') { at += 2; token = LE; return; }
    if (*at == '=' && at[1] == '=') { at += 2; token = EQ; return; }
    token = strchr("+-*<=(){};:!&", *at) ? 256 + *at : BAD;
    at++;
}

static int accept(int wanted) {
    if (token != wanted) return 0;
    next();
    return 1;
}
static void expect(int wanted, const char *why) { if (!accept(wanted)) die(why); }

static enum type expression(void);

static enum type primary(void) {
    if (accept(NUMBER)) return T_INT;
    if (accept(TEXT)) return T_STR;
    if (accept(TRUE) || accept(FALSE)) return T_BOOL;
    if (accept(256 + '!')) {
        if (primary() != T_BOOL) die("! wants a bool");
        return T_BOOL;
    }
    if (accept(256 + '(')) {
        enum type t = expression();
        expect(256 + ')', ") expected");
        return t;
    }
    if (token == NAME) {
        for (int i = count - 1; i >= 0; i--)
            if (strcmp(symbols[i].name, text) == 0) { next(); return symbols[i].type; }
        die("unknown name");
    }
    die("expression expected");
    return NONE;
}

static enum type sum(void) {
    enum type left = primary();
    for (;;) {
        int op = token;
        if (op != 256 + '+' && op != 256 + '-' && op != 256 + '*') return left;
        next();
        enum type right = primary();
        if (left == T_STR && right == T_STR && op == 256 + '+') continue;
        if (left != T_INT || right != T_INT) die("numbers expected");
    }
}

static enum type expression(void) {
    enum type left = sum();
    if (token == 256 + '<' || token == LE) {
        next();
        if (left != T_INT || sum() != T_INT) die("comparison of numbers only");
        return T_BOOL;
    }
    if (accept(EQ)) {
        if (sum() != left) die("types differ");
        return T_BOOL;
    }
    while (accept(256 + '&')) {
        if (left != T_BOOL || sum() != T_BOOL) die("& wants bools");
    }
    return left;
}

static void block(void);

static void statement(void) {
    if (accept(LET)) {
        char name[16];
        enum type declared = NONE;
        if (token != NAME) die("name expected");
        strcpy(name, text);
        next();
        if (accept(256 + ':')) {
            if (accept(INT)) declared = T_INT;
            else if (accept(BOOL)) declared = T_BOOL;
            else if (accept(STR)) declared = T_STR;
            else die("type expected");
        }
        expect(256 + '=', "= expected");
        enum type t = expression();
        if (declared != NONE && declared != t) die("wrong type");
        for (int i = 0; i < count; i++)
            if (symbols[i].depth == depth && strcmp(symbols[i].name, name) == 0) die("declared twice");
        if (count == 8) die("too many names");
        strcpy(symbols[count].name, name);
        symbols[count].type = t;
        symbols[count++].depth = depth;
        expect(256 + ';', "; expected");
    } else if (accept(IF)) {
        if (expression() != T_BOOL) die("condition must be bool");
        block();
        if (accept(ELSE)) block();
    } else if (accept(PRINT)) {
        if (expression() == T_BOOL) die("cannot print bool");
        expect(256 + ';', "; expected");
    } else die("statement expected");
}

static void block(void) {
    int before = count;
    expect(256 + '{', "{ expected");
    if (++depth > 4) die("too deep");
    while (token != 256 + '}') {
        if (token == END) die("} expected");
        statement();
    }
    next();
    depth--;
    count = before;
}

int main(void) {
    size_t n = fread(source, 1, sizeof source - 1, stdin);
    source[n] = '\0';
    at = source;
    next();
    while (token != END) statement();
    printf("%d names\n", count);
    return 0;
}
