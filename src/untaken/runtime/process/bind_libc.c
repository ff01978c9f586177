/* The runtime's own calls of the C library (build/library/private_names.py): each gets the library's function, also
 * where the program has one of that name. Only in programs that are linked with a shared C library. */
#define _GNU_SOURCE
#include "process/process.h"

#include <dlfcn.h>

struct call {
    const char *name;
    void **slot;
};
/* Up to one without a name. There is none where the runtime was not built by build/library/runtime.py. */
extern const struct call libc_for_untaken[] __attribute__((weak, visibility("hidden")));

/* A sanitizer's functions stand before those of the library, and have to see what the runtime does. */
void untaken_bind_libc(void) {
    for (const struct call *call = libc_for_untaken; call != NULL && call->name != NULL && !untaken_is_sanitized(); call++) {
        void *function = dlsym(RTLD_NEXT, call->name);
        if (function != NULL) {
            *call->slot = function;
        }
    }
}
