// checks: long runs of bit-fields, which some compilers read and write as one integer of 160 bits and more
#include "collection.h"

struct run {
    unsigned a : 20, b : 12, c : 31, d : 1, e : 7, f : 25, g : 30, h : 2, i : 3, j : 29;
    int k : 11, l : 21;
    unsigned long m : 40;
};

/* Where these lie must not depend on how their bits are read. */
struct around {
    long before;
    struct { unsigned a : 20, b : 12, c : 31, d : 1, e : 32, f : 32; } inside;
    long between;
    unsigned g : 20, h : 12, i : 31, j : 1, k : 32;
    char after;
};

#ifdef __BITINT_MAXWIDTH__
static struct initial { int before; unsigned _BitInt(97) odd; char after; __int128 wide; } initial = {1, 5, 2, -7};
#else
static struct initial { int before; unsigned long odd; char after; __int128 wide; } initial = {1, 5, 2, -7};
#endif

static void show_places(void)
{
    struct around around;
    memcpy(&around, input, sizeof around);
    show("size", sizeof around);
    show("before", around.before);
    show("inside c", around.inside.c);
    show("inside f", around.inside.f);
    show("between", around.between);
    show("i", around.i);
    show("k", around.k);
    show("after", around.after);
    initial.odd += u8(50);
    show("initial", (long long)initial.odd + initial.before + initial.after);
    show("wide", (long long)initial.wide);
}

static void set(struct run *run)
{
    run->a = u32(0), run->b = u16(4), run->c = u32(8), run->d = u8(12), run->e = u8(13), run->f = u32(16);
    run->g = u32(20), run->h = u8(24), run->i = u8(25), run->j = u32(28), run->k = s16(32), run->l = s32(36);
    run->m = u64(40);
}

int main(void)
{
    struct run run, copy;
    read_input();
    set(&run);
    show_places();
    show("c", run.c);
    show("e", run.e);
    show("g", run.g);
    show("j", run.j);
    show("k", run.k);
    show("l", run.l);
    show("m", (long long)run.m);
    copy = run;
    copy.g += copy.e++;
    copy.k = -copy.k;
    show("changed g", copy.g);
    show("changed k", copy.k);
    show("kept f", copy.f == run.f && copy.h == run.h);
    if (copy.g == 77 && copy.l == -3)
        puts("both");
    return finish();
}
