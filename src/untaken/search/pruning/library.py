"""What a call to code that we cannot see into may lead to: nothing of the program, or anything.

Library code can run code of the program only through a pointer that it was given. Named here are functions that take
none, or forget it; all others count as calling anything.
"""

from __future__ import annotations

# They call back at once, through a pointer that is an argument.
_CALLS_BACK = {"bsearch", "qsort", "qsort_r"}

_OUTPUT = "fflush fprintf fputc fputs fwrite perror printf putc putchar puts setbuf setvbuf vfprintf vprintf"
_CHECKED_OUTPUT = "__fprintf_chk __printf_chk __vfprintf_chk __vprintf_chk dprintf putchar_unlocked write"
_ENDING = "_Exit __stack_chk_fail _exit abort exit quick_exit raise reach_error"
_MATHS = "ceil cos exp fabs floor fmax fmin fmod log log10 log2 pow round sin sqrt tan trunc"
_SYSTEM = "__errno_location clock getcwd getenv getpid getuid isatty rand random remove rename srand srandom time"
_TIME = "asctime ctime difftime gmtime localtime mktime sleep strerror strftime usleep"
_QUIET_PREFIXES = ("untaken_", "__Crest", "klee_", "__VERIFIER_", "llvm.", "__ubsan_", "__asan_")

_QUIET = frozenset(" ".join((_OUTPUT, _CHECKED_OUTPUT, _ENDING, _MATHS, _SYSTEM, _TIME)).split())

# After one of these, code of the program may run at any later time, or go on elsewhere.
LEAVES_BEHIND = frozenset(
    "__cxa_atexit __sigsetjmp _setjmp alarm at_quick_exit atexit bsd_signal clone fopencookie getcontext makecontext "
    "on_exit pthread_atfork pthread_create register_printf_function register_printf_specifier setitimer setjmp "
    "sigaction signal sigset sigsetjmp swapcontext thrd_create timer_create vfork".split()
)


def is_quiet(name: str, modelled: frozenset[str]) -> bool:
    """True if a function of the library by this name runs no code of the program; `modelled` are those that the
    runtime has models of, which are all from the C library."""
    return name in _QUIET or (name in modelled and name not in _CALLS_BACK) or name.startswith(_QUIET_PREFIXES)
