"""One heuristic for many programs: what is learned without a program owes nothing to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from benchmarks.learning_general import FINALISTS, GENERAL, GENERATIONS, REPEATS, Search, Table, learned
from untaken.learn.objective import Measurement, Question, Weights
from untaken.learn.weight_space import WeightSpace

PROGRAMS = ("one", "two", "three")


@dataclass(slots=True)
class Column:
    """A made-up program: the weight of one feature counts, upwards or downwards."""

    feature: int
    sign: int = 1
    asked: int = 0

    @property
    def executions(self) -> int:
        return 300

    def measure(self, questions: Sequence[Question]) -> list[Measurement]:
        self.asked += len(questions)
        return [Measurement(100 + self.sign * 4 * each.weights[self.feature], 300) for each in questions]


def searches() -> dict[str, Search]:
    rng = Random(1)
    pool = [WeightSpace().sample(rng) for _ in range(12)]
    return {
        left: Search(tuple(name for name in PROGRAMS if name != left), dict.fromkeys(pool), Random(left))
        for left in (GENERAL, *PROGRAMS)
    }


def found(sign: int) -> dict[str, Weights]:
    """Where the third program likes its feature, or does not."""
    return learned(Table({"one": Column(0), "two": Column(1), "three": Column(2, sign)}), searches())


def test_what_is_learned_without_a_program_does_not_depend_on_it() -> None:
    liked, disliked = found(1), found(-1)
    assert liked["three"] == disliked["three"]
    assert all(liked[name] != disliked[name] for name in (GENERAL, "one", "two"))


def test_the_general_heuristic_is_good_on_all_programs() -> None:
    best = found(-1)[GENERAL]
    begun = searches()[GENERAL].pool

    def product(weights: Weights) -> float:
        return (100 + 4 * weights[0]) * (100 + 4 * weights[1]) * (100 - 4 * weights[2])

    assert product(best) > max(product(each) for each in begun)


def test_every_vector_runs_on_every_program_once_and_finalists_more_often() -> None:
    columns = {name: Column(feature) for feature, name in enumerate(PROGRAMS)}
    table, several = Table(columns), searches()
    learned(table, several)
    pool = several[GENERAL].pool
    assert len(pool) > 12 + GENERATIONS
    assert {column.asked for column in columns.values()} == {len(pool) + FINALISTS * REPEATS}
    assert table.executions == 300 * len(PROGRAMS) * (len(pool) + FINALISTS * REPEATS)
