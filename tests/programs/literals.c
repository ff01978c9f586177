// checks: compound literals, designated initialisers, nested and with values of the input
#include "collection.h"

struct point { int x, y; };
struct box { struct point corners[2]; const char *label; unsigned char flags[4]; };

static int area(const struct box *box)
{
    return (box->corners[1].x - box->corners[0].x) * (box->corners[1].y - box->corners[0].y);
}

static struct point *further(struct point *a, struct point *b) { return a->x + a->y > b->x + b->y ? a : b; }

int main(void)
{
    read_input();
    struct box box = {.label = "box", .corners = {[1] = {.y = u8(0), .x = u8(1)}}, .flags[2] = u8(2)};
    expect(box.corners[0].x == 0 && box.flags[3] == 0);
    show("area", area(&box));
    show("literal", area(&(struct box){{{s8(3), 1}, {5, s8(4)}}, "l", {0}}));
    show("further", further(&(struct point){u8(5), 1}, &(struct point){.y = u8(6)})->x);
    int sparse[10] = {[3] = s8(7), [7 ... 9] = 2, [0] = 1};
    show("sparse", sparse[u8(8) % 10] * 3 + sparse[3]);
    show("array literal", ((int[]){s8(9), s8(10), s8(11)})[u8(12) % 3]);
    struct point *kept[4];
    for (int i = 0; i < 4; i++)
        kept[i] = i & 1 ? &(struct point){1, 2} : &box.corners[1];
    show("kept", kept[0]->x + kept[2]->y);
    char text[8] = "ab", *other = (char[]){'x', (char)(u8(13) & 127), 0};
    text[2] = other[1];
    show("text", text[2] + text[7]);
    box = (struct box){.corners[0] = box.corners[1], .flags = {[1] = 9}};
    show("reassigned", box.corners[0].x + box.flags[1] - box.flags[2]);
    return finish();
}
