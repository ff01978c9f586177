"""SearchAlongPath of the CREST paper (section 4.2): force the execution down all short static paths to uncovered
branches.

The static paths are not listed. An execution shows one of them: where it goes on, static paths that match it share
their prefix with it; where a static path leaves it, at a branch, that branch is forced, and the search goes on in
the new execution with what is left of the weight. So a common prefix is forced once. At a call the static path may
enter it for good or skip it; a skipped call is matched by whatever the execution does until it returns.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from untaken.model.path import ConstraintKind, Path
from untaken.search.attempts import Outcome, Part
from untaken.search.knowledge.novelty import Novelty
from untaken.search.program.frames import NEVER, Frames
from untaken.search.program.graph import Ints
from untaken.search.view import SearchView


def search_along_path(search: SearchView, novelty: Novelty, path: Path, start: int, weight: int) -> Part[Path | None]:
    """Tries all static paths of at most `weight` branches from event `start` on to uncovered branches, the shortest
    first; returns a path that covered something new.

    A run that covers a new branch on the way, expected or not, counts as success.
    """
    distances = novelty.distances()
    constraint_at = _constraints_by_position(path)
    for _, position, left in sorted(_departures(search.analyses.frames, distances, path, start, weight)):
        index = int(constraint_at[position])
        if index < 0:
            continue  # a concrete branch: no input is known to change it
        outcome: Outcome = yield search.force(path, index)
        if novelty.is_in(outcome):
            return outcome.path
        if outcome.held and outcome.path is not None and left > 0:
            found = yield from search_along_path(search, novelty, outcome.path, position + 1, left)
            if found is not None:
                return found
    return None


def _departures(frames: Frames, distances: Ints, path: Path, start: int, weight: int) -> Iterator[tuple[int, int, int]]:
    """Where a static path may leave the execution: (its least weight, position, weight left after the branch)."""
    events = path.events
    ends = frames.ends(events)
    open_ways = [(start, weight)]
    while open_ways:
        position, left = open_ways.pop()
        while left > 0 and position < len(events):
            event = int(events[position])
            if frames.is_entry[event]:
                if (end := ends.of(position)) != NEVER:
                    open_ways.append((end + 1, left))
            elif frames.is_return[event]:
                break
            else:
                left -= 1
                if distances[event ^ 1] <= left:
                    yield weight - left + int(distances[event ^ 1]), position, left
            position += 1


def _constraints_by_position(path: Path) -> Ints:
    """For each event, the index of the constraint that decided it; -1 for concrete ones.

    Some may lie past the events: recording was cut off, or another thread decided them.
    """
    by_position = np.full(len(path.events), -1, np.intp)
    positions = path.constraints["position"]
    is_branch = path.constraints["kind"] == int(ConstraintKind.BRANCH)
    branches = np.flatnonzero(is_branch & (positions < len(path.events)))
    by_position[positions[branches]] = branches
    return by_position
