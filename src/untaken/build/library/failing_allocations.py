"""Allocations that fail if the input says so: C that becomes part of the tested program (--fail-malloc).

A header that is read before everything else gives malloc and its relatives other names for the linker, and a file of
ours has functions of these names, which draw a byte of the input each time. So nothing of the runtime takes part, and
the plain build of the program does the same with the same input.
"""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).with_name("allocations")
SOURCE, HEADER = _FOLDER / "failing.untaken.c", _FOLDER / "failing.h"
FUNCTIONS = _FOLDER / "functions.untaken.c"
FLAGS = ("-include", str(HEADER))
FIELD = "allocation "  # what the names of its fields begin with
FAILS = 255  # the byte that makes one fail
