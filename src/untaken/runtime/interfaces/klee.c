/* The public interface of klee/klee.h. */
#include "include/klee/klee.h"
#include "abi.h"
#include "interfaces/primitives.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void klee_make_symbolic(void *object, size_t size, const char *name) {
    untaken_fill(object, size, UNTAKEN_FIELD_BYTES, name);
}

int klee_int(const char *name) {
    int value;
    untaken_fill(&value, sizeof value, UNTAKEN_FIELD_SIGNED, name);
    int result = value;
    untaken_answer((void *)klee_int, &value, sizeof value);
    return result;
}

int klee_range(int begin, int end, const char *name) {
    int value;
    untaken_fill(&value, sizeof value, UNTAKEN_FIELD_SIGNED, name);
    uint32_t count = begin < end ? (uint32_t)end - (uint32_t)begin : 0;
    untaken_require_range(&value, sizeof value, (uint32_t)begin, count);
    int result = value;
    untaken_answer((void *)klee_range, &value, sizeof value);
    return result;
}

uintptr_t klee_choose(uintptr_t count) {
    uintptr_t value;
    untaken_fill(&value, sizeof value, UNTAKEN_FIELD_UNSIGNED, "klee_choose");
    untaken_require_range(&value, sizeof value, 0, count);
    uintptr_t result = value;
    untaken_answer((void *)klee_choose, &value, sizeof value);
    return result;
}

void klee_assume(uintptr_t condition) { untaken_require((void *)klee_assume, 0, condition); }

unsigned klee_is_symbolic(uintptr_t value) {
    (void)value;
    return untaken_has_label((void *)klee_is_symbolic);
}

unsigned klee_is_replay(void) { return untaken_is_replay(); }

void klee_silent_exit(int status) {
    (void)status;
    untaken_reject();
}

void klee_abort(void) { untaken_fail("klee_abort"); }

void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
    char text[512];
    snprintf(text, sizeof text, "%s:%d: %s (%s)", file, line, message, suffix);
    untaken_fail(text);
}

int klee_get_errno(void) { return errno; }

static uint64_t double_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t float_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

#define CONCRETE_VALUE(function, type, bits)                \
    type function(type value) {                             \
        untaken_keep_value((void *)function, (bits)(value)); \
        return value;                                       \
    }

CONCRETE_VALUE(klee_get_valuef, float, float_bits)
CONCRETE_VALUE(klee_get_valued, double, double_bits)
CONCRETE_VALUE(klee_get_valuel, long, uint64_t)
CONCRETE_VALUE(klee_get_valuell, long long, uint64_t)
CONCRETE_VALUE(klee_get_value_i32, int32_t, uint32_t)
CONCRETE_VALUE(klee_get_value_i64, int64_t, uint64_t)

/* ---- Advice that changes nothing here ---- */

void klee_prefer_cex(void *object, uintptr_t condition) {
    (void)object;
    (void)condition;
}

void klee_posix_prefer_cex(void *object, uintptr_t condition) {
    (void)object;
    (void)condition;
}

void klee_mark_global(void *object) { (void)object; }

void klee_open_merge(void) {}

void klee_close_merge(void) {}

void klee_set_forking(unsigned enable) { (void)enable; }

void klee_check_memory_access(const void *address, size_t size) {
    (void)address;
    (void)size;
}

void klee_print_expr(const char *message, ...) { (void)message; }

void klee_print_range(const char *name, int value) {
    (void)name;
    (void)value;
}

void klee_warning(const char *message) { (void)message; }

void klee_warning_once(const char *message) { (void)message; }

void klee_stack_trace(void) {}
