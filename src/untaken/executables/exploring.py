"""Explores an image: a campaign that learns where computed jumps lead, and goes on with more of the program lifted."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import replace

from untaken.campaign.config import Config
from untaken.campaign.folder.resume import CHANGED
from untaken.campaign.summary import Explored, Summary
from untaken.campaign.watcher import Snapshot, Watcher
from untaken.executables.lifting import Lifted
from untaken.executables.machine_code.control_flow import Learnt
from untaken.executables.met_targets import forget_lifted, with_target
from untaken.executables.options import ImageOptions
from untaken.executables.target import build_target, keep_learnt, read_learnt
from untaken.suite.findings import Finding
from untaken.team.start import run_with_workers

PATIENCE = 100  # runs without a new target, before what is known of them is lifted
MOST_TARGETS = 64  # after so many it is lifted at once
SHARE = 10  # of a budget of iterations, what is waited at most
LAST_ROUNDS = 3  # builds after the budget is used up: what was met last is lifted, and is no finding
INPUTS = 100  # reads of ports in one run, if nothing else is said
_RESERVED = re.compile(r"fn__(?!_vector_)")


class LearningWatcher(Watcher):
    """Collects targets that are not lifted; everything else goes to the one that the user sees."""

    def __init__(self, shown: Watcher, learnt: Learnt, patience: int = PATIENCE) -> None:
        self._shown = shown
        self._patience = patience
        self._goes_on = False
        self._told: set[str] = set()
        self.learnt = learnt
        self._new = 0
        self._since = 0

    def begin(self, title: str, look: Callable[[], Snapshot]) -> None:
        self._shown.begin(title, look)

    def tick(self, runs: int = 1) -> None:
        self._since += runs
        self._shown.tick(runs)

    def note(self, text: str) -> None:
        """That the program has changed, nobody needs to be told who was told that more of it was lifted."""
        if not (self._goes_on and text.startswith(CHANGED)):
            self._shown.note(text)

    def found(self, finding: Finding) -> None:
        learnt = with_target(self.learnt, finding.what)
        if learnt is None:
            if finding.what not in self._told:
                self._shown.found(finding)
            self._told.add(finding.what)
        elif learnt != self.learnt:
            self.learnt = learnt
            self._new += 1
            self._since = 0

    def summarised(self, summary: Summary) -> None:
        self._shown.summarised(summary)

    def has_seen_enough(self) -> bool:
        waited = self._since >= self._patience or self._new >= MOST_TARGETS
        return (self._new > 0 and waited) or self._shown.has_seen_enough()

    def end(self) -> None:
        self._shown.end()

    def go_on(self) -> None:
        """With another campaign, of a program that has all targets: what is known by now is not told again."""
        self._goes_on = True
        self._new = self._since = 0

    @property
    def new_targets(self) -> int:
        return self._new


def without_compilers_own(lifted: Lifted) -> tuple[str, ...]:
    """Functions that are to be covered: names with an underscore first are the compiler's; none: all of them are.

    Handlers of the AVR are called like that, but are the program's, and so is what the run begins with.
    """
    entry = lifted.entry_name
    own = [name for name in lifted.functions.values() if name == entry or not _RESERVED.match(name)]
    return tuple(own) if len(own) > 1 and len(own) < len(lifted.functions) else ()


def explore(
    config: Config, options: ImageOptions, watcher: Watcher, only_in: Callable[[Lifted], tuple[str, ...]]
) -> Explored:
    """One campaign in as many parts as it takes; `only_in` names the functions that are to be covered."""
    if config.inputs is None and options.ports:
        config = replace(config, inputs=INPUTS)
    learnt = read_learnt(config.out)
    seen: set[str] = set()
    patience = PATIENCE if config.iterations is None else max(1, min(PATIENCE, config.iterations // SHARE))
    learning = LearningWatcher(watcher, learnt, patience)
    last_rounds = 0
    while True:
        target, lifted = build_target(options, learnt, config.out, watcher.note)
        for note in lifted.notes:
            if note not in seen:
                watcher.note(note)
                seen.add(note)
        begun = time.monotonic()
        summary = run_with_workers(replace(config, only_in=only_in(lifted)), target, learning)
        if not summary.interrupted:
            forget_lifted(config.out, learnt)
        if not learning.new_targets or summary.interrupted:
            return Explored(summary, target.map)
        learnt = learning.learnt
        keep_learnt(config.out, learnt)
        left = _left(config, summary, time.monotonic() - begun)
        if left is None and last_rounds == LAST_ROUNDS:
            return Explored(summary, target.map)
        last_rounds += left is None
        config = left or replace(config, iterations=1, time=None)
        watcher.note(_met(learning.new_targets))
        learning.go_on()


def _met(targets: int) -> str:
    told = (
        "1 target of a computed jump was met: it is"
        if targets == 1
        else f"{targets} targets of computed jumps were met: they are"
    )
    return f"{told} lifted, and the search goes on"


def _left(config: Config, summary: Summary, seconds: float) -> Config | None:
    """The settings with what is left of the budget; None: nothing is."""
    iterations, time_left = config.iterations, config.seconds
    if iterations is not None:
        iterations -= summary.run_iterations
    if time_left is not None:
        time_left -= seconds
    if (iterations is not None and iterations <= 0) or (time_left is not None and time_left <= 0):
        return None
    return replace(config, iterations=iterations, time=time_left)
