/* What the benchmark programs share: stdin, and how often to do the work.
 *
 * The first argument says how many rounds of work are done on the data (default 1). Each round depends on the
 * result of the one before, so that none of them can be optimised away. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_DATA 4096

static uint32_t work(const unsigned char *data, size_t size, uint32_t seed);

int main(int argc, char **argv)
{
    static unsigned char data[MOST_DATA + 1];
    size_t size = 0;
    ssize_t got;
    while (size < MOST_DATA && (got = read(0, data + size, MOST_DATA - size)) > 0)
        size += (size_t)got;
    long rounds = argc > 1 ? atol(argv[1]) : 1;
    uint32_t result = 0;
    for (long i = 0; i < rounds; i++)
        result = work(data, size, result) + (uint32_t)i;
    printf("%u\n", result);
    return 0;
}

#endif
