"""Places that cost the solver much and answer nothing are asked ever more rarely, and have their turn in the end."""

from __future__ import annotations

from collections import Counter

from tests.search.test_driver import driver_of
from tests.search.trees import Fork, Tree, full
from untaken.model.effort import Effort
from untaken.model.path import Path
from untaken.search.attempts import Finish, Steps, Verdict
from untaken.search.budget import Budget, Ending
from untaken.search.strategies.dfs import dfs
from untaken.search.view import SearchView
from untaken.search.world import NoSolution, Solution

EXPENSIVE = 4_000  # steps


class Costly(Tree):
    """A tree whose first decision has no other side, which the solver finds out at a high price."""

    def __init__(self, depth: int) -> None:
        super().__init__(Fork(None, full(depth)))
        self.effort = Effort()
        self.asked: Counter[int] = Counter()

    def solve_flip(self, path: Path, index: int, fill: bytes | None = None) -> Solution | NoSolution:
        self.asked[index] += 1
        self.effort.spend(EXPENSIVE if index == 0 else 1)
        return super().solve_flip(path, index, fill)


def insistent(search: SearchView) -> Steps:
    """Flips the first decision, and then another, over and over."""
    path: Path = yield search.initial()
    while True:
        yield search.flip(path, 0)
        yield search.flip(path, 1)


def test_a_place_that_never_answers_is_asked_ever_more_rarely() -> None:
    tree = Costly(1)
    driver = driver_of(tree, insistent, Budget(iterations=1_000), effort=tree.effort)
    driver.run()
    put_off = driver.search.tally.verdicts[Verdict.PUT_OFF]
    assert tree.asked[0] + put_off == 1_000 - 1  # each of them was either asked or told that it was put off
    assert 6 <= tree.asked[0] < 60
    assert tree.asked[1] == 999


def test_a_place_that_answers_cheaply_is_never_put_off() -> None:
    tree = Costly(6)
    driver = driver_of(tree, dfs, Budget(iterations=40), effort=tree.effort)
    driver.run()
    assert driver.search.tally.verdicts[Verdict.PUT_OFF] == 0


def first_only(search: SearchView) -> Steps:
    """Has nothing to ask but the first decision."""
    path: Path = yield search.initial()
    for _ in range(50):
        yield search.flip(path, 0)
    return None


def test_what_was_put_off_has_its_turn_when_all_else_is_dry() -> None:
    tree = Costly(1)
    driver = driver_of(tree, first_only, Budget(iterations=12), effort=tree.effort)
    assert driver.run() is Ending.ITERATIONS  # not stuck, nor exhausted
    lives = driver.search.tally.restarts + 1
    assert tree.asked[0] > 6 + lives  # more than the first ones, and more in later lives


def claims_all(search: SearchView) -> Steps:
    """Says that it has tried everything."""
    path: Path = yield search.initial()
    for _ in range(20):
        yield search.flip(path, 0)
    return Finish.EXHAUSTED


def test_a_flip_that_was_put_off_ends_no_proof() -> None:
    tree = Costly(0)
    driver = driver_of(tree, claims_all, Budget(iterations=2), effort=tree.effort)
    assert driver.run() is Ending.ITERATIONS
    cheap = Costly(0)
    driver = driver_of(cheap, claims_all, Budget(iterations=2))  # where nothing is counted
    assert driver.run() is Ending.EXHAUSTED


def test_the_same_seed_makes_the_same_decisions() -> None:
    counts = []
    for _ in range(2):
        tree = Costly(3)
        driver_of(tree, insistent, Budget(iterations=300), effort=tree.effort).run()
        counts.append(tree.asked)
    assert counts[0] == counts[1]


class Hard(Tree):
    """A tree whose first decision has an answer, which takes more steps than a question is allowed at first."""

    def __init__(self, needed: int, depth: int = 3) -> None:
        super().__init__(full(depth))
        self.effort = Effort()
        self.needed = needed
        self.allowed: list[int] = []

    def solve_flip(self, path: Path, index: int, fill: bytes | None = None) -> Solution | NoSolution:
        if index:
            return super().solve_flip(path, index, fill)
        self.allowed.append(self.effort.left)
        if self.effort.left < self.needed:
            self.effort.spend(self.effort.left)
            return NoSolution.PUT_OFF
        self.effort.spend(self.needed)
        return super().solve_flip(path, index, fill)


def test_a_question_that_gives_up_is_asked_again_with_more() -> None:
    tree = Hard(5_000, depth=8)
    driver = driver_of(tree, insistent, Budget(iterations=20_000), effort=tree.effort)
    driver.run()
    tries = tree.allowed[: tree.allowed.index(max(tree.allowed)) + 1]
    assert tries[0] < tree.needed <= tries[-1]
    assert driver.search.tally.verdicts[Verdict.HELD] > driver.search.tally.verdicts[Verdict.UNKNOWN] == 0


def test_no_question_takes_more_than_its_share_while_there_is_other_work() -> None:
    tree = Hard(1 << 40, depth=8)  # sides that were never taken are many: this one is nothing special
    driver = driver_of(tree, insistent, Budget(iterations=3_000), effort=tree.effort)
    driver.run()
    work = tree.effort.spent + 4 * driver.search.tally.run_cost
    assert max(tree.allowed) <= max(4_000, 0.02 * work)


def test_a_question_that_gave_up_may_take_more_when_all_else_is_dry() -> None:
    tree = Hard(100_000)
    driver = driver_of(tree, first_only, Budget(iterations=200), effort=tree.effort)
    driver.run()
    assert max(tree.allowed) >= 100_000
    assert driver.search.tally.verdicts[Verdict.HELD] > 0


class Hopeless(Hard):
    """A tree whose first decision is given up at once, each time."""

    def solve_flip(self, path: Path, index: int, fill: bytes | None = None) -> Solution | NoSolution:
        if index:
            return super().solve_flip(path, index, fill)
        self.allowed.append(self.effort.left)
        self.effort.spend(1)
        return NoSolution.PUT_OFF


def test_a_question_may_be_given_up_thousands_of_times() -> None:
    tree = Hopeless(0)
    driver = driver_of(tree, insistent, Budget(iterations=3_000), effort=tree.effort)
    assert driver.run() is Ending.ITERATIONS
    assert len(tree.allowed) > 1_100
