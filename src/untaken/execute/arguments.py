"""The program's argv: what the user gave, and between it what is declared as an input."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from untaken.errors import ExecutionError
from untaken.model.input import Source, SourceKind

PLACEHOLDER = "?"  # the runtime puts the declared argument in its place


def numbered(sources: Sequence[Source], arguments: Sequence[str]) -> tuple[Source, ...]:
    """Arguments without a position come after all the others, in order."""
    taken = {source.index for source in sources if source.kind is SourceKind.ARGUMENT and source.index}
    position = 1 + len(arguments) + len(taken)
    result = []
    for source in sources:
        if source.kind is SourceKind.ARGUMENT and not source.index:
            source, position = replace(source, index=position), position + 1
        result.append(source)
    return tuple(result)


def merged_arguments(arguments: Sequence[str], sources: Sequence[Source]) -> list[str]:
    """argv after the name, with a placeholder at the position of each declared argument."""
    places = {source.index for source in sources if source.kind is SourceKind.ARGUMENT}
    count = len(arguments) + len(places)
    if any(not 1 <= place <= count for place in places):
        raise ExecutionError(f"a declared argument has no place among {count}: number them from 1 without gaps")
    fixed = iter(arguments)
    return [PLACEHOLDER if place in places else next(fixed) for place in range(1, count + 1)]
