"""Reads what a run left in shared memory: its path.

This is in the way of every run. What most runs have in common with the one before is not decoded again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from untaken.execute.layout import EVENT_BLOCK, FIELD_DTYPE, SHARED_DTYPE
from untaken.execute.memory import (
    BURST_OFFSET,
    BURST_REQUEST,
    MESSAGE_OFFSET,
    PLACES_OFFSET,
    RESULT,
    RESULT_OFFSET,
    SharedMemory,
)
from untaken.execute.nodes import NodeTable
from untaken.execute.plausible import TraceBounds, is_exit
from untaken.model.distinct import distinct
from untaken.model.input import Field, FieldKind
from untaken.model.path import CONCRETISED_KINDS, CONSTRAINT_DTYPE, CutOff, DamagedTrace, Exit, ExitKind, Path

EVENT = np.dtype(np.uint32)  # what takes types takes these sooner
LONG = 1 << 17  # events: numpy asks for larger pages, and what nobody looks at is not made
EVENTS_CUT = int(CutOff.EVENTS)  # as a plain number: a flag's operators are slow
NOTHING_CUT = CutOff(0)
FIELD_KINDS = {int(kind): kind for kind in FieldKind}  # several times as fast as FieldKind(...)
FEW_FIELDS = 1 << 16
# A program that asks for ever has millions of fields: those that begin so far past the input are zero, and of no test.
FAR_BEYOND = 1 << 20
LARGEST_SIGNAL = 127
SIZES, PINS, GAPS = 6, -2, -1  # of the results: input_used up to word_count, and the last two
EXIT = slice(1, 3)  # of the circumstances: kind and code
HARMLESS = (ExitKind.CODE, ExitKind.ASSUME, ExitKind.INPUTS, ExitKind.LENGTH)
NO_EVENT = -1  # the last one of a run without any
MAIN_THREAD = 1  # its number in the owners of blocks of events


@dataclass(slots=True)
class SessionCounters:
    """What happened over the session, for the report."""

    runs: int = 0
    restarts: int = 0  # the fork server was gone or hung
    damaged: int = 0  # the run had written over what it recorded
    pins: int = 0
    concretised: dict[str, int] = field(default_factory=lambda: dict.fromkeys(CONCRETISED_KINDS, 0))


@dataclass(frozen=True, slots=True)
class Glance:
    """Of a burst: how many runs there were, and of the last of them what tells whether its path is worth reading."""

    runs: int
    input: bytes  # of the last one
    short: int = 0  # runs that asked for more inputs than they may have
    long: int = 0  # and that had more events
    new_ids: int = 0  # that no earlier run had covered
    is_oftener: bool = False  # it passed something as often as none before it
    exit: Exit | None = None  # None: nothing is known of it
    last_event: int = NO_EVENT

    @property
    def shows_something(self) -> bool:
        """Whether the burst ended with its last run for what that run did (runtime/process/burst.c)."""
        return self.new_ids > 0 or self.is_oftener or self.exit is None or self.exit.kind not in HARMLESS


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a run's results tell beside its sizes: mostly the same as of the run before, so it is decoded when it
    changes."""

    results: tuple[int, ...]  # as memory.RESULT has them, between the sizes and the last two
    concretised: tuple[int, ...]
    has_concretised: bool
    has_unseen: bool
    told: dict[str, Any]  # attributes of the path

    @classmethod
    def of(cls, results: tuple[int, ...]) -> Circumstances:
        """Decodes the numbers that the runtime gives of a run."""
        cut_off, kind, code, threads, *counts = results
        concretised = tuple(counts)
        known_cut = CutOff(cut_off) if cut_off else NOTHING_CUT
        exit = Exit(ExitKind(kind), code)
        told = {"cut_off": known_cut, "concretised": concretised, "threads": threads, "exit": exit}
        has_unseen = threads > 1 or bool(cut_off & EVENTS_CUT)
        return cls(results, concretised, any(concretised), has_unseen, told)


NO_CIRCUMSTANCES = Circumstances((), (), False, False, {})


class TraceReader:
    """Decodes the results of runs, one after the other, and counts what they tell."""

    def __init__(self, memory: SharedMemory, expressions: NodeTable) -> None:
        self._memory = memory
        regions = memory.layout.regions
        self.bounds = TraceBounds(memory.layout, regions["coverage"].capacity)
        self._expressions = expressions
        self.counters = SessionCounters()
        self._fields: tuple[Field, ...] = ()
        self._field_bytes = b""
        self._events_offset, self._fields_offset = regions["events"].offset, regions["fields"].offset
        self._exits: dict[tuple[int, int], Exit] = {}
        self._last = NO_CIRCUMSTANCES  # of the last run

    def path(self, input: bytes, *, windows: bool) -> Path:
        """What the run that has just ended left in shared memory."""
        memory, map = self._memory, self._memory.map
        results = RESULT.unpack_from(map, RESULT_OFFSET)
        used, field_count, constraint_count, event_count, new_ids, words = results[:SIZES]
        counters, about = self.counters, self._last
        counters.runs += 1
        self.bounds.check_sizes(results, map)
        path = object.__new__(Path)
        told = vars(path)
        if event_count < LONG:
            told["event_bytes"] = map[self._events_offset : self._events_offset + EVENT.itemsize * event_count]
            events = np.frombuffer(told["event_bytes"], EVENT)
            self.bounds.check_events(events)
        else:
            events = self._many_events(event_count)
        constraint_bytes = memory.first("constraints", constraint_count)
        constraints = np.frombuffer(constraint_bytes, CONSTRAINT_DTYPE)
        self.bounds.check_constraints(constraints)
        if results[SIZES:PINS] != about.results:
            about = self._decoded(results[SIZES:PINS])
        counters.pins += results[PINS]
        # What Path(...) would do, at a fifth of the price: this is in the way of every run. What is not named here is
        # as the class has it.
        told.update(
            about.told,
            input=input,
            events=events,
            constraints=constraints,
            constraint_bytes=constraint_bytes,
            fields=self._read_fields(field_count, len(input), used),
            input_used=used,
            new_ids=new_ids,
            generation=self._expressions.generation,
            gaps=results[GAPS],
        )
        if map[MESSAGE_OFFSET]:
            told["exit"] = self._exit(*about.results[EXIT])
        if words or windows or about.has_unseen or about.has_concretised:
            told.update(self._seldom_told(about, words, constraint_count if windows else None))
        return path

    def _many_events(self, count: int) -> NDArray[np.uint32]:
        """Each piece is looked at while it is in the processor's cache from being copied."""
        events = np.empty(count, EVENT)
        for begin in range(0, count, LONG):
            piece = events[begin : begin + LONG]
            piece[:] = self._memory.events[begin : begin + len(piece)]
            self.bounds.check_events(piece)
        return events

    def _decoded(self, circumstances: tuple[int, ...]) -> Circumstances:
        self.bounds.check_circumstances(circumstances)
        self._last = Circumstances.of(circumstances)
        return self._last

    def _seldom_told(self, about: Circumstances, words: int, windows: int | None) -> dict[str, Any]:
        """Attributes of a path that most have not; `windows`: of so many constraints. What was lost is counted."""
        memory, told = self._memory, dict[str, Any]()
        if words:
            told["word_bytes"] = memory.first("words", words)
        if windows is not None:
            told["windows"] = np.frombuffer(memory.first("windows", windows), np.uint64)
        if about.has_unseen:
            told["unseen"] = self._unseen(int(about.told["cut_off"]))
        if about.has_concretised:
            self._count(about.concretised)
            told["place_bytes"] = memory.map[PLACES_OFFSET : SHARED_DTYPE.itemsize]
        return told

    def glance(self, first: int) -> Glance:
        """Of the burst that has just ended, from this run on."""
        memory = self._memory
        results = RESULT.unpack_from(memory.map, RESULT_OFFSET)
        end, done, short, long = BURST_REQUEST.unpack_from(memory.map, BURST_OFFSET)
        self.bounds.check_sizes(results, memory.map)
        self.bounds.check_circumstances(results[SIZES:PINS])
        if not first < done <= end or max(short, long) > done - first:
            raise DamagedTrace("a burst of too many runs")
        self.counters.runs += done - first
        events = results[3]
        return Glance(
            runs=done - first,
            input=self.input(),
            short=short,
            long=long,
            new_ids=results[4],
            is_oftener=memory.get("passed_oftener") != 0,
            exit=self._exit(results[7], results[8]),
            last_event=int(memory.events[events - 1]) if events else NO_EVENT,
        )

    def input(self) -> bytes:
        """What the last run was given."""
        return bytes(self._memory.input[: self._memory.get("input_size")])

    def _unseen(self, cut_off: int) -> NDArray[np.uint32]:
        """What the main thread's events do not show: those of the others, or if some are lost, all that is known."""
        if cut_off & EVENTS_CUT:
            known = self._memory.coverage[: self._memory.get("id_count")]
            return np.flatnonzero(known).astype(np.uint32)
        others = np.flatnonzero(self._memory.view("owners") > MAIN_THREAD)
        passed: NDArray[np.uint32] = self._memory.events.reshape(-1, EVENT_BLOCK)[others].ravel()
        return distinct(passed[passed != 0])

    def _count(self, concretised: tuple[int, ...]) -> None:
        for name, count in zip(CONCRETISED_KINDS, concretised, strict=True):
            self.counters.concretised[name] += count

    def exit(self) -> Exit:
        """How the run ended; as an ordinary end if the program has written over that."""
        kind, code = self._memory.get("exit_kind"), self._memory.get("exit_code")
        return self._exit(kind, code) if is_exit(kind, code) else Exit(ExitKind.CODE)

    def damaged_exit(self) -> Exit:
        """Of a run whose trace is damaged: how it ended, if that is still told."""
        kind = self._memory.get("exit_kind")
        if kind not in (ExitKind.SIGNAL, ExitKind.TIMEOUT, ExitKind.MEMORY):
            return Exit(ExitKind.CODE)
        return Exit(ExitKind(kind), self._memory.get("exit_code") & LARGEST_SIGNAL)

    def forget(self) -> None:
        """What was decoded of a trace that is damaged."""
        self._fields, self._field_bytes = (), b""
        self.bounds.nodes = 1

    def _exit(self, kind: int, code: int) -> Exit:
        if self._memory.map[MESSAGE_OFFSET]:
            return Exit(ExitKind(kind), code, self._memory.header["message"][0].decode(errors="replace"))
        known = self._exits.get((kind, code))
        if known is None:
            known = self._exits[kind, code] = Exit(ExitKind(kind), code)
        return known

    def _read_fields(self, count: int, given: int, used: int) -> tuple[Field, ...]:
        """Most runs ask for the same fields as the one before, or begin so: then there is little to decode."""
        start = self._fields_offset
        data = self._memory.map[start : start + count * FIELD_DTYPE.itemsize]
        if count > FEW_FIELDS:
            offsets = np.frombuffer(data, FIELD_DTYPE)["offset"]
            count = int(np.searchsorted(offsets, max(given, FAR_BEYOND)))
            data = data[: count * FIELD_DTYPE.itemsize]
        if data != self._field_bytes:
            if not self._field_bytes.startswith(data):
                known = self._fields if data.startswith(self._field_bytes) else ()
                more = data[len(known) * FIELD_DTYPE.itemsize :]
                self.bounds.check_fields(more, used)
                self._fields = (*known, *decode_fields(more))
            self._fields = self._fields[:count]
            self._field_bytes = data
        return self._fields

    def empty_path(self, input: bytes, exit: Exit) -> Path:
        """Of a run of which nothing but its end is known."""
        return Path(
            input=input,
            events=np.zeros(0, np.uint32),
            constraints=np.zeros(0, CONSTRAINT_DTYPE),
            exit=exit,
            generation=self._expressions.generation,
            lost=True,
        )


def decode_fields(data: bytes) -> tuple[Field, ...]:
    """The field region as objects."""
    rows = np.frombuffer(data, FIELD_DTYPE).tolist()
    try:
        return tuple(
            Field(name.decode(errors="replace"), FIELD_KINDS[kind], offset, size)
            for offset, size, kind, _, name in rows
        )
    except KeyError:
        raise DamagedTrace("fields of no kind") from None
