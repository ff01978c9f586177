"""Runs of hybrid search that do not begin at the program's start, and what each of them is worth as one that does.

Only a run from the start, without any snapshot, can be a test: what seems to be new is done again that way, and
covered only if it is covered there too.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from untaken.errors import UsageError
from untaken.model.path import CONSTRAINT_DTYPE, Exit, ExitKind, Path
from untaken.model.stretch import Stretch
from untaken.search.attempts import Wander
from untaken.search.coverage import Coverage
from untaken.search.world import Snapshots

_HARMLESS_ENDS = (ExitKind.INPUTS, ExitKind.ASSUME)
_LAST_EVENTS = 32  # by which ends of runs are told apart
_NOTHING = Path(b"", np.zeros(0, np.uint32), np.zeros(0, CONSTRAINT_DTYPE), Exit(ExitKind.INPUTS))


class SnapshotRuns:
    """Lets the program wander and runs it from where it waits; with each, the path from the program's start."""

    def __init__(self, snapshots: Snapshots | None, coverage: Coverage) -> None:
        self._given = snapshots
        self._coverage = coverage
        self._bad_ends: set[tuple[Exit, bytes]] = set()

    @property
    def _snapshots(self) -> Snapshots:
        if self._given is None:
            raise UsageError("this program cannot be let run on random inputs: choose another --strategy than hybrid")
        return self._given

    def wander(self, attempt: Wander) -> tuple[Stretch, Path]:
        """On random inputs; the path is empty if there was nothing new."""
        stretch = self._snapshots.wander(attempt)
        failed = stretch.exit is not None and stretch.exit.kind not in _HARMLESS_ENDS
        if not stretch.reach and not failed:
            return stretch, _NOTHING
        return stretch, self._snapshots.replay(stretch.input if failed else stretch.input[: stretch.reach])

    def run(self, snapshot: int, input: bytes) -> tuple[Path, Path]:
        """From the snapshot on; and from the start, if it is worth the time: it covers something new or went wrong in
        a new way."""
        path = self._snapshots.run_from(snapshot, input)
        end = (path.exit, path.events[-_LAST_EVENTS:].tobytes())
        failed = path.exit.kind not in _HARMLESS_ENDS and end not in self._bad_ends
        if not failed and not self._coverage.would_grow(path.events):
            return path, replace(path, exit=_NOTHING.exit)
        self._bad_ends.add(end)
        return path, self._snapshots.replay(self._snapshots.whole_input(path))
