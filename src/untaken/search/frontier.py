"""The frontier: uncovered branches whose other side is covered, and what lies behind each of them.

Strategies look there for where to go next, summaries name it to the user.
"""

from __future__ import annotations

from collections.abc import Iterator

from untaken.model.program import NO_BRANCH, Block, Branch, Function, ProgramMap, paired
from untaken.search.coverage import Coverage

_Place = tuple[int, int]  # of a block: its function's index, and its own in there


def frontier_of(program: ProgramMap, coverage: Coverage) -> Iterator[Branch]:
    """Uncovered branches one step from covered ones."""
    return (branch for branch in program if not coverage.hit[branch.id] and coverage.hit[paired(branch.id)])


def opens(program: ProgramMap, coverage: Coverage, branch: Branch) -> int:
    """How many uncovered branches, itself included, can be reached through this one without passing a covered one.

    It can only shrink as coverage grows.
    """
    function = program.functions[branch.function]
    edges = (edge for block in function.blocks for edge in block.edges)
    waiting = [(function.index, edge.target) for edge in edges if edge.branch == branch.id]
    seen = set(waiting)
    opened = {branch.id}
    while waiting:
        index, number = waiting.pop()
        function = program.functions[index]
        if number >= len(function.blocks):
            continue
        block = function.blocks[number]
        opened.update(edge.branch for edge in block.edges if edge.branch != NO_BRANCH and not coverage.hit[edge.branch])
        ahead = {place for place in _ahead(program, coverage, function, block) if place not in seen}
        seen |= ahead
        waiting.extend(ahead)
    return len(opened)


def _ahead(program: ProgramMap, coverage: Coverage, function: Function, block: Block) -> Iterator[_Place]:
    """Where a block leads without a covered branch and into functions that were never entered."""
    for edge in block.edges:
        if edge.branch == NO_BRANCH or not coverage.hit[edge.branch]:
            yield function.index, edge.target
    for call in block.calls:
        callee = program.callee(function, call)
        if callee is not None and not coverage.hit[callee.entry_id]:
            yield callee.index, 0
