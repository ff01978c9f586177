"""The call stack at the end of a run, read off its trace: which functions were entered and not left, and where."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from untaken.model.path import Path
from untaken.model.program import Block, BranchId, Function, ProgramMap

MOST_FRAMES = 32


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
    for event in _telling_events(path, program).tolist():
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


def _telling_events(path: Path, program: ProgramMap) -> NDArray[np.uint32]:
    """Without what lies between entry and return of calls that are over: a trace may have millions of events."""
    entered = np.zeros(program.id_count, np.int8)
    entered[list(program.function_of_entry)] = 1
    entered[[function.return_id for function in program.functions]] = -1
    depth = np.cumsum(entered[path.events], dtype=np.int64)
    lowest_after = np.minimum.accumulate(depth[::-1])[::-1] if len(depth) else depth
    telling: NDArray[np.uint32] = path.events[depth == lowest_after]
    return telling


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
