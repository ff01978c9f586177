// checks: structs passed in memory (byval) and returned through a hidden pointer
#include "collection.h"

struct record {
    int32_t id;
    char name[24];
    int64_t scores[4];
};

static int64_t total(struct record record)
{
    int64_t sum = record.id;
    for (int i = 0; i < 4; i++)
        sum += record.scores[i];
    record.scores[0] = 99; // the caller must not see this
    return sum;
}

static struct record renamed(struct record record, const char *name, int shift)
{
    strncpy(record.name, name, sizeof record.name - 1);
    record.id *= shift & 3;
    return record;
}

static struct record through(int depth, struct record record, int extra, struct record other)
{
    if (depth == 0)
        return extra & 1 ? other : record;
    record.scores[depth & 3] += extra;
    return through(depth - 1, other, extra + 1, record);
}

int main(void)
{
    read_input();
    struct record record = {.id = s16(0), .name = "first"};
    for (unsigned i = 0; i < 4; i++)
        record.scores[i] = s8(2 + i) * (int)(i + 1);
    show("total", total(record));
    expect(record.scores[0] == s8(2));
    struct record second = renamed(record, "second", 1);
    second.id = (int)((unsigned)second.id & 0xffff);
    show("renamed", second.name[0] + second.id);
    struct record last = through(u8(8) & 7, record, u8(9), second);
    show("through", total(last));
    struct record copies[3] = {record, second, last};
    copies[u8(10) % 3].scores[2] = s16(12);
    struct record chosen = copies[u8(11) % 3];
    show("chosen", total(chosen));
    return finish();
}
