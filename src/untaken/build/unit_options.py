"""How one unit of a command line becomes an object: the options for LLVM, and what the program map says of it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from untaken.build.toolchain.command_line import Input, Invocation, Mode

if TYPE_CHECKING:
    from untaken.build.llvm import CodegenOptions

_LEVELS = {"0": 1, "1": 1, "g": 1, "3": 3, "fast": 3}


def codegen_options(invocation: Invocation, source: Input, only_inline: frozenset[str] = frozenset()) -> CodegenOptions:
    """For a source on a command line; `only_inline` are functions that are defined nowhere but inline."""
    from untaken.build.llvm import CodegenOptions
    from untaken.build.objects.origin import origin_of

    return CodegenOptions(
        optimisation=_LEVELS.get(invocation.optimisation, 2),
        may_hurry=not invocation.optimisation,
        pic=invocation.pic,
        check=os.environ.get("UNTAKEN_CHECK") == "1",
        assembly=invocation.mode is Mode.ASSEMBLY,
        source=source.path,
        origin=None if source.path == "-" else origin_of(invocation, source),  # nobody can read it again
        only_inline=only_inline,
    )
