/* How the runtime comes to life.
 *
 * First, before any constructor, also those of shared objects: the shadow is mapped, since instrumented code
 * looks at tags from its first instruction on. Last, after the constructors of all shared objects and, as this
 * file is linked after the program's own, of the program: the fork server starts. What constructors
 * did is there in every run; they are not recorded, and an input they ask for is all zeros. The other way
 * round each run would pay for them again. Programs that do much more before they look at their input have a server that
 * starts even later, see process/prologue.c. */
#include "input/input.h"
#include "memory/memory.h"
#include "process/process.h"
#include "trace/trace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

#define FRAME_GROWTH 8
#define WIDEST_STACK (100ull << 20)

extern const uint8_t __start_untaken_ids[] __attribute__((weak, visibility("hidden")));
extern const uint8_t __stop_untaken_ids[] __attribute__((weak, visibility("hidden")));
extern const struct untaken_global __start_untaken_globals[] __attribute__((weak, visibility("hidden")));
extern const struct untaken_global __stop_untaken_globals[] __attribute__((weak, visibility("hidden")));

static _Noreturn void refuse(const char *why) {
    ssize_t written = write(STDERR_FILENO, why, strlen(why));
    _exit(written < 0 ? 3 : 2);
}

/* Without the C library: the program may have functions in its place, and those need what is mapped here. */
static bool map_fixed(uint64_t base, uint64_t size) {
    register long flags __asm__("r10") = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    register long descriptor __asm__("r8") = -1;
    register long offset __asm__("r9") = 0;
    uint64_t memory;
    __asm__ volatile("syscall"
                     : "=a"(memory)
                     : "a"(SYS_mmap), "D"(base), "S"(size), "d"((long)(PROT_READ | PROT_WRITE)), "r"(flags),
                       "r"(descriptor), "r"(offset)
                     : "rcx", "r11", "memory");
    return memory == base;
}

static void advise(uint64_t base, uint64_t size) {
    madvise((void *)(uintptr_t)base, size, MADV_DONTDUMP);
    madvise((void *)(uintptr_t)base, size, MADV_NOHUGEPAGE); /* a label here and there must not cost 2 MiB each */
}

static void reserve_shadow(void) {
    bool reserved = map_fixed(UNTAKEN_TAG_BASE, UNTAKEN_TAG_SIZE) &&
                    map_fixed(UNTAKEN_SHADOW_BASE, UNTAKEN_SHADOW_SIZE);
    if (untaken_bind_libc != NULL) {
        untaken_bind_libc();
    }
    if (!reserved) {
        refuse("untaken: cannot reserve shadow memory (36 TiB of address space); raise `ulimit -v`, and set "
               "vm.overcommit_memory to 0 or 1\n");
    }
    advise(UNTAKEN_TAG_BASE, UNTAKEN_TAG_SIZE);
    advise(UNTAKEN_SHADOW_BASE, UNTAKEN_SHADOW_SIZE);
}

/* Takes NAME=VALUE out of the environment: the program and what it starts see it as it was. */
static const char *take_variable(char **environment, const char *name) {
    size_t length = strlen(name);
    for (; *environment != NULL; environment++) {
        if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=') {
            const char *value = *environment + length + 1;
            for (; *environment != NULL; environment++) {
                environment[0] = environment[1];
            }
            return value;
        }
    }
    return NULL;
}

static struct untaken_shared *map_shared(int fd) {
    struct stat status;
    if (fstat(fd, &status) != 0 || (uint64_t)status.st_size < sizeof(struct untaken_shared)) {
        refuse("untaken: the shared memory named in " UNTAKEN_ENV " cannot be used; start the program through "
               "untaken, or by hand without that variable\n");
    }
    void *memory = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) {
        refuse("untaken: cannot map the shared memory of the trace; is there enough memory?\n");
    }
    untaken_server_trace(status.st_ino);
    close(fd);
    return memory;
}

static void connect_driver(const char *descriptors) {
    int shm, control, status, snapshot;
    if (sscanf(descriptors, "%d,%d,%d,%d", &shm, &control, &status, &snapshot) != 4) {
        refuse("untaken: " UNTAKEN_ENV " must hold four descriptor numbers\n");
    }
    struct untaken_shared *shared = map_shared(shm);
    if (shared->magic != UNTAKEN_MAGIC || shared->abi_version != UNTAKEN_ABI_VERSION) {
        refuse("untaken: this program was built by another version of untaken; build it again\n");
    }
    untaken_attach(shared);
    untaken_run_descriptors(control, status, snapshot);
    untaken_run_prepare();
    untaken_objects_start();
}

/* Frames of instrumented code are about five times as large, and recursion must still go as deep. The kernel keeps at
 * least 128 MiB free below the stack of the main thread. */
static void widen_stack(void) {
    struct rlimit stack;
    if (getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur < WIDEST_STACK) {
        rlim_t wanted = stack.rlim_cur * FRAME_GROWTH < WIDEST_STACK ? stack.rlim_cur * FRAME_GROWTH : WIDEST_STACK;
        stack.rlim_cur = wanted < stack.rlim_max ? wanted : stack.rlim_max;
        setrlimit(RLIMIT_STACK, &stack);
    }
}

static void start_early(int argc, char **argv, char **environment) {
    (void)argc;
    (void)argv;
    reserve_shadow();
    widen_stack();
    const char *descriptors = take_variable(environment, UNTAKEN_ENV);
    if (descriptors != NULL) {
        (void)take_variable(environment, "LD_BIND_NOW"); /* the driver's: forked runs need not look names up */
        connect_driver(descriptors);
    }
    /* The executable's ids come first, whatever the order of constructors. */
    __untaken_register_image(__start_untaken_ids, __stop_untaken_ids, __start_untaken_globals,
                             __stop_untaken_globals);
    errno = 0;
}

/* The linker takes this file from the archive because trace/images.c names this symbol. */
__attribute__((section(".preinit_array"), used)) void (*const untaken_startup)(int, char **, char **) = start_early;

/* main finds errno as the program's own constructors left it. */
__attribute__((constructor)) static void start_late(int argc, char **argv) {
    int left = errno;
    if (untaken_shared == NULL) {
        untaken_input_by_hand(getenv("UNTAKEN_INPUT"));
    }
    untaken_sources_start(argc, argv);
    if (untaken_shared != NULL) {
        untaken_images_number(__start_untaken_ids);
        untaken_server_prepare();
        if (untaken_shared->prologue_once != 0) {
            untaken_prologue_begin();
        } else {
            untaken_server();
        }
    }
    errno = left;
}
