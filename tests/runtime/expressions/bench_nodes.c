/* Prints how many nanoseconds an expression node costs: fresh ones, and found again in the next run. By hand:
 *
 *     cc -O2 -std=gnu11 -Isrc/untaken/runtime -Itests/runtime -o /tmp/bench_nodes tests/runtime/expressions/bench_nodes.c \
 *         tests/runtime/harness.c $(find src/untaken/runtime -name '*.c' ! -path '*libc/*' ! -name native.c \
 *         ! -name fuzzer_main.c) -lpthread && /tmp/bench_nodes
 */
#include "harness.h"
#include "steps.h"

#include <time.h>

#define NODES 1000000u

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time); /* other work on the machine must not count */
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* sum += i; with a symbolic sum and a constant, or with a symbolic addend. */
static double chain(bool constant, unsigned count) {
    begin();
    term byte = input_byte(0), other = term_extend(UNTAKEN_OP_ZEXT, input_byte(1), 32);
    term sum = term_extend(UNTAKEN_OP_ZEXT, byte, 32);
    untaken_label label = sum.label;
    uint64_t value = sum.value;
    double start = now();
    for (unsigned i = 0; i < count; i++) {
        uint32_t op = i & 1 ? UNTAKEN_OP_ADD : UNTAKEN_OP_XOR;
        uint64_t addend = constant ? i % 100 + 1 : other.value;
        uint64_t result = (i & 1 ? value + addend : value ^ addend) & 0xffffffff;
        label = ask_binary(op | 32 << 8, label, constant ? 0 : other.label, value, addend, result);
        value = result;
    }
    double spent = now() - start;
    CHECK(label != 0 && untaken_shared->cut_off == 0 && untaken_value(label) == value);
    return spent / count;
}

static double least(double a, double b) { return a < b ? a : b; }

/* The best of a few rounds; the table is cleared before each, so that "fresh" is new nodes in used memory. */
static void measure(bool constant, unsigned count) {
    double fresh = 1e9, again = 1e9;
    for (unsigned round = 0; round < 5; round++) {
        untaken_shared->node_count = 0;
        fresh = least(fresh, chain(constant, count));
        again = least(again, chain(constant, count));
    }
    printf("%7u nodes, %s: %.1f ns fresh, %.1f ns found again\n", count,
           constant ? "node and constant" : "node and node", fresh, again);
}

int main(void) {
    struct sizes sizes = usual_sizes;
    sizes.nodes = 1 << 23;
    sizes.slots = 1 << 26;
    start(&sizes);
    set_input(0, 7);
    set_input(1, 3);
    const unsigned counts[] = {1000, 100000, NODES};
    for (unsigned i = 0; i < 3; i++) {
        measure(true, counts[i]);
        measure(false, counts[i]);
    }
    return 0;
}
