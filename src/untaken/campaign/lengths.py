"""Cuts runs that grow far beyond the others: with a number from the input, say, that a loop or a recursion counts to.

Such a run brings little for its time, and so do the thousands of equal decisions at its end. It ends after a number of
events; the beginning of its path is as good as any other path. What it would have come to is looked at now and then:
the same input is run to its end, without expressions, at the first run that is cut in a function and ever more seldom
after that, and wherever the beginning covers something new. So crashes and endless loops are found as before. If
something new lies beyond the cut, runs may be longer from then on; and, within bounds, if most runs are cut: then long
ones are what is usual.

Events are counted and no time is taken, so the same seed gives the same paths.
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from untaken.execute.session import Session
from untaken.model.path import CutOff, ExitKind, Path
from untaken.model.program import ProgramMap

FIRST_LIMIT = 1 << 14  # events; most runs of most programs have a tenth
USUAL_LIMIT = 1 << 16  # up to which it grows only because many runs are cut
GROWTH = 4
MANY = 32  # runs; if more than half of so many are cut, they may be longer
RARER = 4  # of the runs that are cut in one function, the first, the 4th, the 16th and so on are run to their end


class RunLengths:
    """Runs inputs in a session, none of them much longer than is worth while."""

    def __init__(self, session: Session, program: ProgramMap, limit: int = FIRST_LIMIT) -> None:
        self._session = session
        self._limit = limit
        self._function = functions_of_ids(program)
        self._cut: Counter[int] = Counter()  # runs, by the function that they were cut in
        self._lately: deque[bool] = deque(maxlen=MANY)  # whether they were

    def run(self, input: bytes) -> Path:
        """Cut or not."""
        path = self._run(input, self._limit)
        self._grow_if_usual(path.exit.kind is ExitKind.LENGTH)
        if path.exit.kind is not ExitKind.LENGTH:
            return path
        place = int(self._function.take(path.events[-1], mode="clip"))  # the last is of ids that the map lacks
        self._cut[place] += 1
        return self._looked_beyond(path) if path.new_ids or is_power(self._cut[place], RARER) else path

    def _run(self, input: bytes, limit: int) -> Path:
        self._session.event_limit = limit if limit < self._most_events else 0
        return self._session.run(input)

    def _grow_if_usual(self, was_cut: bool) -> None:
        self._lately.append(was_cut)
        if self._limit < USUAL_LIMIT and 2 * sum(self._lately) > MANY:
            self._limit *= GROWTH
            self._lately.clear()

    @property
    def _most_events(self) -> int:
        return self._session.settings.limits.events

    def _looked_beyond(self, path: Path) -> Path:
        """The path of a run that was cut, with the end that it comes to; a longer one if there is something new."""
        before = self._session.coverage.astype(np.bool_)
        self._session.event_limit = 0
        whole = self._session.run(path.input, concrete=True)
        if whole.new_ids:
            path = self._longer(path, np.flatnonzero(self._session.coverage.astype(np.bool_) & ~before))
        return path if path.exit.kind is not ExitKind.LENGTH else self._with_end(path, whole)

    def _longer(self, path: Path, new: NDArray[np.intp]) -> Path:
        """The path up to where it has passed what is new, or to its end; as it is if there is no time for that."""
        limit, longer = self._limit, path
        while (
            longer.exit.kind is ExitKind.LENGTH and limit < self._most_events and not np.isin(new, longer.events).all()
        ):
            limit *= GROWTH
            longer = self._run(path.input, limit)
        if longer.exit.kind is ExitKind.TIMEOUT:
            return path
        if limit < self._most_events:
            self._limit = limit
        return longer

    def _with_end(self, path: Path, whole: Path) -> Path:
        """As one path: how the whole run ended, what it asked for and what it passed."""
        return replace(
            path,
            exit=whole.exit,
            fields=whole.fields,
            input_used=whole.input_used,
            cut_off=path.cut_off | CutOff.EVENTS,
            unseen=whole.passed if whole.unseen is None else whole.unseen,
        )


def functions_of_ids(program: ProgramMap) -> NDArray[np.intp]:
    """By id of an event, the index of its function; -1: none."""
    functions = np.full(program.id_count + 1, -1, np.intp)
    for function in program.functions:
        functions[[function.entry_id, function.return_id]] = function.index
    for branch in program:
        functions[branch.id] = branch.function
    return functions


def is_power(number: int, base: int) -> bool:
    """Whether it is 1, the base, its square and so on."""
    while number > 1 and number % base == 0:
        number //= base
    return number == 1
