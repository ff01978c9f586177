"""A group: label work that is gathered until something needs it to have happened.

The work itself is a list of steps in constant data (struct untaken_step in runtime/abi.h). The cold block of a group
only puts the values that the program computed into slots, and calls the runtime. So cold code stays small, and compiles
fast. `writer` decides when a group is complete, and writes the test that its cold block runs behind.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from untaken.build.instrument.writing.constants import constant_bits
from untaken.build.instrument.writing.handover import AsArguments, InFrame
from untaken.build.instrument.writing.steps import FIRST_CONSTANT, Form, GroupTable, Offset, Step, StepRecord, form_of
from untaken.build.instrument.writing.tags import Tag
from untaken.build.ir.syntax import Value
from untaken.build.ir.types import WORD_BITS, Float, Integer, Pointer, is_wide, label_width

_GIVEN = 0x80
_MADE = 3  # the bit that says that operand 0 is a result of the same group; those of the others follow
_NOTHING = Value(Integer(64), "0")
_WORD = (1 << WORD_BITS) - 1
_FULL = 64  # a group is closed when it has used this many slots or constants
_OF_ANY_WIDTH = (Step.BINARY, Step.UNARY, Step.CAST, Step.SELECT)
_WRITING = (Step.STORE, Step.COPIED, Step.FILLED)


class Group:
    """One group of a function. `new_name` makes local names; `checking`: all values that the runtime computes are
    compared with the program's own."""

    def __init__(self, new_name: Callable[[], str], handover: InFrame | AsArguments, checking: bool) -> None:
        self._new_name = new_name
        self._handover = handover
        self._checking = checking
        self._before: list[str] = []  # cold code before the steps
        self._after: list[str] = []  # cold code behind the steps
        self._steps: list[StepRecord] = []
        self._constants: list[int] = []
        self._slots: dict[str | int, int] = {}  # by label, or by value if concrete
        self.slot_count = 0
        self._taken: set[int] = set()  # labels defined by code before the steps
        self._made: dict[int, int] = {}  # labels defined by steps, with their slot
        self._wanted: set[int] = set()  # of those, the ones that code behind the steps names
        self._filled: set[int] = set()  # slots that hold the program's value before the steps
        self._loads_anywhere = False  # a load so far may have a symbolic address
        self._deferred: dict[int, Offset] = {}  # labels of addresses that no step has computed yet
        self.indicators: dict[str, None] = {}  # an ordered set
        self.watched: dict[str, Tag] = {}  # by the pointer

    # ---- steps

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
        given = given or kind == Step.LOAD or self._checking
        slot = self._result(*result, given) if result is not None else 0
        flags |= _GIVEN if given else 0
        form = form_of(kind, (a, b, c), flags, descriptor)
        if kind in _WRITING and operands[0] is not None:
            self._foretell(a, operands[0][0])
        self._loads_anywhere |= kind is Step.LOAD and bool(flags & 1)
        if kind is Step.BRANCH:
            self._decide_at_once(a)
        self._steps.append(StepRecord(kind, slot, (a, b, c), flags, form, descriptor, extra))

    def _foretell(self, slot: int, address: Value) -> None:
        """Lets loads before a write know where that goes: the program has done it when they look at memory."""
        if self._loads_anywhere and slot < FIRST_CONSTANT and slot not in self._filled:
            self._fill(slot, address)

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
        self.indicators[f"%$.l{label}"] = None
        return f"%$.l{label}"

    def _result(self, value: Value, label: int, given: bool) -> int:
        slot = self._new_slot(value) if given else self._empty_slot(is_wide(value.type))
        if label:
            self._made[label] = slot
        return slot

    def _empty_slot(self, wide: bool = False) -> int:
        """A slot; for a wide value it is the first of two."""
        slot = self.slot_count
        self.slot_count += 2 if wide else 1
        return slot

    def _new_slot(self, value: Value) -> int:
        wide = is_wide(value.type)
        slot = self._empty_slot(wide)
        for place, word in enumerate(self.halves(value) if wide else (value,)):
            self._fill(slot + place, word)
        return slot

    def _fill(self, slot: int, value: Value) -> None:
        self._handover.value(slot, value)
        self._filled.add(slot)

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
        name = self._new_name()
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
        name = self._new_name()
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
        self.indicators[name] = None

    # ---- when it is complete

    @property
    def is_full(self) -> bool:
        """True if it has used so many slots or constants that it is to be closed."""
        handed_over = len(self.watched) if isinstance(self._handover, AsArguments) else 0
        return max(self.slot_count + handed_over, len(self._constants)) > _FULL

    @property
    def has_work(self) -> bool:
        """True if its cold block would do something, and something says whether it is to run."""
        return bool((self._steps or self._before or self._after) and (self.indicators or self.watched))

    @property
    def defined(self) -> tuple[int, ...]:
        """The labels that its cold block defines."""
        return (*self._taken, *self._made)

    def compute_deferred(self, is_alive: Callable[[int], bool]) -> None:
        """The steps of addresses whose labels are needed behind the group."""
        for label in list(self._deferred):
            if label in self._deferred and is_alive(label):
                self._compute(label)

    def hand_over_addresses(self, label_of: Callable[[Value], int]) -> bool:
        """The watched addresses go to the runtime with the values, where it is the runtime that tests them."""
        if not isinstance(self._handover, AsArguments):
            return False
        for pointer, tag in self.watched.items():
            value = Value(Pointer(), pointer)
            slot = self._slots.get(label_of(value) or pointer)
            self._handover.watch(self._new_slot(value) if slot is None else slot, tag)
        return True

    def cold_body(self, groups: GroupTable, alive: list[int]) -> list[str]:
        """The lines of the cold block; of the labels that steps make, those that are alive are kept."""
        lines = self._before
        if self._steps:
            results = {label: self._made[label] for label in sorted(self._wanted.union(alive) & self._made.keys())}
            lines = [*lines, *self._handover.call(groups, (self._steps, self._constants), results)]
        return lines + self._after
