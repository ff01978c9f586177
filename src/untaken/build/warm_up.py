"""Everything that a call of the compiler may need, loaded ahead: for a process that makes many."""

from __future__ import annotations

from importlib import import_module

# The driver, and what it and those that it calls import only where it is needed.
_LATE = (
    "build.driver",
    "build.inline_bodies",
    "build.library.models.table",
    "build.library.own_functions",
    "build.library.runtime",
    "build.objects.origin",
    "build.objects.own_builds",
    "build.toolchain.linker",
    "visible_text",
)


def load_all() -> None:
    """Loads modules, and has LLVM make what it makes once in a process."""
    for name in _LATE:
        import_module(f"untaken.{name}")
    from untaken.build import llvm

    llvm.warm_up()
