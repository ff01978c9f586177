"""One heuristic for many programs, and what one is worth on a program that it was not learned on.

One table serves both: each vector of a pool runs a campaign on every program. The general heuristic is looked for by
all columns. For each program there is a search as well that sees the others only: its pool holds random vectors, those
that were learned for the other programs, and children that it chose itself. So nothing that it finds owes anything to
the program that is left out, although all searches share their campaigns.

A vector's score is the mean over programs of the logarithm of what it covers: what counts is by how much more it covers
than another in percent, so no program counts more than another because it is large.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from statistics import fmean

from benchmarks.learning_bench import SUBJECTS, bench, command, fresh_average
from untaken.learn.ledger import best_first
from untaken.learn.methods.fast import PARENTS, promising
from untaken.learn.objective import Objective, Question, Weights
from untaken.learn.surrogate import Surrogate
from untaken.learn.weight_space import WeightSpace
from untaken.search.heuristics.features.table import NAMES
from untaken.search.heuristics.heuristic import Figures
from untaken.search.heuristics.heuristic_files import (
    general_heuristic,
    heuristic_by_hand,
    of_weights,
    read_heuristic,
    write_heuristic,
)

GENERATIONS = 3
CHILDREN = 2  # of each search in a generation
FINALISTS = 3  # of the search for the general heuristic, which is to ship
REPEATS = 2  # more campaigns of theirs on each program
FIND_TRIAL = 1
GENERAL = "general"
NO_WEIGHTS = (0.0,) * len(NAMES)
SET_BY_HAND: Weights = heuristic_by_hand().vector  # what shipped before anything was learned


@dataclass(slots=True)
class Table:
    """What vectors cover on each program, in one trial or more."""

    columns: Mapping[str, Objective]
    cells: dict[tuple[Weights, int], dict[str, float]] = field(default_factory=dict)
    executions: int = 0

    def fill(self, weights: Iterable[Weights], trials: Sequence[int]) -> None:
        asked = [Question(each, trial) for each in dict.fromkeys(weights) for trial in trials]
        new = [question for question in asked if (question.weights, question.trial) not in self.cells]
        for name, campaigns in self.columns.items():
            for question, answer in zip(new, campaigns.measure(new), strict=True):
                self.cells.setdefault((question.weights, question.trial), {})[name] = math.log(max(1.0, answer.score))
                self.executions += answer.executions


@dataclass(slots=True)
class Search:
    """Looks for weights that are good on some programs, and sees nothing of the others."""

    seen: tuple[str, ...]
    pool: dict[Weights, None]
    rng: Random

    def children(self, table: Table) -> list[Weights]:
        """Those that may well be best."""
        surrogate = self._surrogate(table)
        pool = list(self.pool)
        parents = best_first(pool, surrogate.guesses(pool))[:PARENTS]
        return promising(surrogate, parents, CHILDREN, self.rng)

    def best(self, table: Table) -> list[Weights]:
        pool = list(self.pool)
        return best_first(pool, self._surrogate(table).guesses(pool))

    def average(self, table: Table, weights: Weights) -> tuple[float, int]:
        """Branches, as the geometric mean over programs and trials; and how many trials that is."""
        scores = [self._score(cells) for (each, _), cells in table.cells.items() if each == weights]
        return math.exp(fmean(scores)), len(scores)

    def _surrogate(self, table: Table) -> Surrogate:
        known = [(each, self._score(cells)) for (each, _), cells in table.cells.items() if each in self.pool]
        surrogate = Surrogate()
        surrogate.learn([each for each, _ in known], [score for _, score in known], 1.0)
        return surrogate

    def _score(self, cells: dict[str, float]) -> float:
        return fmean(cells[name] for name in self.seen)


def general(options: argparse.Namespace) -> None:
    """The best weights over all programs, and over all but each: general.json and without-NAME.json."""
    benches = [bench(name, options) for name in options.programs]
    table = Table({one.name: one.campaigns(f"table-{one.name}", options.method_iterations) for one in benches})
    searches = begun(options)
    found = learned(table, searches)
    branches = {one.name: len(one.target.map.branches) for one in benches}
    for name, best in found.items():
        search = searches[name]
        write(place_of(options.work, name), search, best, table, sum(branches[each] for each in search.seen), options)


def learned(table: Table, searches: Mapping[str, Search]) -> dict[str, Weights]:
    """What each search ends with. The last word on the general heuristic is that of its finalists' campaigns."""
    table.fill((each for search in searches.values() for each in search.pool), [FIND_TRIAL])
    for number in range(1, GENERATIONS + 1):
        told(number, searches[GENERAL], table)
        born = {name: search.children(table) for name, search in searches.items()}
        table.fill((each for brood in born.values() for each in brood), [FIND_TRIAL])
        for name, brood in born.items():
            searches[name].pool |= dict.fromkeys(brood)
            searches[GENERAL].pool |= dict.fromkeys(brood)
    found = {name: search.best(table)[0] for name, search in searches.items()}
    # Only now: who runs more campaigns is decided by all programs, and the searches that miss one must not know.
    table.fill(searches[GENERAL].best(table)[:FINALISTS], range(FIND_TRIAL, FIND_TRIAL + REPEATS + 1))
    told(GENERATIONS + 1, searches[GENERAL], table)
    return found | {GENERAL: searches[GENERAL].best(table)[0]}


def begun(options: argparse.Namespace) -> dict[str, Search]:
    """All begin with the same random vectors, and with what was learned for the programs that they see."""
    rng = Random(options.seed)
    strangers = [WeightSpace().sample(rng) for _ in range(options.samples)]
    programs: list[str] = options.programs
    searches = {}
    for left in (GENERAL, *programs):
        seen = tuple(name for name in programs if name != left)
        known = [NO_WEIGHTS, *(each for name in seen for each in learned_for(options.work, name))]
        known += [SET_BY_HAND] if left == GENERAL else []
        searches[left] = Search(seen, dict.fromkeys([*strangers, *known]), Random(f"{options.seed} {left}"))
    return searches


def learned_for(work: Path, name: str) -> Iterator[Weights]:
    """By the stages `tune` and `methods`, if they were run."""
    own, several = work / f"{name}.json", work / f"{name}-methods.json"
    if own.exists():
        yield read_heuristic(own).vector
    if several.exists():
        for courses in json.loads(several.read_text()).values():
            if "fast" in courses:
                yield tuple(courses["fast"][-1]["weights"])


def told(number: int, search: Search, table: Table) -> None:
    best = search.best(table)[0]
    average, trials = search.average(table, best)
    print(f"generation {number}: {len(search.pool)} vectors, {table.executions:,} executions;", end=" ")
    print(f"the best covers {average:.1f} branches ({trials} trials)", flush=True)


def place_of(work: Path, left: str) -> Path:
    return work / ("general.json" if left == GENERAL else f"without-{left}.json")


def write(place: Path, search: Search, best: Weights, table: Table, branches: int, options: argparse.Namespace) -> None:
    average, trials = search.average(table, best)
    figures = Figures(round(average, 3), trials, options.method_iterations, "table", table.executions, options.seed)
    found = replace(of_weights(best), program=", ".join(search.seen), branches=branches, figures=figures)
    write_heuristic(place, found)


def leave_one_out(options: argparse.Namespace) -> None:
    """Tries on each program, with fresh seeds, what `general` has found without it."""
    place = options.work / "leave-one-out.json"
    rows = json.loads(place.read_text()) if place.exists() else {}
    for name in options.programs:
        judge = bench(name, options).campaigns(f"judge-{name}", options.method_iterations)
        tried = {
            "unseen": read_heuristic(place_of(options.work, name)).vector,
            "shipped": general_heuristic().vector,
            "by hand": SET_BY_HAND,
            "no weights": NO_WEIGHTS,
        }
        rows[name] = {label: fresh_average(judge, weights, options.trials) for label, weights in tried.items()}
        rows[name] |= by_strategies(name, options)
        place.write_text(json.dumps(rows, indent=1))


def by_strategies(name: str, options: argparse.Namespace) -> dict[str, float]:
    """What others cover in campaigns as short."""
    out = options.work / f"{name}-short-comparison"
    words = ["--strategies", options.strategies, "--trials", options.trials, "--jobs", options.jobs, "--out", out]
    words += ["--iterations", options.method_iterations, *SUBJECTS[name].inputs]
    command(["compare", *bench(name, options).config.targets, *words])
    results = json.loads((out / "results.json").read_text())
    return {row["strategy"]: row["mean"] for row in results["rows"]}
