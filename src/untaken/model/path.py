"""What one run left behind: the branches it took, the constraints that decided them, how it ended."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from enum import IntEnum, IntFlag

import numpy as np
from numpy.typing import NDArray

from untaken.model.computed_once import computed_once
from untaken.model.input import Field


class ConstraintKind(IntEnum):
    """Numbers as in `enum untaken_constraint_kind`."""

    BRANCH = 0
    LIBRARY = 1
    PIN = 2
    ASSUME = 3
    BOUND = 4


WINDOW_EVENTS = 8
LONGEST_TIME = 1_000_000  # seconds of a run, at most: the running program is told them in milliseconds, in 32 bits
_LAST_FLIPPED = int(ConstraintKind.LIBRARY)  # a plain number: numpy takes it far faster than a member
_FLIPPED = bytes(range(_LAST_FLIPPED + 1))
PINNING = bytes((ConstraintKind.PIN, ConstraintKind.BOUND))  # kinds that say which concrete address or size was used

CONSTRAINT_DTYPE = np.dtype(
    [
        ("node", "<u4"),
        ("id", "<u4"),
        ("position", "<u4"),
        ("kind", "u1"),
        ("taken", "u1"),
        ("depth", "<u2"),
    ]
)
POSITION = CONSTRAINT_DTYPE.names.index("position")  # type: ignore[union-attr]  # in what `Path.constraint` gives
# What a value may be lost to, as `enum untaken_concretised` has it, and where it was: kind is 0 where there is nothing.
CONCRETISED_KINDS = ("float", "wide", "vector", "asm", "overwrite", "undefined", "other")
PLACE_DTYPE = np.dtype([("event", "<u4"), ("kind", "<u4"), ("line", "<u4"), ("position", "<u4")])
_CONSTRAINT = struct.Struct("<IIIBBH")
_KIND_OFFSET = CONSTRAINT_DTYPE.fields["kind"][1]  # type: ignore[index]
_TAKEN_OFFSET = CONSTRAINT_DTYPE.fields["taken"][1]  # type: ignore[index]
_EVENT_SIZE = np.dtype(np.uint32).itemsize
_FIRST_INDICES = np.arange(1 << 12)  # of constraints: most paths have no more, and can flip all of them
_FIRST_INDICES.flags.writeable = False


class ExitKind(IntEnum):
    """Numbers as in `enum untaken_exit_kind`."""

    CODE = 0
    SIGNAL = 1
    TIMEOUT = 2
    MEMORY = 3
    ASSUME = 4
    ERROR = 5
    INPUTS = 6  # asked for more inputs than the run was to have
    LENGTH = 7  # passed more events than the run was to have


class CutOff(IntFlag):
    """Which parts of the trace ran out of room; the program itself ran on."""

    EVENTS = 1
    CONSTRAINTS = 2
    NODES = 4
    TABLES = 8
    FIELDS = 16


class DamagedTrace(Exception):
    """What a run left cannot be what the runtime wrote: the program has written over it."""


@dataclass(frozen=True, slots=True)
class Exit:
    """How the program ended: its exit code, or the signal's number."""

    kind: ExitKind
    code: int = 0
    message: str = ""


@dataclass(frozen=True)
class Path:
    """One run, as columns. `events` holds ids of branches, function entries and returns in order."""

    input: bytes
    events: NDArray[np.uint32]
    constraints: NDArray[np.void]  # CONSTRAINT_DTYPE
    exit: Exit
    fields: tuple[Field, ...] = ()
    input_used: int = 0  # bytes that the program asked for; more than len(input): the rest were zero
    cut_off: CutOff = CutOff(0)
    new_ids: int = 0  # how many ids no earlier run of this session had covered
    concretised: tuple[int, ...] = field(default=())
    # Ids that `events` does not tell: of other threads; or if events were cut off, all that this session has passed.
    unseen: NDArray[np.uint32] | None = None
    generation: int = 0  # of the table of expressions that the constraints speak of
    # Of each constraint, a hash of what it decides on and of the WINDOW_EVENTS events before it; None: not recorded.
    windows: NDArray[np.uint64] | None = None
    snapshot: int = 0  # where the run began: 0 is the program's start; else all this is from the snapshot on
    # From a snapshot: the input bytes and the events before each input statement but the first, which are none.
    asked: tuple[tuple[int, int], ...] = ()
    gaps: int = 0  # of Gap; a plain number, since this is looked at in each run
    threads: int = 1
    lost: bool = False  # the run took its fork server with it, so that nothing but its end is known
    word_bytes: bytes = b""  # strings of the program that the input could not be equal to, as WORD_DTYPE
    place_bytes: bytes = b""  # where values were concretised, as PLACE_DTYPE

    @property
    def passed(self) -> NDArray[np.uint32]:
        """All ids that the run is known to have passed: its events, and what those do not show."""
        return self.events if self.unseen is None else np.concatenate((self.events, self.unseen))

    @computed_once
    def symbolic(self) -> NDArray[np.intp]:
        """Indices of the constraints that a search may flip."""
        if not self.kinds.translate(None, _FLIPPED):  # all of them, as mostly: they need not be looked for
            count = len(self.constraints)
            return _FIRST_INDICES[:count] if count <= len(_FIRST_INDICES) else np.arange(count)
        return (self.constraints["kind"] <= _LAST_FLIPPED).nonzero()[0]

    @computed_once
    def placed(self) -> NDArray[np.intp]:
        """Those of them that were decided at a place of the events, so that their positions ascend."""
        if self.threads == 1 and not self.cut_off:
            return self.symbolic
        indices: NDArray[np.intp] = self.symbolic[self.constraints["position"][self.symbolic] < len(self.events)]
        return indices

    @property
    def start(self) -> int:
        """How many events there are before the first constraint; all of them, if there is none."""
        count = len(self.events)
        return min(count, int(self.constraints["position"][0])) if len(self.constraints) else count

    @computed_once
    def event_bytes(self) -> bytes:
        """All events: many of them are compared far faster so."""
        return self.events.tobytes()

    @computed_once
    def constraint_bytes(self) -> bytes:
        """All constraints as bytes: equal for paths with equal constraints."""
        return self.constraints.tobytes()

    @computed_once
    def kinds(self) -> bytes:
        """The kinds of all constraints, a byte each: what is among them is found far faster so."""
        return self.constraint_bytes[_KIND_OFFSET :: _CONSTRAINT.size]

    @computed_once
    def has_pins(self) -> bool:
        """Whether the concrete value of an address or a size is said."""
        return any(kind in self.kinds for kind in PINNING)

    @computed_once
    def is_pin(self) -> NDArray[np.bool_]:
        """Which constraints say the concrete value of an address or a size."""
        kinds = self.constraints["kind"]
        found: NDArray[np.bool_] = (kinds == PINNING[0]) | (kinds == PINNING[1])
        return found

    @computed_once
    def sides(self) -> bytes:
        """Which side each constraint took, a byte each."""
        return self.constraint_bytes[_TAKEN_OFFSET :: _CONSTRAINT.size]

    def constraint(self, index: int) -> tuple[int, int, int, int, int, int]:
        """One of them, its fields in the order of CONSTRAINT_DTYPE; numpy takes twice as long to give it."""
        fields: tuple[int, int, int, int, int, int]
        fields = _CONSTRAINT.unpack_from(self.constraint_bytes, index * _CONSTRAINT.size)
        return fields

    def begins_as(self, other: Path, events: int, constraints: int) -> tuple[bool, bool]:
        """Whether its first events, and its first constraints, are those of the other."""
        return (
            self.event_bytes.startswith(other.event_bytes[: events * _EVENT_SIZE]),
            self.constraint_bytes.startswith(other.constraint_bytes[: constraints * _CONSTRAINT.size]),
        )

    def last_place(self, id: int, start: int = 0) -> int:
        """Where an id comes last among the events from `start` on; -1: nowhere. Bytes are searched from behind."""
        sought, start = id.to_bytes(_EVENT_SIZE, "little"), start * _EVENT_SIZE
        at = self.event_bytes.rfind(sought, start)
        while at % _EVENT_SIZE and at >= 0:  # across two events
            at = self.event_bytes.rfind(sought, start, at + _EVENT_SIZE - 1)
        return at // _EVENT_SIZE

    def events_before(self, constraints: NDArray[np.void]) -> NDArray[np.intp]:
        """For each constraint the event before it, 0 if there is none at all.

        Past the last event, where recording was cut off or another thread decided, the last one stands for it.
        """
        if not len(self.events):
            return np.zeros(len(constraints), np.intp)
        places = constraints["position"].astype(np.intp)
        np.minimum(np.maximum(places, 1, out=places), len(self.events), out=places)  # np.clip takes six times as long
        return self.events[places - 1].astype(np.intp)

    def __len__(self) -> int:
        return len(self.constraints)
