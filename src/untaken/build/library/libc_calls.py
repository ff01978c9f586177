"""How the runtime calls the C library: so that it gets the library's own functions whatever the program defines.

A program may define any of them itself, `read` say, and the linker would give it to the runtime, too. So the objects
of the runtime call these functions by names of our own. Behind each is a jump to what its slot says, which is the
function of the usual name at first; before the program starts, runtime/process/bind_libc.c looks each up in the C
library alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from untaken.build.objects.symbols import called_functions, defined_functions, with_names

PREFIX = "libc_for_untaken_"  # not as the names that are exported
# In the part of the C library that is linked into each program: there is no other to be found.
_LINKED_IN = frozenset(("atexit", "at_quick_exit", "pthread_atfork"))
_OF_PROGRAM = frozenset(("LLVMFuzzerTestOneInput", "LLVMFuzzerInitialize"))
_ITSELF = frozenset(("dlsym", "__tls_get_addr"))  # what finds the others


def private_calls(objects: Mapping[str, bytes]) -> tuple[dict[str, bytes], list[str]]:
    """The objects with names of our own for the functions of others that they call, and which these are."""
    own = {name for data in objects.values() for name in defined_functions(data)}
    called = {name for data in objects.values() for name in called_functions(data)} - own
    called -= _LINKED_IN | _OF_PROGRAM | _ITSELF
    names = {name: PREFIX + name for name in called}
    return {stem: with_names(data, names) for stem, data in objects.items()}, sorted(called)


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
