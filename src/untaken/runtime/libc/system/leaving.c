/* Models of how a program leaves at once, as shells do: no handler is called and no stream is flushed. The process may
 * have another run (process/reuse.c). */
#include "process/process.h"

_Noreturn void untaken_model__exit(int code) { untaken_leave_at_once(code); }

_Noreturn void untaken_model__Exit(int code) { untaken_leave_at_once(code); }
