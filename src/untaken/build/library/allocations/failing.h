/* For --fail-malloc: read before everything else. Calls of these functions, and their addresses, become those of
 * failing.untaken.c; members of structs with these names stay what they are. */
#ifndef UNTAKEN_FAILING_H
#define UNTAKEN_FAILING_H

#define UNTAKEN_FAILING(function) __asm__("untaken_failing_" #function)

extern void *malloc(__SIZE_TYPE__) UNTAKEN_FAILING(malloc);
extern void *calloc(__SIZE_TYPE__, __SIZE_TYPE__) UNTAKEN_FAILING(calloc);
extern void *realloc(void *, __SIZE_TYPE__) UNTAKEN_FAILING(realloc);
extern void *reallocarray(void *, __SIZE_TYPE__, __SIZE_TYPE__) UNTAKEN_FAILING(reallocarray);
extern void *aligned_alloc(__SIZE_TYPE__, __SIZE_TYPE__) UNTAKEN_FAILING(aligned_alloc);
extern int posix_memalign(void **, __SIZE_TYPE__, __SIZE_TYPE__) UNTAKEN_FAILING(posix_memalign);
extern char *strdup(const char *) UNTAKEN_FAILING(strdup);
extern char *strndup(const char *, __SIZE_TYPE__) UNTAKEN_FAILING(strndup);

#endif
