"""How a cold block hands what the program computed over to the runtime, and how it gets labels back.

There are two ways. Most functions put values and labels into arrays of their frame, which the runtime then works on.
Large functions hand them over as arguments of one call, and constant data says which slot each belongs into: that is
a little slower where there is work to do, but LLVM has half as much to compile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from untaken.build.instrument.writing.steps import GroupTable, StepRecord
from untaken.build.instrument.writing.tags import Tag
from untaken.build.ir.syntax import Value
from untaken.build.ir.types import Float, Integer, Pointer

_PASSED = (1, 8, 16, 32, 64)  # bits of integers that are arguments as they are


class InFrame:
    """The slots of a group are arrays of the function's frame; values and labels are stored there."""

    def __init__(self, number: int, fresh: Callable[[], str]) -> None:
        self._number = number
        self._fresh = fresh
        self._fill: list[str] = []

    def value(self, slot: int, value: Value) -> None:
        """Puts a value of the program into a slot."""
        place = self._place("values", slot, 8)
        if isinstance(value.type, Pointer | Float) and value.type.size == 8:
            self._fill.append(f"  store {value}, ptr {place}, align 8")
        else:
            self._fill.append(f"  store i64 {_widened(value, self._fill, self._fresh)}, ptr {place}, align 8")

    def label(self, slot: int, name: str) -> None:
        """Puts the label of a value into its slot."""
        self._fill.append(f"  store i32 {name}, ptr {self._place('labels', slot, 4)}, align 4")

    def call(self, groups: GroupTable, work: tuple[list[StepRecord], list[int]], results: dict[int, int]) -> list[str]:
        """Has the runtime take steps, with their constants; then reads labels from the slots of `results`."""
        values, labels = (frame_array(array, self._number) for array in ("values", "labels"))
        call = f"  call void @__untaken_group(ptr {groups.name(*work)}, ptr {values}, ptr {labels})"
        veiled = [_veiled_array(array, self._number) for array in ("values", "labels")]
        return [*veiled, *self._fill, call, *_read_labels(results, labels, self._fresh)]

    def _place(self, array: str, slot: int, size: int) -> str:
        if slot == 0:
            return frame_array(array, self._number)
        name = self._fresh()
        self._fill.append(f"  {name} = getelementptr i8, ptr {frame_array(array, self._number)}, i64 {size * slot}")
        return name


class AsArguments:
    """Values and labels are arguments of a call: struct untaken_handover in runtime/abi.h says where they belong."""

    def __init__(self, number: int, fresh: Callable[[], str]) -> None:
        self._number = number
        self._fresh = fresh
        self._conversions: list[str] = []
        self._values: list[str] = []
        self._slots: list[tuple[int, int]] = []  # of the values, with their bits
        self._labels: list[str] = []
        self._label_slots: list[tuple[int, int]] = []
        self._watched: list[tuple[int, int]] = []  # slots of addresses, with the bytes that are touched there

    def value(self, slot: int, value: Value) -> None:
        if not isinstance(value.type, Pointer):
            kind = value.type
            if not isinstance(kind, Integer) or kind.width not in _PASSED:
                value = Value(Integer(64), _widened(value, self._conversions, self._fresh))
        self._values.append(str(value))
        self._slots.append((slot, value.type.width if isinstance(value.type, Integer) else 64))

    def label(self, slot: int, name: str) -> None:
        self._labels.append(f"i32 {name}")
        self._label_slots.append((slot, 0))

    def watch(self, slot: int, tag: Tag) -> None:
        """The runtime is to look at the tag of an address, too, before it takes the steps."""
        self._watched.append((slot, tag.size))

    def call(self, groups: GroupTable, work: tuple[list[StepRecord], list[int]], results: dict[int, int]) -> list[str]:
        several = len(results) > 1
        labels = frame_array("labels", self._number) if several else "null"
        slot = next(iter(results.values()), 0)
        group = groups.name(*work, self._description(slot))
        arguments = ", ".join((f"ptr {group}", f"ptr {labels}", *self._values, *self._labels))
        call = f"call i32 (ptr, ptr, ...) @__untaken_handed({arguments})"
        if several:
            reading = _read_labels(results, labels, self._fresh)
            return [_veiled_array("labels", self._number), *self._conversions, f"  {call}", *reading]
        named = "".join(f"%$.c{label} = " for label in results)
        return [*self._conversions, f"  {named}{call}"]

    def _description(self, result: int) -> list[int]:
        """The words of a struct untaken_handover."""
        pairs = [*self._slots, *self._label_slots, *self._watched]
        content = b"".join(bytes(pair) for pair in pairs)
        content += bytes(-len(content) % 8)
        counts = bytes((len(self._slots), len(self._labels), len(self._watched), result))
        content = counts + (len(content) // 8).to_bytes(4, "little") + content
        return [int.from_bytes(content[at : at + 8], "little") for at in range(0, len(content), 8)]


def frame_array(array: str, number: int) -> str:
    """The address of an array of slots, by a name of the cold block's own."""
    return f"%$.{array}{number}"


def _veiled_array(array: str, number: int) -> str:
    """LLVM looks at all users of a local array again whenever one of them changes: it sees one a cold block."""
    return f'  {frame_array(array, number)} = call ptr asm "", "=r,0"(ptr %$.{array})'


def _read_labels(results: dict[int, int], labels: str, fresh: Callable[[], str]) -> Iterable[str]:
    for label, slot in results.items():
        name = fresh()
        yield f"  {name} = getelementptr i8, ptr {labels}, i64 {4 * slot}"
        yield f"  %$.c{label} = load i32, ptr {name}, align 4"


def _widened(value: Value, lines: list[str], fresh: Callable[[], str]) -> str:
    """The bits of a value as an i64."""
    if isinstance(value.type, Float):
        bits, kind = fresh(), Integer(value.type.size * 8)
        lines.append(f"  {bits} = bitcast {value} to {kind}")
        value = Value(kind, bits)
    assert isinstance(value.type, Integer)
    if value.type.width == 64:
        return value.text
    name = fresh()
    lines.append(f"  {name} = zext {value} to i64")
    return name
