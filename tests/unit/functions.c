/* Functions of varied signatures, for `untaken unit`: tests/unit/test_unit_command.py says how each is called. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum color { RED, GREEN = 5, BLUE };
typedef enum { LOW = -1, HIGH = 1 } level_t;
struct point { int x, y; };
struct segment { struct point from, to; };
struct node { int value; struct node *next; };
typedef struct tree { struct tree *left, *right; int key; } tree_t;
union number { int32_t whole; unsigned char bytes[4]; };
struct tagged { unsigned kind : 2, spare : 6; bool on; union { int i; const char *text; } as; };
struct table { int rows[2][3]; char name[20]; };
struct part { struct owner *parent; struct part *next; };
struct owner { int count; struct part *first; };
typedef int (*compare_t)(const void *, const void *);

static int calls;
int limit = 10;
static struct point origin;

int integers(signed char a, unsigned short b, int32_t c, uint64_t d, long long e) {
    if (a == -100 && b == 60000) return 1;
    if (c < -2000000000 && d > 1ull << 63) return 2;
    return e == 1234567890123 ? 3 : 0;
}

int colors(enum color c, level_t level) {
    switch (c) {
    case RED: return 1;
    case GREEN: return level == HIGH ? 2 : 3;
    case BLUE: return 4;
    default: return 5;
    }
}

bool flags(bool a, _Bool b, char c) { return a && !b && c == 'x'; }

double reals(double x, float y) {
    if (x > 0.25 && x < 0.75) return x * 2;
    if (y == -3.5f) return y;
    return x != x ? 1.0 : 0.0;
}

int by_value(struct point p) {
    if (p.x == 77 && p.y == p.x + 1) return 1;
    return 0;
}

int by_pointer(struct point *p) {
    if (p == NULL) return -1;
    if (p->x > 1000) p->y = 5;
    return p->y;
}

int nested(const struct segment *s) {
    if (!s) return 0;
    return s->from.x == s->to.y && s->to.x - s->from.y == 99;
}

int unions(union number n) {
    if (n.whole == 0x01020304) return 1;
    return n.bytes[3] == 0xff ? 1 : 0;
}

int bit_fields(struct tagged *t) {
    if (t == NULL || !t->on) return 0;
    if (t->kind == 2) return t->as.i == 42 ? 1 : 0;
    if (t->kind == 3 && t->as.text) return t->as.text[0] == 'q' ? 1 : 0;
    return t->spare == 33;
}

int array_with_length(const int *items, size_t n) {
    int sum = 0;
    for (size_t i = 0; i < n; i++)
        if (items[i] > 500) sum++;
    return sum == 3 ? 1 : 0;
}

int fixed_array(short key[4]) {
    if (key[0] == 1 && key[1] == 22 && key[2] == 333 && key[3] == 4444) return 1;
    return 0;
}

int inner_arrays(const struct table *t) {
    if (!t) return 0;
    if (t->rows[1][2] == 8) return 1;
    return strcmp(t->name, "total") == 0 ? 1 : 0;
}

int text(const char *s) {
    if (s && strcmp(s, "open") == 0) return 1;
    return 0;
}

int list_sum(const struct node *list) {
    int sum = 0;
    for (; list; list = list->next) sum += list->value;
    return sum == 4321 ? 1 : 0;
}

static int tree_height(const tree_t *tree) {
    if (!tree) return 0;
    int left = tree_height(tree->left), right = tree_height(tree->right);
    return 1 + (left > right ? left : right);
}

int double_pointer(int **slot) {
    if (!slot || !*slot) return 0;
    return **slot == 99 ? 1 : 0;
}

int words(char **argv, int argc) {
    if (argc < 2 || !argv || !argv[1]) return 0;
    return strcmp(argv[1], "-v") == 0 ? 1 : 0;
}

int callbacks(compare_t compare, int a, int b) {
    if (!compare) return a < b;
    return compare(&a, &b) == 7 ? 1 : 0;
}

int with_global(int x) {
    if (x > limit) return 1;
    return origin.x == -9 ? 1 : 0;
}

int raw(const void *data) {
    if (!data) return 0;
    return memcmp(data, "\x7f" "ELF", 4) == 0 ? 1 : 0;
}

static int hidden(int x) { return x * 3 == 2997 ? 1 : 0; }

int stream(FILE *out, int x) {
    if (!out) return -1;
    return x == 5 ? fputc('x', out) : 0;
}

int output(int x, int *result) {
    if (!result) return -1;
    *result = x > 9 ? x - 9 : 9 - x;
    return 0;
}

void drop(struct node *list) {
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

int counting(int x) { return ++calls == 1 && x > 3; }

int divide(int a, int b) {
    if (a == 12345) return a / b;
    return 0;
}

int consistent(const struct owner *o) {
    if (!o || !o->first) return -1;
    if (o->first->parent != o) return -2;
    return o->first->next && o->first->next->parent == o ? 1 : 0;
}

int variadic(int count, ...) { return count; }

int complexes(_Complex double c) { return c == 0; }

int main(void) { return colors(RED, LOW); }
