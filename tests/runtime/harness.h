/* What the tests of the runtime share: a run in this very process, over shared memory of its own. */
#ifndef HARNESS_H
#define HARNESS_H

#include "input/input.h"
#include "memory/memory.h"
#include "process/process.h"
#include "trace/trace.h"
#include "tracking/tracking.h"

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                              \
    do {                                                                              \
        if (!(condition)) {                                                           \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);   \
            exit(1);                                                                  \
        }                                                                             \
    } while (0)

struct sizes {
    uint64_t input, events, constraints, nodes, slots, tables;
};
extern const struct sizes usual_sizes;

/* Fills in the layout at the start of `size` bytes; with null only says how many are needed. */
uint64_t lay_out(struct untaken_shared *shared, const struct sizes *sizes);
void start(const struct sizes *sizes); /* once; also begins the first run */
void begin(void);                      /* a new run */
void set_input(uint64_t index, uint8_t value);
term input_byte(uint64_t index); /* a fresh term of width 8 */
const struct untaken_constraint *constraint(uint64_t index);
const struct untaken_node *node(untaken_label label);

#endif
