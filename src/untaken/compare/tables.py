"""The figures as text: one set of cells for the terminal, for Markdown and for the page, and everything as CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from untaken.compare.statistics import DECILES, Comparison, Pair, Row
from untaken.trials.trial import Trial

NEVER = "–"


@dataclass(frozen=True, slots=True)
class Table:
    """A head and rows of cells; the first column is a name, the others are figures."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def tables(comparison: Comparison) -> tuple[Table, ...]:
    """The tables that terminal, page and files all show."""
    made = [coverage_table(comparison), speed_table(comparison)]
    return (*made, pair_table(comparison.pairs)) if comparison.pairs else tuple(made)


def coverage_table(comparison: Comparison) -> Table:
    head = ("strategy", "trials", "mean", "sd", "min", "max", "absolute", "relative", "only here", "iterations", "s")
    title = (
        f"Branches covered, of {comparison.total} in all and {comparison.reachable} in functions that were reached; "
        f"all trials together cover {comparison.together}"
    )
    return Table(title, head, tuple(coverage_cells(row) for row in comparison.rows))


def coverage_cells(row: Row) -> tuple[str, ...]:
    return (
        row.strategy,
        str(row.trials),
        f"{row.mean:.1f}",
        f"{row.deviation:.1f}",
        str(row.least),
        str(row.most),
        f"{row.absolute:.1%}",
        f"{row.relative:.1%}",
        str(len(row.exclusive)),
        f"{row.iterations:,.0f}",
        f"{row.seconds:.1f}",
    )


def speed_table(comparison: Comparison) -> Table:
    title = f"Iterations to a share of the best trial's {comparison.best} branches, median ({NEVER}: most never did)"
    cells = (
        (row.strategy, *(NEVER if count is None else f"{count:,}" for count in row.iterations_to))
        for row in comparison.rows
    )
    return Table(title, ("strategy", *(f"{10 * decile}%" for decile in DECILES)), tuple(cells))


def pair_table(pairs: Sequence[Pair]) -> Table:
    head = ("pair", "p", "p adjusted", "A12", "effect")
    cells = (
        (
            f"{pair.first} / {pair.second}",
            probability(pair.p),
            probability(pair.adjusted),
            f"{pair.a12:.2f}",
            f"{pair.size}{'' if pair.significant else ', may be chance'}",
        )
        for pair in pairs
    )
    return Table("Pairs: Mann-Whitney, Holm's adjustment, Vargha and Delaney's A12", head, tuple(cells))


def probability(p: float) -> str:
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def markdown(shown: Iterable[Table]) -> str:
    """All tables, each under its title."""
    return "\n".join(markdown_table(table) for table in shown)


def markdown_table(table: Table) -> str:
    lines = [table.head, ("---", *("---:" for _ in table.head[1:])), *table.rows]
    return f"{table.title}:\n\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines)


# ---- CSV

TRIAL_HEAD = (
    "strategy,trial,seed,branches,branches_total,branches_reached,iterations,seconds,ended_by,queries,solver_seconds,"
    "divergences,findings"
).split(",")
GROWTH_HEAD = ("strategy", "trial", "seed", "iteration", "seconds", "branches")


def write_csv(trials: Sequence[Trial], folder: Path) -> None:
    """trials.csv: a line a trial; growth.csv: a line a moment in which coverage grew."""
    write_rows(folder / "trials.csv", TRIAL_HEAD, map(trial_cells, trials))
    steps = (
        (trial.strategy, trial.number, trial.seed, step.iteration, step.seconds, step.branches)
        for trial in trials
        for step in trial.growth
    )
    write_rows(folder / "growth.csv", GROWTH_HEAD, steps)


def trial_cells(trial: Trial) -> tuple[object, ...]:
    return (
        trial.strategy,
        trial.number,
        trial.seed,
        len(trial.covered),
        trial.total,
        sum(trial.functions.values()),
        trial.iterations,
        trial.seconds,
        trial.ended_by,
        trial.queries,
        trial.solver_seconds,
        trial.divergences,
        trial.findings,
    )


def write_rows(place: Path, head: Sequence[str], rows: Iterable[tuple[object, ...]]) -> None:
    with place.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(head)
        writer.writerows(rows)
