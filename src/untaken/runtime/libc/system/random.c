/* Models of what draws real random numbers: in a run they are the same for the same input, as the clock is. */
#define _GNU_SOURCE
#include "libc/system/random.h"
#include "libc/system/clock.h"
#include "memory/memory.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* Not in every C library; where the program calls them, they are there. */
extern uint32_t arc4random(void) __attribute__((weak));
extern void arc4random_buf(void *, size_t) __attribute__((weak));
extern uint32_t arc4random_uniform(uint32_t) __attribute__((weak));

static uint64_t drawn; /* so far; a run is a process of its own */

static uint64_t draw(void) {
    uint64_t mixed = __atomic_add_fetch(&drawn, 0x9e3779b97f4a7c15ull, __ATOMIC_RELAXED);
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9ull;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebull;
    return mixed ^ mixed >> 31;
}

static void draw_bytes(void *to, size_t size) {
    uint8_t *bytes = to;
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)draw();
    }
}

static void fill(void *to, size_t size) {
    draw_bytes(to, size);
    if (runtime_begin()) {
        untaken_memory_clear(to, size);
        runtime_leave();
    }
}

ssize_t untaken_model_getrandom(void *to, size_t size, unsigned flags) {
    if (!clock_is_ours())
        return getrandom(to, size, flags);
    fill(to, size);
    return (ssize_t)size;
}

int untaken_model_getentropy(void *to, size_t size) {
    if (!clock_is_ours() || size > 256)
        return getentropy(to, size);
    fill(to, size);
    return 0;
}

void untaken_model_arc4random_buf(void *to, size_t size) {
    if (!clock_is_ours())
        arc4random_buf(to, size);
    else
        fill(to, size);
}

uint32_t untaken_model_arc4random(void) { return clock_is_ours() ? (uint32_t)draw() : arc4random(); }

uint32_t untaken_model_arc4random_uniform(uint32_t bound) {
    if (!clock_is_ours())
        return arc4random_uniform(bound);
    return bound < 2 ? 0 : (uint32_t)(draw() % bound);
}

/* ---- /dev/urandom ---- */

static bool any_opened; /* most programs have no such file, and most reads are of others */

bool is_random_file(const char *name) {
    return clock_is_ours() && (strcmp(name, "/dev/urandom") == 0 || strcmp(name, "/dev/random") == 0);
}

void random_file_opened(void) {
    any_opened = true;
    __untaken_note_gap(UNTAKEN_GAP_CHANCE);
}

/* By what the descriptor is now: the file may have been closed since. */
static bool is_chance(int descriptor) {
    struct stat status;
    int saved = errno;
    bool known = fstat(descriptor, &status) == 0 && S_ISCHR(status.st_mode);
    errno = saved;
    return known && (status.st_rdev == makedev(1, 8) || status.st_rdev == makedev(1, 9));
}

void random_file_read(int descriptor, void *to, ssize_t size) {
    if (any_opened && size > 0 && is_chance(descriptor))
        draw_bytes(to, (size_t)size);
}

static ssize_t read_cookie(void *cookie, char *to, size_t size) {
    (void)cookie;
    draw_bytes(to, size);
    return (ssize_t)size;
}

FILE *random_file_stream(void) {
    __untaken_note_gap(UNTAKEN_GAP_CHANCE);
    return fopencookie(NULL, "r", (cookie_io_functions_t){.read = read_cookie});
}
