/* The functions that failing.h renames, for who defines `static int untaken_fails(void)` before: whether the next one
 * fails. A function that the program defines itself is its own, since these are weak. All names are ours: in exported
 * tests this stands behind the program's own text. */
#include <errno.h>
#include <stddef.h>

static int untaken_failed(void) {
    if (!untaken_fails())
        return 0;
    errno = ENOMEM;
    return 1;
}

extern void *untaken_real_malloc(size_t size) __asm__("malloc");
__attribute__((weak)) void *untaken_failing_malloc(size_t size);
void *untaken_failing_malloc(size_t size) {
    return untaken_failed() ? NULL : untaken_real_malloc(size);
}

extern void *untaken_real_calloc(size_t count, size_t size) __asm__("calloc");
__attribute__((weak)) void *untaken_failing_calloc(size_t count, size_t size);
void *untaken_failing_calloc(size_t count, size_t size) {
    return untaken_failed() ? NULL : untaken_real_calloc(count, size);
}

extern void *untaken_real_realloc(void *old, size_t size) __asm__("realloc");
__attribute__((weak)) void *untaken_failing_realloc(void *old, size_t size);
void *untaken_failing_realloc(void *old, size_t size) {
    return untaken_failed() ? NULL : untaken_real_realloc(old, size);
}

extern void *untaken_real_reallocarray(void *old, size_t count, size_t size) __asm__("reallocarray");
__attribute__((weak)) void *untaken_failing_reallocarray(void *old, size_t count, size_t size);
void *untaken_failing_reallocarray(void *old, size_t count, size_t size) {
    return untaken_failed() ? NULL : untaken_real_reallocarray(old, count, size);
}

extern void *untaken_real_aligned_alloc(size_t alignment, size_t size) __asm__("aligned_alloc");
__attribute__((weak)) void *untaken_failing_aligned_alloc(size_t alignment, size_t size);
void *untaken_failing_aligned_alloc(size_t alignment, size_t size) {
    return untaken_failed() ? NULL : untaken_real_aligned_alloc(alignment, size);
}

extern char *untaken_real_strdup(const char *text) __asm__("strdup");
__attribute__((weak)) char *untaken_failing_strdup(const char *text);
char *untaken_failing_strdup(const char *text) {
    return untaken_failed() ? NULL : untaken_real_strdup(text);
}

extern char *untaken_real_strndup(const char *text, size_t most) __asm__("strndup");
__attribute__((weak)) char *untaken_failing_strndup(const char *text, size_t most);
char *untaken_failing_strndup(const char *text, size_t most) {
    return untaken_failed() ? NULL : untaken_real_strndup(text, most);
}

extern int untaken_real_posix_memalign(void **block, size_t alignment, size_t size) __asm__("posix_memalign");
__attribute__((weak)) int untaken_failing_posix_memalign(void **block, size_t alignment, size_t size);
int untaken_failing_posix_memalign(void **block, size_t alignment, size_t size) {
    return untaken_fails() ? ENOMEM : untaken_real_posix_memalign(block, alignment, size); /* errno is left alone */
}
