"""Algorithm 2 of the hybrid concolic testing paper to the letter (`hybrid:paper=yes`); our own search is algorithm.py.

Two sentences of the paper say what Concolic does. Section 3.2: it selects a conditional of the path whose other side is
uncovered. Section 1: it searches a bounded depth exhaustively, and ends as soon as it has found an uncovered point. So
on each path the conditionals with an uncovered other side come first, then the others, depth-first. Inputs that the
solved constraints do not mention are random, as section 3.2 has it. The bound is the number of inputs that its runs may
ask for; `attempts` are the resources that section 3.3 lets it exhaust.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from untaken.model.path import ConstraintKind, Path
from untaken.model.stretch import Stretch
from untaken.search.attempts import Part, Steps, Wander
from untaken.search.strategies.hybrid.repertoire import taken_by
from untaken.search.view import SearchView

_UNBOUNDED = (1 << 31) - 1  # inputs of a run: it ends when the program does


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters that the paper gives its algorithm."""

    saturation: int  # theta-2
    inputs: int  # that runs of Concolic may ask for
    attempts: int  # of Concolic


def algorithm_2(search: SearchView, parameters: Parameters) -> Steps:
    """Line 1 is the campaign's: it ends when all is covered, or at a bug if --first-finding says so."""

    def random_until_saturation(snapshot: int = 0, given: bytes = b"") -> Wander:
        seed = search.rng.getrandbits(64)
        return Wander(seed, parameters.saturation, _UNBOUNDED, parameters.inputs, snapshot, given)

    while True:
        stretch: Stretch = yield random_until_saturation()  # lines 2-16
        while stretch.snapshot:  # line 17: iter = theta-2; line 18: the program waits there
            input_map = yield from concolic(search.within(stretch.snapshot), parameters.attempts)  # line 19
            stretch = yield random_until_saturation(stretch.snapshot, input_map)  # lines 20-21


def concolic(search: SearchView, attempts: int) -> Part[bytes]:
    """Concolic(l, M): inputs that lead from the snapshot to an uncovered branch; none, which is Random, if it has found
    none."""
    steps = _exhaustive(search)
    result: Any = None
    for _ in range(attempts):
        try:
            attempt = steps.send(result)
        except StopIteration:
            break
        result = yield attempt
        found = search.corpus.found.pop(search.snapshot, None)
        if found is not None:
            return taken_by(found) or found.input
    return b""


def _exhaustive(search: SearchView) -> Part[None]:
    """Each path within the bound once."""
    path: Path = yield search.initial()
    calls = [(path, _selected(search, path, 0))]
    while calls:
        path, selected = calls[-1]
        index = next(selected, None)
        if index is None:
            calls.pop()
            continue
        flipped: Path | None = yield search.flip(path, index, fresh=True)
        if flipped is not None:
            calls.append((flipped, _selected(search, flipped, index + 1)))


def _selected(search: SearchView, path: Path, bound: int) -> Iterator[int]:
    """Conditionals from a bound on: those whose other side is uncovered, then the others."""
    constraints = path.constraints
    indices = path.symbolic[path.symbolic >= bound]
    is_branch = constraints["kind"][indices] == int(ConstraintKind.BRANCH)
    wanted = is_branch & ~search.coverage.hit[constraints["id"][indices] ^ 1]
    return iter(np.concatenate((indices[wanted], indices[~wanted])).tolist())
