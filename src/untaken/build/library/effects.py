"""What calls to code that we cannot see into do to the program's control flow: marked in the program map, since the
search knows no names of the C library.

Library code can run code of the program only through a pointer that it was given. Named here are functions that take
none, or forget it; all others count as calling anything.
"""

from __future__ import annotations

from collections.abc import Iterable

from untaken.build.library.models.table import MODELS
from untaken.model.program import LibraryEffect

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
_LEAVES_BEHIND = frozenset(
    "__cxa_atexit __sigsetjmp _setjmp alarm at_quick_exit atexit bsd_signal clone fopencookie getcontext makecontext "
    "on_exit pthread_atfork pthread_create register_printf_function register_printf_specifier setitimer setjmp "
    "sigaction signal sigset sigsetjmp swapcontext thrd_create timer_create vfork".split()
)
_ENDS = frozenset(("abort", "exit", "_exit", "_Exit", "quick_exit"))
_ASSUMES = frozenset(("untaken_assume", "klee_assume", "__VERIFIER_assume"))
_REJECTS = "klee_silent_exit"


def effects_of(names: Iterable[str]) -> dict[str, LibraryEffect]:
    """Of those functions that have one."""
    effects = {name: effect_of(name) for name in names}
    return {name: effect for name, effect in effects.items() if effect}


def effect_of(name: str) -> LibraryEffect:
    """What a function of the library by this name does."""
    effect = LibraryEffect(0)
    if _is_quiet(name):
        effect |= LibraryEffect.QUIET
    if name in _LEAVES_BEHIND:
        effect |= LibraryEffect.LEAVES_BEHIND
    if name in _ENDS:
        effect |= LibraryEffect.ENDS
    if name in _ASSUMES:
        effect |= LibraryEffect.ASSUMES
    return effect | LibraryEffect.REJECTS if name == _REJECTS else effect


def _is_quiet(name: str) -> bool:
    """Whether it runs no code of the program. Those that the runtime has models of are all from the C library."""
    return name in _QUIET or (name in MODELS and name not in _CALLS_BACK) or name.startswith(_QUIET_PREFIXES)
