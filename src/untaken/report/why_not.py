"""Why each uncovered branch is not covered, as far as a campaign knows.

A branch whose other side was taken has an obstacle of its own (campaign/obstacles.py). One whose condition was never
evaluated lies behind another: the nearest branch of the frontier from which only uncovered code leads to it guards it.
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass

from untaken.campaign.obstacles import Obstacle, Obstacles
from untaken.model.program import NO_BRANCH, Branch, ProgramMap
from untaken.search.attempts import Verdict
from untaken.search.coverage import Coverage
from untaken.search.program.frontier import frontier_of, opens

GUARDED = "guarded"
UNREACHED = "unreached"
# For filters: a name for each reason, in a few words.
SHORT = {
    GUARDED: "never reached: behind another branch",
    UNREACHED: "never reached",
    Obstacle.CONCRETE.name.lower(): "concrete: not seen to depend on the input anew",
    Obstacle.UNTRIED.name.lower(): "not tried yet",
    Obstacle.INFEASIBLE.name.lower(): "unsatisfiable each time",
    Obstacle.UNKNOWN.name.lower(): "the solver gave up",
    Obstacle.DIVERGED.name.lower(): "runs diverged",
    Obstacle.PRUNED.name.lower(): "pruned",
    Obstacle.PUT_OFF.name.lower(): "put off",
    Obstacle.REJECTED.name.lower(): "only where an assumption fails",
}
_SAID = {
    Obstacle.CONCRETE: "Concrete here: whenever it was decided, nothing that it depends on was seen to come from the "
    "input, or the very same condition had been decided before on the path.",
    Obstacle.UNTRIED: "It depends on the input, and no flip to this side was tried yet: more time may cover it.",
    Obstacle.INFEASIBLE: "Unsatisfiable each time: on none of the paths that were tried does an input take this side.",
    Obstacle.UNKNOWN: "The solver gave up, or its guess was wrong: whether an input takes this side is not known.",
    Obstacle.DIVERGED: "The solver found inputs, but runs on them went elsewhere: something is not followed exactly.",
    Obstacle.PRUNED: "Skipped by --prune: the rule says that nothing uncovered can lie behind these flips.",
    Obstacle.PUT_OFF: "Put off: flips here cost much and brought nothing; they have their turn when all else is tried.",
    Obstacle.REJECTED: "Only runs that then fail an assumption of the program take this side, and these cover nothing.",
}
_VERDICTS = {
    Verdict.INFEASIBLE: "unsatisfiable",
    Verdict.UNKNOWN: "without an answer",
    Verdict.DIVERGED: "diverged",
    Verdict.PRUNED: "pruned",
    Verdict.PUT_OFF: "put off",
    Verdict.REPEATED: "of an input that was run before",
    Verdict.HELD: "taken",
}


@dataclass(frozen=True, slots=True)
class WhyNot:
    """The reason of one uncovered branch; `said` is empty for those that are never reached."""

    reason: str  # a key of SHORT
    said: str = ""
    guard: int = 0  # the branch that guards it
    opens: int = 0  # uncovered branches that only taking it may lead to, itself included; 0: not of the frontier

    @property
    def is_concrete(self) -> bool:
        """Whether nothing that decides it was seen to depend on the input."""
        return self.reason == Obstacle.CONCRETE.name.lower()


def why_not(program: ProgramMap, coverage: Coverage, obstacles: Obstacles) -> dict[int, WhyNot]:
    """Why each uncovered branch was not taken, by its id."""
    frontier = list(frontier_of(program, coverage))
    found = {
        int(branch.id): _beside_covered(branch, obstacles, opened)
        for branch, opened in zip(frontier, opens(program, coverage, frontier), strict=True)
    }
    guards = _Guards(program, coverage).of_all(frontier)
    for branch in program:
        if not coverage.hit[branch.id] and branch.id not in found:
            guard = guards.get(int(branch.id), 0)
            found[int(branch.id)] = WhyNot(GUARDED if guard else UNREACHED, guard=guard)
    return found


def _beside_covered(branch: Branch, obstacles: Obstacles, opened: int) -> WhyNot:
    obstacle = obstacles.of(branch.id)
    flips = _counted(obstacles.flips(branch.id))
    return WhyNot(obstacle.name.lower(), f"{_SAID[obstacle]}{flips}", opens=opened)


def _counted(flips: Counter[Verdict]) -> str:
    parts = [f"{flips[verdict]:,} {words}" for verdict, words in _VERDICTS.items() if flips[verdict]]
    return f" Flips: {', '.join(parts)}." if parts else ""


class _Guards:
    """Walks from all branches of the frontier at once through what is uncovered: who comes first guards."""

    def __init__(self, program: ProgramMap, coverage: Coverage) -> None:
        self._program = program
        self._hit = coverage.hit.tobytes()
        self._guard: dict[int, int] = {}  # by branch
        self._seen: set[int] = set()  # blocks, by number
        self._next: deque[tuple[int, int]] = deque()  # blocks to go on from, with the guard

    def of_all(self, frontier: list[Branch]) -> dict[int, int]:
        """By branch that lies behind one of the frontier."""
        for branch in frontier:
            for block in self._program.blocks_behind(branch.id):
                self._reach(block, int(branch.id))
        while self._next:
            self._walk(*self._next.popleft())
        return self._guard

    def _reach(self, block: int, guard: int) -> None:
        if block not in self._seen:
            self._seen.add(block)
            self._next.append((block, guard))

    def _walk(self, block: int, guard: int) -> None:
        for passed, other in self._program.ways[block]:
            if passed == NO_BRANCH or not self._hit[passed]:
                if passed in self._program.branches and passed != guard:
                    self._guard.setdefault(passed, guard)
                self._reach(other, guard)
