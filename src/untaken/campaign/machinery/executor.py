"""The search's executor over a real program in its session.

Expressions live in one table for the whole campaign. When it is nearly full it is cleared, and the constraints of
all older paths name nothing any more: such a path is run again before it is flipped.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from untaken.campaign.config import ENDLESS_INPUTS, MOST_ENDLESS_INPUTS
from untaken.campaign.machinery.lengths import RunLengths
from untaken.execute.session import Session
from untaken.execute.trace_reader import Glance
from untaken.execute.wanderer import Wanderer, WanderManner
from untaken.model.burst import ChangedInputs
from untaken.model.path import DamagedTrace, ExitKind, Path
from untaken.model.program import ProgramMap
from untaken.model.stretch import Stretch
from untaken.search.attempts import Wander
from untaken.search.world import Glimpse, Sight

MANY_INPUTS = 1_000
ENDLESS = (
    f"the program asks for input without end: executions end after {ENDLESS_INPUTS} inputs from now on, and later if "
    "nothing new is covered; --inputs N sets a limit, --strategy hybrid goes deeper"
)
PATIENCE = 10  # a run that is recorded takes so much longer than one that wanders
SAME_COLUMNS = ("id", "taken", "kind", "position")
TROUBLE = (ExitKind.SIGNAL, ExitKind.MEMORY, ExitKind.ERROR)
_LATE = ExitKind.TIMEOUT
_NO_MERIT: tuple[bytes | None, int] = (None, 0)  # an input that was run without its path, and how many ids were new


class SessionExecutor:
    """Runs inputs in a session; renews its table of expressions in time."""

    def __init__(
        self,
        session: Session,
        program: ProgramMap,
        ended: frozenset[bytes] = frozenset(),
        note: Callable[[str], None] = lambda text: None,
    ) -> None:
        """`ended`: inputs at whose end the run is to end, too."""
        self.session = session
        self._lengths = RunLengths(session, program)
        self._ended = ended
        self._note = note
        self.renewals = 0
        self.reruns = 0
        self._renewed: tuple[Path, Path] | None = None  # the last path that was run again, and what came of it
        self._wanderer = Wanderer(session)
        self._horizon = 1
        self._told: set[str] = set()
        self._troubles: set[tuple[ExitKind, int, int]] = set()  # that runs without a path ended in, and where
        self._merit = _NO_MERIT
        self._is_endless = False
        self._wandered = 0.0  # seconds, since the program that wanders was started

    def run(self, input: bytes) -> Path:
        self._renew_in_time()
        if input in self._ended:
            return self.session.replay(input)
        path = self._lengths.run(input)
        if path.exit.kind is _LATE and self._has_no_end(path):
            self._note(ENDLESS)
            self._is_endless = True
            self.session.input_limit = ENDLESS_INPUTS
            self.session.clear_expressions()  # how many there are is a matter of time: the same seed, the same tests
            path = self._lengths.run(input)
        if self._merit[0] == input:
            path = replace(path, new_ids=path.new_ids + self._merit[1])
            self._merit = _NO_MERIT
        return path

    def glance(self, changes: ChangedInputs, runs: range, passes: NDArray[np.uint8]) -> Sight:
        """Where something is new the input is run again, and that run has the merit."""
        glance = self._lengths.burst(changes, runs, passes)
        glimpse = self._glimpse(glance)
        was_cut = glance.exit is not None and glance.exit.kind is ExitKind.INPUTS
        again = glimpse is not Glimpse.NOTHING and was_cut
        return Sight(glimpse, glance.input, glance.runs, glance.short - again)

    def _glimpse(self, glance: Glance) -> Glimpse:
        if glance.exit is None:
            return Glimpse.NEW
        trouble = (glance.exit.kind, glance.exit.code, glance.last_event)
        if glance.new_ids or (glance.exit.kind in TROUBLE and trouble not in self._troubles):
            self._troubles.add(trouble)
            self._merit = glance.input, glance.new_ids
            return Glimpse.NEW
        return Glimpse.OFTENER if glance.is_oftener else Glimpse.NOTHING

    @property
    def endless_inputs(self) -> int:
        """The limit of inputs that was set here; 0: the program ends, or the user gave one."""
        return self.session.input_limit if self._is_endless else 0

    def go_on_with(self, endless_inputs: int) -> None:
        """An earlier run of the campaign had come to this limit."""
        if endless_inputs and not self.session.input_limit:
            self._is_endless = True
            self.session.input_limit = endless_inputs

    def more_inputs(self) -> bool:
        """Doubles the limit of inputs that was set here, not one that the user gave; whether that was possible."""
        limit = self.session.input_limit
        if not self._is_endless or limit >= MOST_ENDLESS_INPUTS:
            return False
        self.session.input_limit = 2 * limit
        self._note(f"nothing new was covered within {limit} inputs: executions end after {2 * limit} from now on")
        return True

    def begin_afresh_if_damaged(self, error: Exception) -> None:
        """Something went wrong with expressions. If a run has written over them, the campaign goes on without; else it
        is a fault of ours, and not hidden."""
        if not isinstance(error, DamagedTrace) and self.session.is_sound():
            raise error
        self._wanderer.close()
        self.session.begin_afresh()

    def record_windows(self) -> None:
        """From the next run on, paths come with the windows of their constraints."""
        self.session.windows = True

    def record_reach(self) -> None:
        """From the next run on, it is known which bytes of the input expressions depend on."""
        self.session.reach = True

    def _has_no_end(self, path: Path) -> bool:
        """Of a run that was late: whether it was still asking for input, where no limit was given."""
        return not self.session.input_limit and len(path.fields) >= MANY_INPUTS

    def _renew_in_time(self) -> None:
        if self.session.expressions.nearly_full:
            self.session.clear_expressions()
            self.renewals += 1

    # ---- snapshots: see search.world.Snapshots

    def wander(self, attempt: Wander) -> Stretch:
        self._horizon = attempt.horizon
        manner = WanderManner(attempt.seed, attempt.saturation, attempt.longest)
        begun = time.monotonic()
        if attempt.snapshot:
            stretch = self._wanderer.resume(attempt.snapshot, attempt.input, manner)
        else:
            self._wandered = 0.0
            stretch = self._wanderer.start(manner)
        self._wandered += time.monotonic() - begun
        self._tell()
        return stretch

    def _tell(self) -> None:
        """What kept snapshots from being taken, or from being exact: said once."""
        for text in self._wanderer.notes:
            if text not in self._told:
                self._told.add(text)
                self._note(text)

    def run_from(self, snapshot: int, input: bytes) -> Path:
        self._renew_in_time()
        return self._wanderer.run(snapshot, input, self._horizon)

    def whole_input(self, path: Path) -> bytes:
        return self._wanderer.whole_input(path)

    def replay(self, input: bytes) -> Path:
        return self.session.replay(input, more_seconds=PATIENCE * self._wandered)

    def close(self) -> None:
        """Ends the program that wanders."""
        self._wanderer.close()

    def current(self, path: Path, count: int) -> Path | None:
        """The path with nodes of the present table; None if it does not repeat its first `count` constraints."""
        if path.generation == self.session.expressions.generation:
            return path
        if self._renewed is None or self._renewed[0] is not path or self._stale(self._renewed[1]):
            self.reruns += 1
            self._renewed = path, self._again(path)
        again = self._renewed[1]
        old, new = path.constraints[:count], again.constraints[:count]
        same = len(old) == len(new) and all(np.array_equal(old[column], new[column]) for column in SAME_COLUMNS)
        return again if same else None

    def _again(self, path: Path) -> Path:
        if path.snapshot:
            return self._wanderer.run(path.snapshot, path.input, self._horizon)
        return self.session.run(path.input)

    def _stale(self, path: Path) -> bool:
        return path.generation != self.session.expressions.generation
