"""What a function can lead to: itself, what it calls, and what those call."""

from __future__ import annotations

from collections.abc import Iterator

from untaken.model.program import Function, ProgramMap

MAIN = "main"


def led_to(program: ProgramMap, root: Function) -> frozenset[int]:
    """Indices of functions. A call through a pointer may lead to any function that nobody calls by its name."""
    found, waiting = {root.index}, [root]
    while waiting:
        fresh = [each for each in _called(program, waiting.pop()) if each.index not in found]
        found.update(each.index for each in fresh)
        waiting += fresh
    return frozenset(found)


def _called(program: ProgramMap, function: Function) -> Iterator[Function]:
    calls = [call for block in function.blocks for call in block.calls]
    for call in calls:
        if (callee := program.callee(function, call)) is not None:
            yield callee
    if any(call.callee is None for call in calls):
        yield from (each for each in program.functions if each.name not in program.callees and each.name != MAIN)
