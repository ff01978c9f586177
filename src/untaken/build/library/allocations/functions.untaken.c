/* The functions that failing.h renames, for who defines `static int fails(void)` before: whether the next one fails. A
 * function that the program defines itself is its own, since these are weak. */
#include <errno.h>
#include <stddef.h>

static int failed(void) {
    if (!fails())
        return 0;
    errno = ENOMEM;
    return 1;
}

extern void *real_malloc(size_t size) __asm__("malloc");
__attribute__((weak)) void *failing_malloc(size_t size) __asm__("untaken_failing_malloc");
void *failing_malloc(size_t size) { return failed() ? NULL : real_malloc(size); }

extern void *real_calloc(size_t count, size_t size) __asm__("calloc");
__attribute__((weak)) void *failing_calloc(size_t count, size_t size) __asm__("untaken_failing_calloc");
void *failing_calloc(size_t count, size_t size) { return failed() ? NULL : real_calloc(count, size); }

extern void *real_realloc(void *old, size_t size) __asm__("realloc");
__attribute__((weak)) void *failing_realloc(void *old, size_t size) __asm__("untaken_failing_realloc");
void *failing_realloc(void *old, size_t size) { return failed() ? NULL : real_realloc(old, size); }

extern void *real_reallocarray(void *old, size_t count, size_t size) __asm__("reallocarray");
__attribute__((weak)) void *failing_reallocarray(void *old, size_t count, size_t size) __asm__("untaken_failing_reallocarray");
void *failing_reallocarray(void *old, size_t count, size_t size) { return failed() ? NULL : real_reallocarray(old, count, size); }

extern void *real_aligned_alloc(size_t alignment, size_t size) __asm__("aligned_alloc");
__attribute__((weak)) void *failing_aligned_alloc(size_t alignment, size_t size) __asm__("untaken_failing_aligned_alloc");
void *failing_aligned_alloc(size_t alignment, size_t size) { return failed() ? NULL : real_aligned_alloc(alignment, size); }

extern char *real_strdup(const char *text) __asm__("strdup");
__attribute__((weak)) char *failing_strdup(const char *text) __asm__("untaken_failing_strdup");
char *failing_strdup(const char *text) { return failed() ? NULL : real_strdup(text); }

extern char *real_strndup(const char *text, size_t most) __asm__("strndup");
__attribute__((weak)) char *failing_strndup(const char *text, size_t most) __asm__("untaken_failing_strndup");
char *failing_strndup(const char *text, size_t most) { return failed() ? NULL : real_strndup(text, most); }

extern int real_posix_memalign(void **block, size_t alignment, size_t size) __asm__("posix_memalign");
__attribute__((weak)) int failing_posix_memalign(void **block, size_t alignment, size_t size)
    __asm__("untaken_failing_posix_memalign");
int failing_posix_memalign(void **block, size_t alignment, size_t size) {
    return fails() ? ENOMEM : real_posix_memalign(block, alignment, size); /* errno is left alone */
}
