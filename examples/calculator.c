// A small language of numbers, texts and lists, one statement after the other, with two mistakes inside.
//
// shows: what a campaign is like on a program of some size
// run: untaken run examples/calculator.c --stdin 64 --time 60
// expect: findings=1+ args="--stdin 64 --time 60"
//
//     price = [3, 5, 8]; price[1] = 6; print sum(price) * 2; if len("abc") < 4 then print price[-1]
//
// Statements end with ; or a new line. Comparisons give 0 or 1. Indices below 0 count from the end.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_INPUT = 256, MOST_VARIABLES = 8, MOST_ITEMS = 32, MOST_DEPTH = 40, LONGEST_NAME = 8, LONGEST_TEXT = 24 };

static const long LARGEST = 1L << 40;

enum kind { NUMBER, TEXT, LIST };

struct value {
    enum kind kind;
    long number;
    char *text;
    struct value **items;
    long length;
    struct value *allocated; // all values in one chain, to free them at the end
};

struct variable {
    char name[LONGEST_NAME + 1];
    struct value *value;
};

static struct variable variables[MOST_VARIABLES];
static int variable_count;
static struct value *last_allocated;
static const char *at;
static int depth;
static jmp_buf on_failure;

static struct value *expression(void);
static void statement(int run);

__attribute__((noreturn)) static void fail(const char *why)
{
    printf("%s, before '%.8s'\n", why, at);
    longjmp(on_failure, 1);
}

// ---- Values

static struct value *new_value(enum kind kind)
{
    struct value *value = calloc(1, sizeof *value);
    if (!value)
        abort();
    value->kind = kind;
    value->allocated = last_allocated;
    last_allocated = value;
    return value;
}

static struct value *new_number(long number)
{
    if (number < -LARGEST || number > LARGEST)
        fail("the number is too large");
    struct value *value = new_value(NUMBER);
    value->number = number;
    return value;
}

static struct value *new_text(const char *from, long length)
{
    struct value *value = new_value(TEXT);
    value->text = malloc((size_t)length + 1);
    if (!value->text)
        abort();
    memcpy(value->text, from, (size_t)length);
    value->text[length] = '\0';
    value->length = length;
    return value;
}

static void append(struct value *list, struct value *item)
{
    if (list->length >= MOST_ITEMS)
        fail("the list is too long");
    list->items = realloc(list->items, (size_t)(list->length + 1) * sizeof list->items[0]);
    if (!list->items)
        abort();
    list->items[list->length++] = item;
}

static void free_all(void)
{
    while (last_allocated) {
        struct value *value = last_allocated;
        last_allocated = value->allocated;
        free(value->text);
        free(value->items);
        free(value);
    }
}

static long number_of(const struct value *value)
{
    if (value->kind != NUMBER)
        fail("a number is needed");
    return value->number;
}

static void print(const struct value *value)
{
    switch (value->kind) {
    case NUMBER: printf("%ld", value->number); break;
    case TEXT: printf("%s", value->text); break;
    case LIST:
        putchar('[');
        for (long i = 0; i < value->length; i++) {
            if (i > 0)
                printf(", ");
            print(value->items[i]);
        }
        putchar(']');
    }
}

static int compare(const struct value *a, const struct value *b)
{
    if (a->kind != b->kind)
        fail("these cannot be compared");
    if (a->kind == TEXT)
        return strcmp(a->text, b->text);
    if (a->kind == LIST)
        return (a->length > b->length) - (a->length < b->length);
    return (a->number > b->number) - (a->number < b->number);
}

// Where an item of a list is kept; -1 is the last one.
static struct value **slot(struct value *list, long index)
{
    if (list->kind != LIST)
        fail("only lists have items");
    if (index < 0)
        return &list->items[list->length + index];
    if (index >= list->length)
        fail("no such item");
    return &list->items[index];
}

// ---- Words

static void skip_space(void)
{
    while (*at == ' ' || *at == '\t')
        at++;
}

static int accept(char c)
{
    skip_space();
    if (*at != c)
        return 0;
    at++;
    return 1;
}

static void require(char c)
{
    if (!accept(c))
        fail("something is missing here");
}

static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static int is_digit(char c) { return c >= '0' && c <= '9'; }

static void read_name(char *name)
{
    int length = 0;
    while (is_letter(*at) || is_digit(*at)) {
        if (length == LONGEST_NAME)
            fail("the name is too long");
        name[length++] = *at++;
    }
    name[length] = '\0';
}

static int accept_word(const char *word)
{
    size_t length = strlen(word);
    skip_space();
    if (strncmp(at, word, length) != 0 || is_letter(at[length]) || is_digit(at[length]))
        return 0;
    at += length;
    return 1;
}

static struct variable *find_variable(const char *name)
{
    for (int i = 0; i < variable_count; i++)
        if (strcmp(variables[i].name, name) == 0)
            return &variables[i];
    return NULL;
}

static void assign(const char *name, struct value *value)
{
    struct variable *variable = find_variable(name);
    if (!variable) {
        if (variable_count == MOST_VARIABLES)
            fail("too many variables");
        variable = &variables[variable_count++];
        strcpy(variable->name, name);
    }
    variable->value = value;
}

// ---- Functions

static struct value *sum(const struct value *list)
{
    long total = 0;
    if (list->kind != LIST)
        fail("a list is needed");
    for (long i = 0; i < list->length; i++)
        total += number_of(list->items[i]);
    return new_number(total);
}

static struct value *sorted(const struct value *list)
{
    if (list->kind != LIST)
        fail("a list is needed");
    struct value *result = new_value(LIST);
    for (long i = 0; i < list->length; i++) {
        append(result, list->items[i]);
        for (long k = i; k > 0 && compare(result->items[k - 1], result->items[k]) > 0; k--) {
            struct value *old = result->items[k];
            result->items[k] = result->items[k - 1];
            result->items[k - 1] = old;
        }
    }
    return result;
}

static struct value *range(long from, long to)
{
    struct value *result = new_value(LIST);
    for (long i = from; i < to; i++)
        append(result, new_number(i));
    return result;
}

static long divide(char operation, long a, long b)
{
    if (b == 0)
        fail("division by zero");
    if (b == -1)
        return operation == '/' ? -a : 0;
    return operation == '/' ? a / b : a % b;
}

enum function { ABS, MOD, LEN, SUM, SORT, RANGE, NO_FUNCTION };

static const char *const function_names[] = {"abs", "mod", "len", "sum", "sort", "range"};

static enum function accept_function(void)
{
    int found = 0;
    while (found < NO_FUNCTION && !accept_word(function_names[found]))
        found++;
    return (enum function)found;
}

static struct value *call(enum function function)
{
    require('(');
    struct value *first = expression(), *second = accept(',') ? expression() : NULL;
    require(')');
    switch (function) {
    case ABS: return new_number(labs(number_of(first)));
    case MOD: return new_number(divide('%', number_of(first), number_of(second)));
    case LEN:
        if (first->kind == NUMBER)
            fail("a list or a text is needed");
        return new_number(first->length);
    case SUM: return sum(first);
    case SORT: return sorted(first);
    case RANGE:
        if (!second)
            fail("range needs two numbers");
        return range(number_of(first), number_of(second));
    default: abort();
    }
}

// ---- Expressions

static struct value *number_literal(void)
{
    long number = 0;
    while (is_digit(*at)) {
        number = number * 10 + (*at++ - '0');
        if (number > LARGEST)
            break;
    }
    return new_number(number);
}

static struct value *text_literal(void)
{
    const char *start = at;
    while (*at && *at != '"' && *at != '\n')
        at++;
    if (at - start > LONGEST_TEXT)
        fail("the text is too long");
    struct value *value = new_text(start, at - start);
    require('"');
    return value;
}

static struct value *list_literal(void)
{
    struct value *list = new_value(LIST);
    if (accept(']'))
        return list;
    do
        append(list, expression());
    while (accept(','));
    require(']');
    return list;
}

static struct value *primary(void)
{
    skip_space();
    if (is_digit(*at))
        return number_literal();
    if (accept('"'))
        return text_literal();
    if (accept('['))
        return list_literal();
    if (accept('(')) {
        struct value *value = expression();
        require(')');
        return value;
    }
    if (!is_letter(*at))
        fail("an expression is needed");
    enum function function = accept_function();
    if (function != NO_FUNCTION)
        return call(function);
    char name[LONGEST_NAME + 1];
    read_name(name);
    struct variable *variable = find_variable(name);
    if (!variable)
        fail("no such variable");
    return variable->value;
}

static struct value *unary(void)
{
    if (++depth > MOST_DEPTH)
        fail("nested too deeply");
    struct value *value;
    if (accept('-'))
        value = new_number(-number_of(unary()));
    else {
        value = primary();
        while (accept('[')) {
            value = *slot(value, number_of(expression()));
            require(']');
        }
    }
    depth--;
    return value;
}

static struct value *product(void)
{
    struct value *left = unary();
    for (;;) {
        long result;
        if (accept('*')) {
            if (__builtin_mul_overflow(number_of(left), number_of(unary()), &result))
                fail("the product is too large");
        } else if (accept('/'))
            result = divide('/', number_of(left), number_of(unary()));
        else if (accept('%'))
            result = divide('%', number_of(left), number_of(unary()));
        else
            return left;
        left = new_number(result);
    }
}

static struct value *terms(void)
{
    struct value *left = product();
    for (;;) {
        if (accept('+'))
            left = new_number(number_of(left) + number_of(product()));
        else if (accept('-'))
            left = new_number(number_of(left) - number_of(product()));
        else
            return left;
    }
}

static struct value *expression(void)
{
    struct value *left = terms();
    if (accept('<'))
        return new_number(compare(left, terms()) < 0);
    if (accept('>'))
        return new_number(compare(left, terms()) > 0);
    if (accept('~'))
        return new_number(compare(left, terms()) == 0);
    return left;
}

// ---- Statements

static void simple_statement(int run)
{
    char name[LONGEST_NAME + 1];
    const char *start = at;
    if (is_letter(*at)) {
        read_name(name);
        if (accept('=')) {
            struct value *value = expression();
            if (run)
                assign(name, value);
            return;
        }
        struct variable *variable = find_variable(name);
        if (variable && accept('[')) {
            struct value **item = slot(variable->value, number_of(expression()));
            require(']');
            if (accept('=')) {
                struct value *value = expression();
                if (run)
                    *item = value;
                return;
            }
        }
        at = start;
    }
    expression();
}

static void statement(int run)
{
    if (accept_word("print")) {
        struct value *value = expression();
        if (run) {
            print(value);
            putchar('\n');
        }
    } else if (accept_word("if")) {
        long holds = number_of(expression());
        if (!accept_word("then"))
            fail("then is missing");
        statement(run && holds);
    } else {
        skip_space();
        simple_statement(run);
    }
}

static void interpret(const char *text)
{
    at = text;
    for (;;) {
        skip_space();
        if (*at == '\0')
            return;
        if (*at != ';' && *at != '\n')
            statement(1);
        if (*at != '\0' && !accept(';') && !accept('\n'))
            fail("the statement should end");
    }
}

int main(void)
{
    static char text[MOST_INPUT + 1];
    size_t length = fread(text, 1, MOST_INPUT, stdin);
    text[length] = '\0';
    int failed = setjmp(on_failure);
    if (!failed)
        interpret(text);
    free_all();
    return failed;
}
