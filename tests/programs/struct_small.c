// checks: structs small enough for registers, passed, returned and chained
#include "collection.h"

struct pair { int32_t a, b; };
struct bytes { uint8_t b[3]; };
struct longs { int64_t a, b; };
struct odd { int16_t a; uint8_t b; int32_t c; int8_t d; };
struct one { uint8_t only; };
struct nothing { char none[0]; };

static struct pair swap(struct pair p) { return (struct pair){p.b, p.a}; }
static struct pair grow(struct pair p, uint32_t by) { return (struct pair){(int)(by + (uint32_t)p.a), (int)((uint32_t)p.b - by)}; }
static struct bytes turn(struct bytes b) { return (struct bytes){{b.b[1], b.b[2], b.b[0]}}; }
static struct longs spread(int32_t a, int16_t b) { return (struct longs){a, b}; }
static struct odd modify(struct odd o) { o.c ^= o.a; o.d = (int8_t)o.b; return o; }
static int sum(struct pair p, struct bytes b, struct longs l, struct one o)
{
    return (int)((uint32_t)p.a + (uint32_t)p.b + b.b[0] + b.b[2] + (uint32_t)l.a + (uint32_t)l.b + o.only);
}
static struct nothing empty(struct nothing n) { return n; }

int main(void)
{
    read_input();
    struct pair pair = swap((struct pair){s32(0), s32(4)});
    show("swapped", pair.a);
    pair = grow(swap(pair), u8(8));
    show("grown", pair.b);
    struct bytes bytes = turn(turn((struct bytes){{u8(9), u8(10), u8(11)}}));
    show("turned", bytes.b[0] * 256 + bytes.b[1]);
    struct longs longs = spread(s32(12), s16(16));
    show("spread", longs.a ^ longs.b);
    struct odd odd = modify((struct odd){s16(18), u8(20), s32(24), s8(21)});
    show("odd", odd.c + odd.d);
    show("sum", sum(pair, bytes, longs, (struct one){u8(22)}));
    empty((struct nothing){});
    return finish();
}
