/* What every program of the collection shares: 64 bytes of stdin, and how results are shown and checked.
 *
 * Bytes that stdin does not have are zero. `show` prints a value and branches on it, so that its expression
 * ends in a path constraint; `expect` states what must hold for every input. main ends with `return finish();`,
 * whose exit code also depends on all that was shown. */
#ifndef COLLECTION_H
#define COLLECTION_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define INPUT_SIZE 64

__attribute__((unused)) static unsigned char input[INPUT_SIZE];
static unsigned shown_odd;

__attribute__((unused)) static void read_input(void)
{
    size_t have = 0;
    ssize_t got;
    while (have < INPUT_SIZE && (got = read(0, input + have, INPUT_SIZE - have)) > 0)
        have += (size_t)got;
}

#define READER(name, type)                                \
    __attribute__((unused)) static type name(unsigned at) \
    {                                                     \
        type value;                                       \
        memcpy(&value, input + at, sizeof value);         \
        return value;                                     \
    }

READER(s8, int8_t)
READER(u8, uint8_t)
READER(s16, int16_t)
READER(u16, uint16_t)
READER(s32, int32_t)
READER(u32, uint32_t)
READER(s64, int64_t)
READER(u64, uint64_t)

static void show(const char *what, long long value)
{
    if (value & 1)
        shown_odd++;
    printf("%s %lld\n", what, value);
}

__attribute__((unused, noreturn)) static void failed(const char *condition, int line)
{
    printf("line %d: not so: %s\n", line, condition);
    fflush(stdout);
    abort();
}

#define expect(condition) ((condition) ? (void)0 : failed(#condition, __LINE__))

static int finish(void)
{
    show("odd", shown_odd);
    return (int)(shown_odd & 63);
}

#endif
