"""Looks for what is missing of independence pairs (MC/DC): other evaluations of decisions that were come to.

Takes part in `auto` if the goal is mcdc. An evaluation is a way through the graph of a decision. Of one that was seen
each condition is turned where that leads to evaluations that were not seen, on up to a few inputs that make it.
What is new is taken up in turn, so all evaluations that flips can lead to are come to, in the order of the program.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from untaken.model.path import ConstraintKind, Path
from untaken.search.attempts import Steps
from untaken.search.independence.evaluations import Evaluation
from untaken.search.independence.pair_coverage import PairCoverage
from untaken.search.view import SearchView

_BRANCH = int(ConstraintKind.BRANCH)


_Made = tuple[Evaluation, bytes]  # an evaluation, and an input whose run makes it


def pairs(search: SearchView) -> Steps:
    """Turns conditions of decisions until each was shown to decide on its own (for --goal mcdc)."""
    coverage = search.coverage
    assert isinstance(coverage, PairCoverage)
    tried: set[_Made] = set()
    while True:
        found = next(_untried(coverage, tried), None)
        if found is None:
            yield search.run(search.inputs.mixed(0.5))
            continue
        evaluation, input = found
        tried.add(found)
        path: Path = yield search.run(input)
        for index in _turns(coverage, evaluation, path):
            yield search.flip(path, index)


def _untried(coverage: PairCoverage, tried: set[_Made]) -> Iterator[_Made]:
    """Evaluations of decisions that lack a pair, those with fewest inputs tried first."""
    wanted = set(coverage.open_decisions)
    known = [(each, inputs) for each, inputs in coverage.evaluations.items() if each.decision in wanted]
    for number in range(max((len(inputs) for _, inputs in known), default=0)):
        for evaluation, inputs in known:
            if number < len(inputs) and (evaluation, inputs[number]) not in tried:
                yield evaluation, inputs[number]


def _turns(coverage: PairCoverage, evaluation: Evaluation, path: Path) -> Iterator[int]:
    """The constraints of its conditions where the other side is the beginning of no evaluation that was seen."""
    places = coverage.reader.places(path.events, evaluation)
    constraint_at = _constraints_by_event(path)
    for place in places:
        index = constraint_at.get(place)
        if index is not None and not _is_seen(coverage, evaluation, int(path.events[place])):
            yield index


def _constraints_by_event(path: Path) -> dict[int, int]:
    """By the place of an event, the constraint that decided it."""
    own = np.flatnonzero(path.constraints["kind"] == _BRANCH)
    return dict(zip(path.constraints["position"][own].tolist(), own.tolist(), strict=True))


def _is_seen(coverage: PairCoverage, evaluation: Evaluation, event: int) -> bool:
    """Whether some evaluation begins as this one and takes the other side at this condition."""
    conditions = coverage.decisions[evaluation.decision].conditions
    place = next(number for number, each in enumerate(conditions) if each.branch == event & ~1)
    before = (1 << place) - 1
    return any(
        other.decision == evaluation.decision
        and other.evaluated & before == evaluation.evaluated & before
        and other.values & before == evaluation.values & before
        and other.holds(place) is not None
        and other.holds(place) is not evaluation.holds(place)
        for other in coverage.evaluations
    )
