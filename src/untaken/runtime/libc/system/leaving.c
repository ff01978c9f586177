/* Models of how a program leaves at once, as shells do: no handler is called and no stream is flushed. The process may
 * have another run (process/reuse.c). */
#define _GNU_SOURCE
#include "libc/model.h"
#include "process/process.h"

#include <setjmp.h>
#include <stdlib.h>

_Noreturn void untaken_model__exit(int code) { untaken_leave_at_once(code); }

_Noreturn void untaken_model__Exit(int code) { untaken_leave_at_once(code); }

/* Its function is told the code that the program ends with, by the C library. */
int untaken_model_on_exit(void (*function)(int, void *), void *argument) {
    if (model_begin(SELF(on_exit), NULL, 0)) {
        untaken_count_external("on_exit");
        model_end_concrete(SELF(on_exit));
    }
    return on_exit(function, argument);
}

/* ---- Jumps: a setjmp returns what longjmp is given, but 1 in the place of 0 ---- */

static void jump_with(void *self, const void *environment, int value) {
    untaken_label labels[2];
    if (!model_begin(self, labels, 2))
        return;
    term given = model_argument(labels[1], 32, (uint32_t)value);
    model_pin_pointer(labels[0], environment);
    untaken_jump_with(term_ite(term_equals(given, 0), term_constant(32, 1), given).label);
    model_end_concrete(self);
}

#define JUMP_MODEL(function, environment)                                                                          \
    _Noreturn void untaken_model_##function(environment to, int value) {                                           \
        jump_with(SELF(function), to, value);                                                                      \
        function(to, value);                                                                                       \
    }

_Noreturn void __longjmp_chk(jmp_buf to, int value);

JUMP_MODEL(longjmp, jmp_buf)
JUMP_MODEL(_longjmp, jmp_buf)
JUMP_MODEL(siglongjmp, sigjmp_buf)
JUMP_MODEL(__longjmp_chk, jmp_buf)
