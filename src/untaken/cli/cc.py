"""`untaken cc` and `untaken-cc`: the drop-in C compiler. Nothing is imported here that it can do without."""

from __future__ import annotations

import sys
from collections.abc import Sequence

HELP = """usage: untaken cc [OPTIONS OF gcc OR clang] FILE...

Compiles and links C with the instrumentation that `untaken run` needs. It takes the place of the compiler:

  untaken cc -O2 program.c -o program      one program
  CC="untaken cc" ./configure && make      a whole project; `untaken-cc` is the same in one word
  CXX="untaken cc --driver-mode=g++"       where C++ is linked in: compiled, but not instrumented

A program that is built so and started by hand behaves as the plain one does. `untaken run ./program` explores it.

Options that work against the instrumentation (-flto, --coverage, -pg) are left out. -fsanitize=address and
-fsanitize=undefined work with it; other sanitizers are refused, and so are targets other than x86-64 Linux. What the
system's own compiler only warns about is a warning here, too.

Settings, from the environment:

  UNTAKEN_CLANG      the clang to use (14 to 22), or `zig` for the one in the ziglang wheel
  UNTAKEN_CHECK=1    the program compares each value that the runtime computes with its own; slower
  UNTAKEN_RESIDENT   seconds (10) that a process waits for further calls, with everything loaded; 0: none is begun
  XDG_CACHE_HOME     the compiled runtime is kept in untaken/ below it, and Python's modules if nowhere else
  TMPDIR             where temporary files go

All other options go to clang, whose own --help lists them; `untaken doctor` shows which clang it is."""


def run(arguments: Sequence[str]) -> int:
    """Compiles and links as the command line says."""
    if list(arguments) in (["--help"], ["-h"]):
        print(HELP)
        return 0
    from untaken.cli.bytecode import keep_bytecode

    keep_bytecode()
    from untaken.build.driver import compile_and_link

    return compile_and_link(arguments)


def main() -> int:
    """The command of scripts that an earlier version installed; today's begin with `start.py`."""
    from untaken.cli.main import guarded

    return guarded(run, sys.argv[1:])
