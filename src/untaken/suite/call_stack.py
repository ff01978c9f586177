"""The call stack at the end of a run, read off its trace: which functions were entered and not left, and where."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from untaken.model.path import Path
from untaken.model.program import Block, BranchId, Function, ProgramMap
from untaken.search.program.frames import NEVER, Frames

MOST_FRAMES = 32
LAST_EVENTS = 1 << 12  # of those that tell: an open call has two of them, or a few after a longjmp
NO_FUNCTION = -1


@dataclass(frozen=True, slots=True)
class Frame:
    """A function on the stack; the line is of the call, or else of the branch last taken in it."""

    function: str
    file: str
    line: int

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file

    def as_json(self) -> dict[str, Any]:
        return {"function": self.function, "file": self.file, "line": self.line}


@dataclass(slots=True)
class _Open:
    """A function that is being executed."""

    function: Function
    branch: BranchId | None = None  # the last one taken in it


def stack_of(path: Path, program: ProgramMap) -> tuple[Frame, ...]:
    """Innermost first; of a deep recursion only the innermost part.

    A longjmp is noticed by the next branch, which is of a function further out.
    """
    stack: list[_Open] = []
    entries = program.function_of_entry
    for event in telling_events(path, program)[-LAST_EVENTS:].tolist():
        if event in entries:
            stack.append(_Open(entries[event]))
        elif event - 1 in entries:
            _leave(stack, entries[event - 1])
        elif (branch := program.branches.get(BranchId(event))) is not None:
            _unwind(stack, program.functions[branch.function])
            if stack:
                stack[-1].branch = branch.id
    innermost = stack[-MOST_FRAMES:]
    callees: list[str | None] = [frame.function.name for frame in innermost[1:]]
    frames = [_frame(program, frame, callee) for frame, callee in zip_longest(innermost, callees)]
    return tuple(reversed(frames))


def telling_events(path: Path, program: ProgramMap) -> NDArray[np.uint32]:
    """A trace may have millions of events, of a loop without end say. Left out are calls that are over, with all in
    them, and then branches that are followed by another of the same function."""
    events, frames = path.events, Frames(program)
    change = frames.is_entry.astype(np.int8) - frames.is_return
    depth = np.cumsum(change[events], dtype=np.int64)
    lowest_after = np.minimum.accumulate(depth[::-1])[::-1] if len(depth) else depth
    open_at_the_end = depth == lowest_after
    returns = frames.returns(events)
    open_at_the_end[returns[returns != NEVER]] = False
    telling: NDArray[np.uint32] = events[open_at_the_end]
    owner = np.full(program.id_count, NO_FUNCTION, np.int64)
    owner[list(program.branches)] = [branch.function for branch in program.branches.values()]
    owners = owner[telling]
    superseded = (owners[:-1] == owners[1:]) & (owners[:-1] != NO_FUNCTION)
    return np.concatenate((telling[:-1][~superseded], telling[-1:]))


def _leave(stack: list[_Open], function: Function) -> None:
    if _unwind(stack, function):
        stack.pop()


def _unwind(stack: list[_Open], function: Function) -> bool:
    """Drops what a longjmp left, if the function is on the stack at all."""
    for place in range(len(stack) - 1, -1, -1):
        if stack[place].function is function:
            del stack[place + 1 :]
            return True
    return False


def _frame(program: ProgramMap, frame: _Open, callee: str | None) -> Frame:
    line = _line_of_call(frame, callee) if callee else 0
    if not line and frame.branch is not None:
        line = program.branches[frame.branch].location.line
    return Frame(frame.function.name, frame.function.location.file, line or frame.function.location.line)


def _line_of_call(frame: _Open, callee: str) -> int:
    """The first call of this function that straight-line code leads to from the branch last taken."""
    blocks = frame.function.blocks
    index: int | None = _target(blocks, frame.branch) if frame.branch is not None else 0
    seen: set[int] = set()
    while index is not None and index < len(blocks) and index not in seen:
        seen.add(index)
        block = blocks[index]
        for call in block.calls:
            if call.callee == callee:
                return call.line
        index = block.edges[0].target if len(block.edges) == 1 else None
    return 0


def _target(blocks: tuple[Block, ...], branch: BranchId) -> int | None:
    return next((edge.target for block in blocks for edge in block.edges if edge.branch == branch), None)
