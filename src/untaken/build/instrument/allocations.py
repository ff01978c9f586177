"""Allocations that may fail as the input says (--fail-malloc): before each, the code writes down where it is."""

from __future__ import annotations

import os

from untaken.build.instrument.calls import CallContext
from untaken.build.instrument.writing.writer import FunctionWriter
from untaken.build.ir.instructions import CallInstruction
from untaken.model.program import Location

# Variables of build/library/allocations/failing.untaken.c; weak, since exported tests do without that.
_FILE, _LINE = "@untaken_allocation_file", "@untaken_allocation_line"
DECLARATIONS = (f"{_FILE} = weak global ptr null", f"{_LINE} = weak global i32 0")


def may_fail(instruction: CallInstruction) -> bool:
    """Whether a call is of one of the functions in that file."""
    return instruction.callee.startswith("@untaken_failing_")


def note_place(writer: FunctionWriter, place: Location, context: CallContext) -> None:
    """So that the field of the input can be named after it."""
    context.allocates = True
    file = context.strings.name(os.path.basename(place.file).encode(errors="surrogateescape"))
    writer.emit(f"  store ptr {file}, ptr {_FILE}, align 8")
    writer.emit(f"  store i32 {place.line}, ptr {_LINE}, align 4")
