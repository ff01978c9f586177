/* A second, independent meaning of operators and nodes, written over 128-bit integers. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <stdint.h>

uint64_t reference_binary(unsigned op, unsigned width, uint64_t a, uint64_t b);
uint64_t reference_unary(unsigned op, unsigned width, uint64_t a);
uint64_t reference_extend(unsigned op, unsigned from, unsigned to, uint64_t a);
/* Evaluates all nodes for this input into values[]. */
void reference_nodes(const uint8_t *input, uint64_t *values);

#endif
