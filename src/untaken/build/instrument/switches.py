"""Switches: the runtime is told the value, and a table of the cases; it writes their events and constraints."""

from __future__ import annotations

from untaken.build.instrument.memory import hot_label
from untaken.build.instrument.writing.writer import FunctionWriter
from untaken.build.ir.instructions import Switch
from untaken.build.ir.syntax import Value
from untaken.build.ir.types import WORD_BITS, Integer, is_wide


def tell_switch(writer: FunctionWriter, switch: Switch, tables: list[str], first: int, label: int) -> None:
    """Before a switch: its value with its label, and its table, which is added to those of the module.

    `first` is the id of its first case; 0 if they do not count."""
    assert isinstance(switch.value.type, Integer)
    width, count = switch.value.type.width, len(switch.cases)
    cases = [case & ((1 << width) - 1) for case, _ in switch.cases]
    told, value = "__untaken_switch", switch.value.text
    if is_wide(switch.value.type):
        low, high = _words_of(writer, switch.value)
        told, value = "__untaken_wide_switch", f"{low}, i64 {high}"
        cases = [word for case in cases for word in (case & ((1 << WORD_BITS) - 1), case >> WORD_BITS)]
    elif width < WORD_BITS:
        value = writer.define(f"zext {switch.value} to i64")
    name = f"@untaken.switch.{len(tables)}"
    tables.append(_table(name, (count, width, first), cases))
    writer.emit(f"  call void @{told}(i32 {hot_label(label)}, i64 {value}, ptr {name})")


def _table(name: str, head: tuple[int, int, int], words: list[int]) -> str:
    """A struct untaken_switch: count, width, first id and cases."""
    count, width, first = head
    values = ", ".join(f"i64 {word}" for word in words)
    ids = f"getelementptr (i8, ptr @untaken.ids, i64 {first})" if first else "null"
    return (
        f"{name} = internal constant {{ i32, i32, ptr, [{len(words)} x i64] }} "
        f"{{ i32 {count}, i32 {width}, ptr {ids}, [{len(words)} x i64] [{values}] }}, align 8"
    )


def _words_of(writer: FunctionWriter, value: Value) -> tuple[str, str]:
    """A wide value in the program's own code, the lower word first."""
    high = writer.define(f"lshr {value}, {WORD_BITS}")
    return writer.define(f"trunc {value} to i64"), writer.define(f"trunc {value.type} {high} to i64")
