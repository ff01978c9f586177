"""Writes the text of one instrumented function: the program's own code, groups of label work, and the tests between.

A group gathers label computations until something needs them to have happened: a call, a store after a load, the end
of the block. `flush` then writes the one test that decides whether the group's cold block runs. The work itself is a
list of steps in constant data (struct untaken_step in runtime/abi.h); the cold block only puts the values that the
program computed into slots, and calls the runtime. So cold code stays small, and compiles fast.
"""

from __future__ import annotations

import re
import struct
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

from untaken.build.instrument.abi import LINE_SHIFT, TAG_BASE
from untaken.build.instrument.handover import AsArguments, InFrame
from untaken.build.instrument.labels import LabelTable
from untaken.build.instrument.steps import FIRST_CONSTANT, Form, GroupTable, Offset, Step, StepRecord, form_of
from untaken.build.instrument.tags import WIDEST_EXACT, Tag, exact_test
from untaken.build.ir.syntax import Value
from untaken.build.ir.types import WORD_BITS, Float, Integer, Pointer, is_wide, label_width

_GIVEN = 0x80
_MADE = 3  # the bit that says that operand 0 is a result of the same group; those of the others follow
_NOTHING = Value(Integer(64), "0")
_WORD = (1 << WORD_BITS) - 1
_FULL = 64  # a group is closed when it has used this many slots or constants
_MANY_TESTS = 64  # of one label
_LONG_DOUBLE = "0xK"
_OF_ANY_WIDTH = (Step.BINARY, Step.UNARY, Step.CAST, Step.SELECT)
_LABEL = re.compile(r"%\$\.l\d+")


@dataclass(frozen=True, slots=True)
class ModuleWriting:
    """What the writers of a module's functions share."""

    groups: GroupTable
    cold_metadata: str
    line_of: Callable[[str], int]  # by a reference to debug information
    checking: bool = False  # compare all values that the runtime computes with the program's own


class FunctionWriter:
    """The output of one function, and the group being gathered."""

    def __init__(self, labels: LabelTable, module: ModuleWriting, is_large: bool) -> None:
        self.labels = labels
        self._is_large = is_large
        self.lines: list[str] = []
        self._module = module
        self._cold_blocks: list[str] = []
        self._counter = 0
        self._group = 0
        self._piece = ""
        self._index = 0
        self._debug = ""
        self._most_slots = 0
        self._frame_at = 0
        self._asked: Counter[str] = Counter()  # how many tests name an indicator
        self._reset()

    def _reset(self) -> None:
        self._group += 1
        self._handover: InFrame | AsArguments = (AsArguments if self._is_large else InFrame)(self._group, self.name)
        self._before: list[str] = []  # cold code before the steps
        self._after: list[str] = []  # cold code behind the steps
        self._steps: list[StepRecord] = []
        self._constants: list[int] = []
        self._slots: dict[str | int, int] = {}  # by label, or by value if concrete
        self._slot_count = 0
        self._taken: set[int] = set()  # labels defined by code before the steps
        self._made: dict[int, int] = {}  # labels defined by steps, with their slot
        self._wanted: set[int] = set()  # of those, the ones that code behind the steps names
        self._deferred: dict[int, Offset] = {}  # labels of addresses that no step has computed yet
        self._indicators: dict[str, None] = {}  # an ordered set
        self._watched: dict[str, Tag] = {}  # by the pointer

    # ---- the program's own code

    def start_block(self, name: str) -> None:
        """Begins a block of the program; `name` with its %."""
        self.lines.append(f"{name[1:]}:")
        self._piece = name

    @property
    def piece(self) -> str:
        """The block that is being written now: a block of the program may have been split."""
        return self._piece

    def at(self, index: int, debug: str = "") -> None:
        """Says which instruction of the block comes now, so that dead labels are not carried on; `debug` refers to its
        place in the source."""
        self._index = index
        self._debug = debug
        if max(self._slot_count + len(self._watched) * self._is_large, len(self._constants)) > _FULL:
            self.flush()

    @property
    def line(self) -> int:
        """Of the source, where the instruction that comes now is; 0 if that is not known."""
        return self._module.line_of(self._debug) if self._debug else 0

    def mark_frame(self) -> None:
        """Here the function's fixed locals end; the slots are put beside them."""
        self._frame_at = len(self.lines)

    def emit(self, text: str) -> None:
        self.lines.append(text)

    def name(self) -> str:
        """A local name that the function does not use yet."""
        self._counter += 1
        return f"%$.v{self._counter}"

    def define(self, text: str) -> str:
        """Emits `%new = text` among the program's code."""
        name = self.name()
        self.lines.append(f"  {name} = {text}")
        return name

    # ---- label work

    def step(
        self,
        kind: Step,
        result: tuple[Value, int] | None,
        *operands: tuple[Value, int] | None,
        descriptor: int = 0,
        extra: int = 0,
        given: bool = False,
    ) -> None:
        """Adds a step; operands and result are values with their labels.

        The runtime computes the result's value itself, unless only the program knows it (a load) or it is to be
        compared with the program's (if that is `given`, and in checking mode).
        """
        if kind in _OF_ANY_WIDTH and any(value and is_wide(value[0].type) for value in (result, *operands)):
            kind, extra = Step.WIDE, kind
        coded = [self._operand(*operand) if operand is not None else (0, 0) for operand in operands]
        codes = [code for code, _ in coded]
        flags = sum(flag << number for number, (_, flag) in enumerate(coded))
        a, b, c = (*codes, 0, 0, 0)[:3]
        given = given or kind == Step.LOAD or self._module.checking
        slot = self._result(*result, given) if result is not None else 0
        flags |= _GIVEN if given else 0
        form = form_of(kind, (a, b, c), flags, descriptor)
        if kind is Step.BRANCH:
            self._decide_at_once(a)
        self._steps.append(StepRecord(kind, slot, (a, b, c), flags, form, descriptor, extra))

    def _decide_at_once(self, condition: int) -> None:
        """Takes a branch together with the comparison before it, if it is that one's."""
        if self._steps and self._steps[-1].is_comparison() and self._steps[-1].result == condition:
            last = self._steps.pop()
            self._steps.append(replace(last, form=last.form + Form.DECIDING))

    def defer(self, label: int, offset: Offset) -> None:
        """Says what the label of an address is. Loads and stores compute it themselves; a step does for all else."""
        self._deferred[label] = offset

    def reach(self, place: tuple[Value, int]) -> tuple[tuple[Value, int], tuple[Value, int]]:
        """An address as two operands whose sum it is: the second is concrete."""
        offset = self._deferred.get(place[1])
        if offset is None:
            return place, (_NOTHING, 0)
        return offset.base, (offset.distance, 0)

    def _compute(self, label: int) -> None:
        """The step of a deferred label, now that something else needs it."""
        offset = self._deferred.pop(label)
        result, distance = (offset.result, label), (offset.distance, 0)
        self.step(Step.OFFSET, result, offset.base, (_NOTHING, 0), distance, descriptor=64, extra=1)

    def _operand(self, value: Value, label: int) -> tuple[int, int]:
        """The operand's slot, and its flags: whether it may be symbolic, and whether this group made it."""
        bits = None if value.is_local else constant_bits(value)
        if bits is not None:
            return FIRST_CONSTANT + self._constant(bits, is_wide(value.type)), 0
        if label in self._deferred:
            self._compute(label)
        if label in self._made:
            return self._made[label], 1 | 1 << _MADE
        key = label or value.text
        if key not in self._slots:
            self._slots[key] = self._new_slot(value)
            if label:
                self._store_label(self._slots[key], label)
        return self._slots[key], int(bool(label))

    def _constant(self, bits: int, wide: bool) -> int:
        """Where a constant is among those of the group; a wide one takes two places."""
        if wide:
            self._constants += [bits & _WORD, bits >> WORD_BITS]
            return len(self._constants) - 2
        if bits not in self._constants:
            self._constants.append(bits)
        return self._constants.index(bits)

    def _store_label(self, slot: int, label: int) -> None:
        self._handover.label(slot, f"%$.c{label}" if label in self._taken else self._outside(label))

    def _outside(self, label: int) -> str:
        self._indicators[f"%$.l{label}"] = None
        return f"%$.l{label}"

    def _result(self, value: Value, label: int, given: bool) -> int:
        slot = self._new_slot(value) if given else self._empty_slot(is_wide(value.type))
        if label:
            self._made[label] = slot
        return slot

    def _empty_slot(self, wide: bool = False) -> int:
        """A slot; for a wide value it is the first of two."""
        slot = self._slot_count
        self._slot_count += 2 if wide else 1
        self._most_slots = max(self._most_slots, self._slot_count)
        return slot

    def _new_slot(self, value: Value) -> int:
        wide = is_wide(value.type)
        slot = self._empty_slot(wide)
        for place, word in enumerate(self.halves(value) if wide else (value,)):
            self._handover.value(slot + place, word)
        return slot

    def halves(self, value: Value) -> tuple[Value, Value]:
        """The lower word of a wide value and the bits above, by cold code."""
        kind = Integer(label_width(value.type))
        bits = self.before(f"bitcast {value} to {kind}") if isinstance(value.type, Float) else value.text
        low = self.before(f"trunc {kind} {bits} to i{WORD_BITS}")
        shifted = self.before(f"lshr {kind} {bits}, {WORD_BITS}")
        rest = Integer(kind.width - WORD_BITS)
        return Value(Integer(WORD_BITS), low), Value(rest, self.before(f"trunc {kind} {shifted} to {rest}"))

    # ---- other cold code

    def before(self, text: str) -> str:
        """Cold code that runs before the steps and computes from the program's values."""
        name = self.name()
        self._before.append(f"  {name} = {text}")
        return name

    def before_do(self, text: str) -> None:
        """Cold code before the steps that has no result."""
        self._before.append(f"  {text}")

    def take(self, label: int, text: str) -> None:
        """A label that comes from elsewhere: cold code before the steps defines it."""
        self._before.append(f"  %$.c{label} = {text}")
        self._taken.add(label)

    def after(self, text: str) -> None:
        """Cold code behind the steps; it may name labels by `label`."""
        self._after.append(f"  {text}")

    def after_define(self, text: str) -> str:
        name = self.name()
        self._after.append(f"  {name} = {text}")
        return name

    def label(self, label: int) -> str:
        """How code behind the steps names a label."""
        if label == 0:
            return "0"
        if label in self._deferred:
            self._compute(label)
        if label in self._made:
            self._wanted.add(label)
            return f"%$.c{label}"
        return f"%$.c{label}" if label in self._taken else self._outside(label)

    def indicate(self, name: str) -> None:
        """An i32 that is nonzero if the group may have work to do."""
        self._indicators[name] = None

    # ---- memory

    def watch(self, pointer: str, size: int, align: int) -> None:
        """Makes the tags of the lines that an access touches indicators of the group."""
        exact = size if size <= WIDEST_EXACT and align >= size else 0
        self._watch_line(pointer, exact)
        if (align < min(size, 64) and size > 1) or size > 64:
            last = self.define(f"getelementptr i8, ptr {pointer}, i64 {size - 1}")
            self._watch_line(last, exact)

    def _watch_line(self, pointer: str, size: int) -> None:
        known = self._watched.get(pointer)
        if known is not None:
            self._watched[pointer] = replace(known, size=max(size, known.size) if size and known.size else 0)
            return
        address = self.define(f"ptrtoint ptr {pointer} to i64")
        line = self.define(f"lshr i64 {address}, {LINE_SHIFT}")
        place = self.define(f"getelementptr i16, ptr inttoptr (i64 {TAG_BASE} to ptr), i64 {line}")
        self._watched[pointer] = Tag(self.define(f"load i16, ptr {place}, align 2"), address, size)

    # ---- the test

    def flush(self) -> None:
        """Writes the test of the group gathered so far, and its cold block."""
        self._compute_alive()
        if (self._steps or self._before or self._after) and (self._indicators or self._watched):
            self._test([])
        self._reset()

    def flush_to_cursor(self, with_room: bool) -> str:
        """Like flush; returns the name of the event cursor, after looking for room if asked to."""
        if not with_room:
            self.flush()
            return self.define("load ptr, ptr @__untaken_cursor, align 8")
        self._compute_alive()
        cursor = self.define("load ptr, ptr @__untaken_cursor, align 8")
        limit = self.define("load ptr, ptr @__untaken_limit, align 8")
        full = self.define(f"icmp uge ptr {cursor}, {limit}")
        self.indicate(self.define(f"zext i1 {full} to i32"))
        again = self.after_define("call ptr @__untaken_room()")
        (joined,) = self._test([("ptr", cursor, again)])
        self._reset()
        return joined

    def _compute_alive(self) -> None:
        for label in list(self._deferred):
            if label in self._deferred and self._is_alive(label):
                self._compute(label)

    def _is_alive(self, label: int) -> bool:
        return self.labels.last_use.get(label, -1) >= self._index

    def _test(self, joins: list[tuple[str, str, str]]) -> list[str]:
        self._counter += 1
        cold, work, after = (f"$.{piece}{self._counter}" for piece in ("cold", "work", "on"))
        before = self._piece
        asked = {name: self._asked_for(name) for name in self._indicators}
        indicators = list(asked.values())
        nonzero = self.define(f"icmp ne i32 {self._any(indicators)}, 0")
        self.emit(f"  br i1 {nonzero}, label %{cold}, label %{after}, !prof {self._module.cold_metadata}")
        alive = [n for n in (*self._taken, *self._made) if self._is_alive(n)]
        skipping = [before]
        if isinstance(self._handover, AsArguments):
            self._hand_over_addresses(self._handover)
        elif any(tag.size for tag in self._watched.values()):
            skipping.append(f"%{cold}")
            lines, answer = exact_test(self._watched.values(), indicators, self.name)
            self._cold_blocks += [f"{cold}:", *lines, f"  br i1 {answer}, label %{work}, label %{after}"]
            cold = work
        body = self._cold_body(alive)
        if any(name != copy for name, copy in asked.items()):
            body = [_LABEL.sub(lambda match: asked.get(match[0], match[0]), line) for line in body]
        self._cold_blocks += [f"{cold}:", *body, f"  br label %{after}"]
        self.start_block(f"%{after}")
        for label in sorted(alive):
            self.emit(f"  %$.l{label} = {_phi('i32', '0', skipping, f'%$.c{label}', cold)}")
        return [self.define(_phi(kind, hot, skipping, other, cold)) for kind, hot, other in joins]

    def _hand_over_addresses(self, handover: AsArguments) -> None:
        for pointer, tag in self._watched.items():
            value = Value(Pointer(), pointer)
            slot = self._slots.get(self.labels.scalar(value) or pointer)
            handover.watch(self._new_slot(value) if slot is None else slot, tag)

    def _cold_body(self, alive: list[int]) -> list[str]:
        lines = self._before
        if self._steps:
            results = {label: self._made[label] for label in sorted(self._wanted.union(alive) & self._made.keys())}
            lines = [*lines, *self._handover.call(self._module.groups, (self._steps, self._constants), results)]
        return lines + self._after

    def _asked_for(self, name: str) -> str:
        """An indicator; one that is asked for all over a large function is read from its home in the frame.

        LLVM looks through all conditions on a value wherever it meets the value, and through all copies of a register
        whenever it changes one: in a function of 1,500 ifs, that was half of the time to compile it.
        """
        self._asked[name] += 1
        if self._asked[name] <= _MANY_TESTS:
            return name
        return self.define(f"load volatile i32, ptr {_home(name)}, align 4")

    def _any(self, indicators: list[str]) -> str:
        """An i32 that is nonzero if any indicator or tag is."""
        names = indicators[:]
        if self._watched:
            tags = self._joined("i16", [tag.name for tag in self._watched.values()])
            names.append(self.define(f"zext i16 {tags} to i32"))
        return self._joined("i32", names)

    def _joined(self, kind: str, names: list[str]) -> str:
        result = names[0]
        for name in names[1:]:
            result = self.define(f"or {kind} {result}, {name}")
        return result

    def finish(self) -> list[str]:
        """All lines of the body, cold blocks at the end."""
        return self.lines + self._cold_blocks

    def frame(self) -> tuple[int, list[str]]:
        """Where the slots and homes are to be put, and their definition."""
        homes = [f"  {_home(name)} = alloca i32, align 4" for name in self._with_home()]
        if not self._most_slots:
            return self._frame_at, homes
        values = f"  %$.values = alloca [{self._most_slots} x i64], align 8"
        labels = f"  %$.labels = alloca [{self._most_slots} x i32], align 8"
        return self._frame_at, [labels, *homes] if self._is_large else [values, labels, *homes]

    def _with_home(self) -> list[str]:
        return [name for name, count in self._asked.items() if count > _MANY_TESTS]

    def take_home(self, lines: list[str]) -> list[str]:
        """The lines of the body, with stores of the labels that have a home: behind the definition of each."""
        definitions = {f"  {name} = ": name for name in self._with_home()}
        if not definitions:
            return lines
        finished: list[str] = []
        waiting: list[str] = []  # until the phis of the block are over
        for line in lines:
            if " = phi " not in line and waiting:
                finished += waiting
                waiting = []
            finished.append(line)
            name = definitions.get(line[: line.find(" = ") + 3])
            if name is not None:
                waiting.append(f"  store volatile i32 {name}, ptr {_home(name)}, align 4")
        return finished


def _home(name: str) -> str:
    """The place in the frame where a label is kept."""
    return f"%$.home{name.removeprefix('%$.')}"


def _phi(kind: str, skipped: str, skipping: list[str], worked: str, work: str) -> str:
    """A value that is as it was if cold code had nothing to do."""
    untouched = "".join(f"[ {skipped}, {block} ], " for block in skipping)
    return f"phi {kind} {untouched}[ {worked}, %{work} ]"


def constant_bits(value: Value) -> int | None:
    """A constant's bits, zero-extended; None if it is known only to the linker."""
    words = {"true": 1, "false": 0, "undef": 0, "poison": 0, "zeroinitializer": 0, "null": 0}
    if value.text in words:
        return words[value.text]
    if isinstance(value.type, Float):
        return float_bits(value)
    digits = value.text.removeprefix("-")
    if digits.isdigit() and isinstance(value.type, Integer):
        return int(value.text) & ((1 << value.type.width) - 1)
    return None


def float_bits(value: Value) -> int | None:
    """The bits of a constant; LLVM writes floats and doubles as doubles, and long doubles as their bits."""
    width = label_width(value.type)
    try:
        if value.text.startswith(_LONG_DOUBLE):
            return int(value.text.removeprefix(_LONG_DOUBLE), 16)
        hexadecimal = value.text.startswith("0x")
        number = int(value.text, 16) if hexadecimal else int.from_bytes(struct.pack("<d", float(value.text)), "little")
        if width != 32:
            return number if width else None
        exact: float = struct.unpack("<d", number.to_bytes(8, "little"))[0]
        return int.from_bytes(struct.pack("<f", exact), "little") if exact == exact else None
    except ValueError:
        return None
