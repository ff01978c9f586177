"""After calls of library functions: the labels are gone of what they wrote to (build/library/writes.py)."""

from __future__ import annotations

from untaken.build.instrument.writing.writer import FunctionWriter
from untaken.build.ir.instructions import CallInstruction
from untaken.build.ir.syntax import Value
from untaken.build.ir.types import Integer, Pointer
from untaken.build.library.writes import WRITES, Amount, When, Write

_CONDITIONS = {When.ZERO: "eq", When.SOME: "ne", When.NOT_NEGATIVE: "sge"}


def tell_writes(writer: FunctionWriter, call: CallInstruction) -> None:
    """Right behind the call, if it is one of these functions as the library has it."""
    writes = WRITES.get(call.callee.removeprefix("@"))
    if writes is None or call.must_tail:
        return
    for write in writes.places:
        if _fits(call, write):
            place = _place(writer, call, writes.when, call.arguments[write.argument].value)
            _tell(writer, call, write, place)


def _fits(call: CallInstruction, write: Write) -> bool:
    """Whether the arguments are there; a function of the program's own may have the same name."""
    kinds = [argument.value.type for argument in call.arguments]
    named = max(write.argument, write.number if write.amount in (Amount.ARGUMENT, Amount.BEHIND) else 0)
    if named >= len(kinds) or not isinstance(kinds[write.argument], Pointer):
        return False
    match write.amount:
        case Amount.ARGUMENT:
            return isinstance(kinds[write.number], Integer)
        case Amount.BEHIND:
            return isinstance(kinds[write.number], Pointer)
        case Amount.RESULT:
            return isinstance(call.type, Integer)
    return True


def _place(writer: FunctionWriter, call: CallInstruction, when: When, pointer: Value) -> str:
    """The pointer, or null if nothing was written."""
    if when is When.ALWAYS or not call.result:
        return pointer.text
    nothing = "null" if isinstance(call.type, Pointer) else "0"
    wrote = writer.define(f"icmp {_CONDITIONS[when]} {call.type} {call.result}, {nothing}")
    return writer.define(f"select i1 {wrote}, ptr {pointer.text}, ptr null")


def _tell(writer: FunctionWriter, call: CallInstruction, write: Write, place: str) -> None:
    match write.amount:
        case Amount.STRING:
            writer.emit(f"  call void @__untaken_written_string(ptr {place})")
        case Amount.BEHIND:
            size = call.arguments[write.number].value.text
            writer.emit(f"  call void @__untaken_written_behind(ptr {place}, ptr {size})")
        case _:
            writer.emit(f"  call void @__untaken_written(ptr {place}, i64 {_size(writer, call, write)})")


def _size(writer: FunctionWriter, call: CallInstruction, write: Write) -> str:
    if write.amount is Amount.FIXED:
        return str(write.number)
    is_result = write.amount is Amount.RESULT
    count = Value(call.type, call.result) if is_result else call.arguments[write.number].value
    assert isinstance(count.type, Integer)
    wide = count.text if count.type.width == 64 else writer.define(f"sext {count} to i64")
    return wide if write.unit == 1 else writer.define(f"mul i64 {wide}, {write.unit}")
