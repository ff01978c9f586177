// checks: structs with floats, nested structs and arrays inside, by value and by assignment
#include "collection.h"

struct point { float x, y; };
struct line { struct point from, to; };
struct tagged { int32_t tag; double value; };
struct reading { float value; int32_t unit; };
struct grid { uint8_t cells[2][3]; struct { int16_t width, height; } size; };

static struct point middle(struct line line)
{
    return (struct point){(line.from.x + line.to.x) / 2, (line.from.y + line.to.y) / 2};
}
static struct tagged retag(struct tagged t, int32_t tag) { return (struct tagged){tag, t.value + t.tag}; }
static struct reading convert(struct reading r) { return (struct reading){r.value * 2, r.unit ^ 1}; }
static struct grid flip(struct grid g)
{
    struct grid result = {.size = {g.size.height, g.size.width}};
    for (int r = 0; r < 2; r++)
        for (int c = 0; c < 3; c++)
            result.cells[1 - r][2 - c] = g.cells[r][c];
    return result;
}

int main(void)
{
    read_input();
    struct point point = middle((struct line){{u8(0), u8(1)}, {u8(2), u8(3)}});
    show("middle", (int)(point.x * 2 + point.y));
    struct tagged tagged = retag((struct tagged){s16(4), 0.5}, s32(8));
    show("tag", tagged.tag);
    show("value", (long long)(tagged.value * 2));
    struct reading reading = convert(convert((struct reading){1.25f, s32(12)}));
    expect(reading.unit == s32(12) && reading.value == 5.0f);
    struct grid grid = {.size = {2, s16(16)}};
    for (int i = 0; i < 6; i++)
        grid.cells[i / 3][i % 3] = input[18 + i];
    grid = flip(grid);
    show("corner", grid.cells[0][0] - grid.cells[1][2]);
    show("size", grid.size.width);
    struct grid copy;
    copy = grid;
    copy.size = (__typeof__(copy.size)){1, 2};
    expect(memcmp(copy.cells, grid.cells, sizeof copy.cells) == 0);
    return finish();
}
