// checks: globals initialised with addresses, offsets, functions and nested aggregates
#include "collection.h"

struct node { const char *name; const struct node *next; int weight; };

static int twice(int value) { return value * 2; }
static int square(int value) { return value * value; }

static int cells[6] = {1, 2, 3, [5] = 60};
static int *const third = &cells[2];
static int *end = cells + 6;
static const struct node last = {"last", NULL, 3}, middle = {"middle", &last, 20}, first = {"first", &middle, 100};
static const struct node *const roots[] = {&first, &middle, &last};
static int (*functions[2])(int) = {[1] = square, [0] = twice};
static const char *texts[2][2] = {{"aa", "bb"}, {&"xcc"[1], "dd"}};
static struct { union { uint16_t half[2]; uint32_t whole; } bits; int (*f)(int); } holder = {{.whole = 0x10002}, twice};
static uintptr_t as_number = (uintptr_t)&cells[1];
static long difference = (long)(sizeof cells / sizeof cells[0]);

int main(void)
{
    read_input();
    int sum = 0;
    for (const struct node *at = roots[u8(0) % 3]; at; at = at->next)
        sum += at->weight * u8(1) + at->name[0];
    show("list", sum);
    *third = s8(2);
    show("third", cells[2] + end[-1]);
    show("function", functions[u8(3) & 1](s8(4)));
    show("text", texts[u8(5) & 1][u8(6) & 1][u8(7) & 1]);
    show("holder", holder.f(holder.bits.half[u8(8) & 1]));
    show("number", *(int *)as_number * difference);
    holder.bits.half[1] = u16(10);
    show("whole", holder.bits.whole);
    end -= u8(12) % 6 + 1;
    show("end", *end);
    return finish();
}
