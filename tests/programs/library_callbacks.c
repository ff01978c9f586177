// checks: our functions called back by the C library: qsort, bsearch, atexit
#include "collection.h"

struct entry { int16_t key; uint8_t value; };

static unsigned compared;

static int by_key(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    compared++;
    return a->key != b->key ? (a->key > b->key) - (a->key < b->key) : a->value - b->value;
}

static int descending(const void *left, const void *right) { return *(const int *)right - *(const int *)left; }

static void at_end(void) { puts("bye"); }

int main(void)
{
    read_input();
    atexit(at_end);
    struct entry entries[12];
    for (unsigned i = 0; i < 12; i++)
        entries[i] = (struct entry){s8(i), u8(12 + i)};
    qsort(entries, 12, sizeof entries[0], by_key);
    for (int i = 1; i < 12; i++)
        expect(entries[i - 1].key <= entries[i].key);
    show("first", entries[0].key * 256 + entries[0].value);
    show("last", entries[11].key);
    show("compared", compared > 10);
    struct entry wanted = {s8(24), entries[3].value};
    const struct entry *found = bsearch(&wanted, entries, 12, sizeof entries[0], by_key);
    show("found", found ? found - entries : -1);
    int values[8];
    for (unsigned i = 0; i < 8; i++)
        values[i] = u8(32 + i);
    qsort(values, 8, sizeof values[0], descending);
    for (int i = 0; i < 8; i++)
        show("sorted", values[i]);
    return finish();
}
