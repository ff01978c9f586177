// checks: calls through pointers, tables, struct members and arguments, also into the C library
#include "collection.h"
#include <ctype.h>

typedef int (*operation)(int, int);

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int multiply(int a, int b) { return a * b; }
static int larger(int a, int b) { return a > b ? a : b; }

static const operation operations[] = {add, subtract, multiply, larger};

struct shape {
    int (*area)(const struct shape *);
    int width, height;
};

static int rectangle(const struct shape *shape) { return shape->width * shape->height; }
static int triangle(const struct shape *shape) { return shape->width * shape->height / 2; }

static operation choose(int which) { return which < 10 ? add : which < 100 ? operations[which % 4] : larger; }
static int fold(operation f, const unsigned char *values, int count)
{
    int result = 1;
    for (int i = 0; i < count; i++)
        result = f(result & 0xffff, values[i]);
    return result;
}
static int map(int (*f)(int), int value) { return f(value); }

int main(void)
{
    read_input();
    for (unsigned i = 0; i < 8; i++)
        show("table", operations[u8(i) & 3](s8(8 + i), s8(16 + i)));
    show("chosen", choose(u8(24))(u8(25), u8(26)));
    for (unsigned i = 0; i < 4; i++)
        show("fold", fold(operations[i], input + 28, 6));
    struct shape shapes[] = {{rectangle, u8(34), u8(35)}, {triangle, u8(36), u8(37)}};
    const struct shape *shape = &shapes[u8(38) & 1];
    show("area", shape->area(shape));
    show("library", map(u8(39) & 1 ? toupper : tolower, u8(40) & 127));
    show("same", choose(u8(24)) == larger);
    return finish();
}
