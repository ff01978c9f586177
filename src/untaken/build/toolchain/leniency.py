"""What the user's own compiler accepts with a warning, the front end accepts with a warning, too.

Old C declares functions by calling them and mixes integers with pointers. gcc before 14 and clang before 16 warn;
newer ones refuse. Programs are written for the compiler of their system, so that one is asked, once.
"""

from __future__ import annotations

from collections.abc import Sequence

from untaken.build.storage import remembered
from untaken.build.toolchain.compilers import FrontEnd, Kind, identity, linker

# clang's names for what is questionable, each with a program that does nothing else.
_QUESTIONABLE = {
    "implicit-function-declaration": "int f(void) { return g(); }",
    "implicit-int": "f(void) { return 0; }",
    "int-conversion": "char *f(int x) { return x; }",
    "incompatible-pointer-types": "int *f(char *x) { return x; }",
    "incompatible-function-pointer-types": "int f(int x); int (*g)(char *) = f;",
    "return-mismatch": "int f(void) { return; }",
}
_FIRST_WITH_RETURN_MISMATCH = 19  # before, it was a part of return-type


def lenient_options(compiler: FrontEnd, words: Sequence[str] = ()) -> list[str]:
    """Goes before the user's own options (`words`), so that what they make an error stays one."""
    strictness = [word for word in words if word in ("-Werror", "-Wno-error")]
    if strictness[-1:] == ["-Werror"] or "-pedantic-errors" in words:
        return []
    return [f"-Wno-error={_name(compiler, what)}" for what in _accepted()]


def _name(compiler: FrontEnd, what: str) -> str:
    older = what == "return-mismatch" and compiler.version < _FIRST_WITH_RETURN_MISMATCH
    return "return-type" if older else what


def _accepted() -> list[str]:
    """What the system's compiler only warns about; everything, where there is none."""
    system = linker()
    if system.kind is not Kind.SYSTEM:
        return list(_QUESTIONABLE)
    path = system.command[0]
    return (remembered("leniency", identity(path), lambda: _ask(path)) or "").split()


def _ask(path: str) -> str:
    import subprocess

    def accepts(program: str) -> bool:
        command = [path, "-w", "-fsyntax-only", "-x", "c", "-"]
        return subprocess.run(command, input=program.encode(), capture_output=True, check=False).returncode == 0

    return " ".join(what for what, program in _QUESTIONABLE.items() if accepts(program))
