/* For programs written for KLEE, unchanged. */
#ifndef UNTAKEN_KLEE_H
#define UNTAKEN_KLEE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Any object, or any part of one. */
void klee_make_symbolic(void *object, size_t size, const char *name);
int klee_range(int begin, int end, const char *name); /* begin <= result < end */
int klee_int(const char *name);
uintptr_t klee_choose(uintptr_t count); /* result < count */
void klee_assume(uintptr_t condition);
unsigned klee_is_symbolic(uintptr_t value);
unsigned klee_is_replay(void);
#ifdef __cplusplus
#define UNTAKEN_NORETURN [[noreturn]]
#else
#define UNTAKEN_NORETURN _Noreturn
#endif
UNTAKEN_NORETURN void klee_silent_exit(int status);
UNTAKEN_NORETURN void klee_abort(void);
UNTAKEN_NORETURN void klee_report_error(const char *file, int line, const char *message, const char *suffix);
int klee_get_errno(void);

/* The concrete value of this run, from here on. */
float klee_get_valuef(float value);
double klee_get_valued(double value);
long klee_get_valuel(long value);
long long klee_get_valuell(long long value);
int32_t klee_get_value_i32(int32_t value);
int64_t klee_get_value_i64(int64_t value);

/* Advice that changes nothing here. */
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_posix_prefer_cex(void *object, uintptr_t condition);
void klee_mark_global(void *object);
void klee_open_merge(void);
void klee_close_merge(void);
void klee_set_forking(unsigned enable);
void klee_check_memory_access(const void *address, size_t size);
void klee_print_expr(const char *message, ...);
void klee_print_range(const char *name, int value);
void klee_warning(const char *message);
void klee_warning_once(const char *message);
void klee_stack_trace(void);

#define klee_assert(condition) \
    ((condition) ? (void)0 : klee_report_error(__FILE__, __LINE__, "ASSERTION FAIL: " #condition, "assert"))

#ifdef __cplusplus
}
#endif
#endif
