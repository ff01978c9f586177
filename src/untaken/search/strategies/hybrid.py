"""Hybrid concolic testing (ICSE 2007), algorithm 2: random inputs go deep, a search from a snapshot goes wide.

    line 3      IMap = Random           search.wander: the program itself draws its inputs
    lines 4-16  until iter = theta-2    `saturation`: inputs in a row without a new branch
    line 18     snapshot(M)             the program waits where it is
    line 19     Concolic(l, M)          `concolic` below: a bounded search from there
    line 20     M = restore(); goto 3   it goes on from the snapshot, with the input found first

A goal is a branch; theta-1 and the end at a bug are the campaign's (--goal, --first-finding). The search inside is
bounded twice: each of its runs ends after so many inputs, and it gives up after so many attempts. Where we differ:

- On each path of the search, the conditionals whose other side is uncovered are tried first (the paper's section 3.2
  asks for those alone); the strategy inside goes on where that leads to nothing.
- An input that was found but ends the program is kept as a test, and the run goes on without it: it is deep already.
- A run ends after `longest` inputs, since many a reactive program never ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from untaken.errors import UsageError
from untaken.model.path import ConstraintKind, ExitKind, Path
from untaken.model.stretch import Stretch
from untaken.search.attempts import Outcome, Part, Steps, Wander
from untaken.search.space import Search
from untaken.search.strategies.bfs import bfs
from untaken.search.strategies.cfg import cfg
from untaken.search.strategies.cgs import cgs
from untaken.search.strategies.dfs import dfs
from untaken.search.strategies.generational import generational
from untaken.search.strategies.random_branch import random_branch
from untaken.search.strategies.uniform import uniform

SATURATION = 1_000
INPUTS_PER_SEARCH = 4
_INSIDE: dict[str, Callable[[Search], Steps]] = {
    "dfs": dfs,
    "bfs": bfs,
    "random-branch": random_branch,
    "uniform": uniform,
    "cfg": cfg,
    "cgs": cgs,
    "generational": generational,
}
_MOST_TRIES = 2  # of one branch in one search


def hybrid(
    search: Search,
    *,
    saturation: int = SATURATION,
    inputs_per_search: int = INPUTS_PER_SEARCH,
    attempts: int = 200,
    inside: str = "dfs",
    longest: int = 20_000,
) -> Steps:
    """Random inputs until they find nothing new, then a bounded search from that state, and on from there.

    A search begins after `saturation` inputs without a new branch; its runs ask for so many `inputs_per_search`,
    and it ends after so many `attempts`. `inside` names its strategy. After `longest` inputs the program is started
    again.
    """
    if inside not in _INSIDE:
        raise UsageError(f"the search inside hybrid cannot be {inside!r}; it can be: {', '.join(_INSIDE)}")

    def wander(snapshot: int = 0, input: bytes = b"", left: int = longest) -> Wander:
        return Wander(search.rng.getrandbits(64), saturation, left, inputs_per_search, snapshot, input)

    while True:
        stretch: Stretch = yield wander()
        while stretch.snapshot and stretch.statements < longest:
            found = yield from concolic(search.within(stretch.snapshot), _INSIDE[inside], attempts)
            stretch = yield wander(stretch.snapshot, found, longest - stretch.statements)


def concolic(search: Search, inside: Callable[[Search], Steps], attempts: int) -> Part[bytes]:
    """Looks for an input from the snapshot on that covers a new branch; empty if there is none to go on with."""
    steps = _goals_first(search, inside)
    result: Any = None
    for _ in range(attempts):
        try:
            attempt = steps.send(result)
        except StopIteration:
            break
        result = yield attempt
        found = search.corpus.found.pop(search.snapshot, None)
        if found is not None:
            return _to_go_on_with(found)
    return b""


def _to_go_on_with(path: Path) -> bytes:
    if path.exit.kind is not ExitKind.INPUTS:
        return b""
    return path.input[: path.input_used].ljust(path.input_used, b"\0")


def _goals_first(search: Search, inside: Callable[[Search], Steps]) -> Part[None]:
    """The strategy inside, but after each of its runs the uncovered branches beside the new path come first."""
    steps = inside(search)
    tries: Counter[int] = Counter()
    result: Any = None
    while True:
        try:
            attempt = steps.send(result)
        except StopIteration:
            return
        result = yield attempt
        path = result.path if isinstance(result, Outcome) else result
        if isinstance(path, Path):
            for index in _goals(search, path, tries):
                yield search.flip(path, index)


def _goals(search: Search, path: Path, tries: Counter[int]) -> Iterator[int]:
    """Constraints whose other side is an uncovered branch, each branch only so often."""
    for index in path.symbolic:
        constraint = path.constraints[index]
        goal = int(constraint["id"]) ^ 1
        if constraint["kind"] == ConstraintKind.BRANCH and not search.coverage.hit[goal] and tries[goal] < _MOST_TRIES:
            tries[goal] += 1
            yield int(index)
