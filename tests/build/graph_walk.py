"""Follows the events of a run through the program map: each must be possible where the last one led.

A walk knows for each active call where in its function it may be, as a set of places: blocks without branches leave
no events. Calls of functions with a body in the map must show up as an entry; calls of anything else may call back.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from untaken.model.program import BranchId, Function, ProgramMap

Place = tuple[int, int]  # a block, and how many of its calls were made
START = frozenset({(0, 0)})


@dataclass(slots=True)
class Frame:
    """An active call."""

    function: Function
    places: frozenset[Place]
    left_by_tail_call: bool = False  # its return came before the entry of what it called


class Stuck(Exception):
    """An event that the map says cannot happen here."""


class Walk:
    """Of a run with one thread and no longjmp."""

    def __init__(self, program: ProgramMap) -> None:
        self._program = program
        self._returns = {function.return_id: function for function in program.functions}
        self.stack: list[Frame] = []

    def follow(self, events: Iterable[int]) -> None:
        """Raises Stuck at the first impossible event."""
        for position, event in enumerate(events):
            try:
                self._event(event)
            except Stuck as stuck:
                raise Stuck(f"event {position} ({event}): {stuck}") from None

    def _event(self, event: int) -> None:
        if event in self._program.function_of_entry:
            self._enter(self._program.function_of_entry[event])
        elif event in self._returns:
            self._leave(self._returns[event])
        elif event in self._program.branches:
            self._branch(BranchId(event))
        else:
            raise Stuck("no such id in the map")

    def _branch(self, event: BranchId) -> None:
        if not self.stack:
            raise Stuck(f"branch {self._program.branches[event].location} outside of all functions")
        frame = self.stack[-1]
        blocks = frame.function.blocks
        frame.places = frozenset(
            (edge.target, 0)
            for block, calls in self._reach(frame)
            if calls == len(blocks[block].calls)
            for edge in blocks[block].edges
            if edge.branch == event
        )
        if not frame.places:
            location = self._program.branches[event].location
            raise Stuck(f"in {frame.function.name}, the branch {location} cannot come next")

    def _enter(self, function: Function) -> None:
        if self.stack and self.stack[-1].left_by_tail_call:
            self.stack.pop()
        elif self.stack:
            frame = self.stack[-1]
            frame.places = frozenset(self._through_call(frame, function))
            if not frame.places:
                raise Stuck(f"{frame.function.name} cannot call {function.name} next")
        self.stack.append(Frame(function, START))

    def _through_call(self, frame: Frame, function: Function) -> Iterable[Place]:
        """Where the caller is once the function is entered; unknown code may call several times."""
        for block, calls in self._reach(frame):
            if calls < len(frame.function.blocks[block].calls):
                callee = self._program.callee(frame.function, frame.function.blocks[block].calls[calls])
                if callee is None:
                    yield block, calls
                elif callee.index == function.index:
                    yield block, calls + 1

    def _leave(self, function: Function) -> None:
        if not self.stack or self.stack[-1].function.index != function.index:
            inside = self.stack[-1].function.name if self.stack else "nothing"
            raise Stuck(f"{function.name} returns, but {inside} was active")
        frame = self.stack[-1]
        ends = [(b, calls) for b, calls in self._reach(frame) if not function.blocks[b].edges]
        if any(calls == len(function.blocks[block].calls) for block, calls in ends):
            self.stack.pop()
        elif any(calls == len(function.blocks[block].calls) - 1 for block, calls in ends):
            frame.left_by_tail_call = True
        else:
            raise Stuck(f"{function.name} cannot return here")

    def _reach(self, frame: Frame) -> set[Place]:
        """All places that the call may be at without a further event."""
        reached: set[Place] = set()
        waiting = list(frame.places)
        while waiting:
            place = waiting.pop()
            if place not in reached:
                reached.add(place)
                waiting += self._silently(frame.function, place)
        return reached

    def _silently(self, function: Function, place: Place) -> list[Place]:
        block, calls = place
        made = function.blocks[block].calls
        if calls == len(made):
            return [(edge.target, 0) for edge in function.blocks[block].edges if not edge.branch]
        return [(block, calls + 1)] if self._program.callee(function, made[calls]) is None else []
