"""`untaken cc` and `untaken-cc`: the drop-in C compiler. Nothing is imported here that it can do without."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def run(arguments: Sequence[str]) -> int:
    """Compiles and links as the command line says."""
    from untaken.build.driver import compile_and_link

    return compile_and_link(arguments)


def main() -> int:
    """The `untaken-cc` command, for build tools that want a compiler of one word."""
    from untaken.cli.main import guarded

    return guarded(run, sys.argv[1:])
