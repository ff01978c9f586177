"""Names in the runtime that no program has: of what it calls in the C library, and of its own functions.

A program may define any of them itself, `read` say, and the linker would give it to the runtime, too. So the objects
of the runtime call these functions by names of our own. Behind each is a jump to what its slot says, which is the
function of the usual name at first; before the program starts, runtime/process/bind_libc.c looks each up in the C
library alone.

What parts of the runtime call of each other has short names, `scan` say, which programs have, too. It gets names of our
own as well. What programs and instrumented code use stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from untaken.build.objects.symbols import called_functions, defined_functions, global_symbols, with_names

PREFIX = "libc_for_untaken_"  # not as the names that are exported
OWN_PREFIX = "runtime_of_untaken_"
_INTERFACES = ("untaken_", "__untaken_", "klee_", "__VERIFIER_", "__Crest")
# In the part of the C library that is linked into each program: there is no other to be found.
_LINKED_IN = frozenset(("atexit", "at_quick_exit", "pthread_atfork"))
_OF_PROGRAM = frozenset(("LLVMFuzzerTestOneInput", "LLVMFuzzerInitialize", "main", "reach_error"))
_ITSELF = frozenset(("dlsym", "__tls_get_addr"))  # what finds the others


def with_private_names(objects: Mapping[str, bytes]) -> tuple[dict[str, bytes], list[str]]:
    """The objects with names that no program has, and the functions of others that they call."""
    own = {name for data in objects.values() for name in defined_functions(data)}
    called = {name for data in objects.values() for name in called_functions(data)} - own
    called -= _LINKED_IN | _OF_PROGRAM | _ITSELF
    names = {name: PREFIX + name for name in called} | _own_names(objects.values())
    return {stem: with_names(data, names) for stem, data in objects.items()}, sorted(called)


def _own_names(objects: Iterable[bytes]) -> dict[str, str]:
    defined = {name for data in objects for name in global_symbols(data)} - _OF_PROGRAM
    return {name: OWN_PREFIX + name for name in defined if not name.startswith(_INTERFACES)}


def jumps(names: Iterable[str]) -> str:
    """The C source of the jumps, their slots, and the table of all of them."""
    chosen = list(names)
    lines = [line for name in chosen for line in _jump(name)]
    lines += [r".section .data.rel.ro, \"aw\", @progbits", ".p2align 3"]
    lines += [".globl libc_for_untaken", ".hidden libc_for_untaken", "libc_for_untaken:"]
    lines += [f".quad .Luntaken_name_{name}, .Luntaken_slot_{name}" for name in chosen]
    lines += [".quad 0, 0", ".text"]
    text = "\n".join(f'    "{line}\\n"' for line in lines)
    return f"__asm__(\n{text});\n"


def _jump(name: str) -> list[str]:
    symbol = PREFIX + name
    return [
        ".text",
        f".globl {symbol}",
        f".hidden {symbol}",
        f".type {symbol}, @function",
        f"{symbol}: jmp *.Luntaken_slot_{name}(%rip)",
        f".size {symbol}, . - {symbol}",
        ".data",
        ".p2align 3",
        f".Luntaken_slot_{name}: .quad {name}",
        ".section .rodata",
        f'.Luntaken_name_{name}: .asciz \\"{name}\\"',
    ]
