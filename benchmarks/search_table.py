"""One table for every idea about the search: programs by strategies, branches after so many iterations.

    python benchmarks/search_table.py [--trials N] [--iterations N,N] [--strategies A,B] [--programs A,B]
                                      [--own FILE.c:STDIN ...] [--tree TREE] [--against TREE] [--out DIR]
                                      [--seed N] [--jobs N]

Each cell is the median over the trials, with the least and the most. The geometric means hold each strategy against the
first one; that is `auto` of another work tree if --against names one. With --tree the strategies are those of that work
tree. All figures are counted in iterations: how busy the machine is makes no difference. What is in the output folder
already is not run again, so a table may grow by programs, trials and strategies. `--programs everyday` are programs as
people write them (benchmarks/everyday): readers of formats, small languages, records with states.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, log
from pathlib import Path
from statistics import mean, median

TREE = Path(__file__).resolve().parent.parent
HERE = "this"
OTHER = "other"


@dataclass(frozen=True, slots=True)
class Program:
    """Sources below the tree, and what of the input is explored."""

    source: str
    inputs: tuple[str, ...]


PROGRAMS = {
    "calculator": Program("examples/calculator.c", ("--stdin", "64")),
    "http": Program("examples/http_request.c", ("--stdin", "64")),
    "run_length": Program("examples/run_length.c", ("--stdin", "64")),
    "json": Program("benchmarks/programs/json.c", ("--stdin", "64")),
    "words": Program("benchmarks/programs/words.c", ("--stdin", "64")),
    "lock": Program("benchmarks/search/lock.c", ("--stdin", "20")),
    "lock14": Program("benchmarks/search/lock.c", ("--stdin", "30", "--cflags=-DSTEPS=14")),
    "lock_switch": Program("benchmarks/search/lock_switch.c", ("--stdin", "20")),
    "protocol": Program("benchmarks/search/protocol.c", ("--stdin", "80")),
    "settings": Program("benchmarks/search/settings.c", ("--stdin", "40")),
}
EVERYDAY = {
    name: Program(f"benchmarks/everyday/{name}.c", tuple(options.split()))
    for name, options in {
        "adventure": "--stdin 96",
        "assembler": "--stdin 64",
        "base64": "--stdin 48",
        "certificates": "--stdin 64",
        "chess": "--stdin 64",
        "csv": "--stdin 64",
        "cut": "--arg 4 --arg 6 --arg 4 --stdin 24",
        "exchange": "--stdin 64",
        "graph": "--stdin 48",
        "headers": "--stdin 100",
        "huffman": "--stdin 64",
        "ini": "--stdin 64",
        "inventory": "--stdin 64",
        "ledger": "--stdin 96",
        "numbers": "--stdin 48",
        "packets": "--stdin 64",
        "records": "--stdin 64",
        "regex": "--stdin 40",
        "roman": "--stdin 32",
        "scheduler": "--stdin 64",
        "sheet": "--stdin 64",
        "shell": "--stdin 64",
        "tar": "--stdin 192",
        "types": "--stdin 96",
        "validators": "--stdin 64",
        "variables": "--stdin 64",
    }.items()
}
GROUPS = {"everyday": tuple(EVERYDAY), "search": tuple(PROGRAMS)}


@dataclass(frozen=True, slots=True)
class Series:
    """A strategy of a work tree."""

    tree: str
    strategy: str

    @property
    def name(self) -> str:
        return self.strategy if self.tree == HERE else f"{self.strategy} ({self.tree})"


Curve = list[tuple[int, int]]  # iterations, and branches covered by then
Trials = dict[Series, list[Curve]]


def run(tree: Path, name: str, program: Program, options: argparse.Namespace, out: Path, wanted: str) -> None:
    """Runs what is missing, by the tree's own `untaken compare`."""
    command = [
        sys.executable, "-m", "untaken", "compare", str(TREE / program.source), *program.inputs,
        "--strategies", wanted, "--trials", str(options.trials), "--iterations", str(max(options.iterations)),
        "--jobs", str(options.jobs), "--seed", str(options.seed), "--out", str(out.resolve()), "--quiet",
    ]  # fmt: skip
    print(f"{name}: {wanted} of {tree}", file=sys.stderr, flush=True)
    subprocess.run(command, check=True, cwd=TREE, env={**os.environ, "PYTHONPATH": str(tree / "src")})


def curves(folder: Path, strategy: str, trials: int) -> list[Curve]:
    """Of all trials of a strategy in a folder of `untaken compare`."""
    found = [json.loads(place.read_text()) for place in sorted((folder / "trials").glob("*.json"))]
    return [
        [(step[0], step[2]) for step in trial["growth"]]
        for trial in found
        if trial["strategy"] == strategy and trial["number"] <= trials
    ]


def covered(curve: Curve, iterations: int) -> int:
    """Branches after so many iterations."""
    return max((branches for at, branches in curve if at <= iterations), default=0)


def rows(results: dict[str, Trials], at: int, reference: Series) -> Iterator[list[str]]:
    """The table at one budget: a row for each program, then the geometric means."""
    names = list(next(iter(results.values())))
    ratios: dict[Series, list[float]] = {series: [] for series in names}
    yield [f"at {at:,}", *(series.name for series in names)]
    for program, trials in results.items():
        medians = {series: median(covered(curve, at) for curve in found) for series, found in trials.items()}
        for series in names:
            ratios[series].append(max(medians[series], 1) / max(medians[reference], 1))
        yield [program, *(_cell(trials[series], at) for series in names)]
    yield ["geometric mean", *(f"{exp(mean(map(log, ratios[series]))):.3f}" for series in names)]
    yield ["worst", *(f"{min(ratios[series]):.3f}" for series in names)]


def _cell(found: list[Curve], at: int) -> str:
    counts = sorted(covered(curve, at) for curve in found)
    return f"{median(counts):g} [{counts[0]}-{counts[-1]}]"


def shown(table: Sequence[list[str]]) -> str:
    """With columns of equal width."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in table)


def parse() -> argparse.Namespace:
    """The options; their defaults are the small form, which takes minutes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--trials", type=int, default=3)
    parser.add_argument("--iterations", type=lambda text: [int(n) for n in text.split(",")], default=[1_000, 4_000])
    parser.add_argument("--strategies", default="auto")
    parser.add_argument("--programs", type=_programs, default="search", metavar="A,B,...")
    parser.add_argument("--own", type=_own_program, action="append", default=[], metavar="FILE.c:STDIN")
    parser.add_argument("--tree", type=Path, default=TREE)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--out", type=Path, default=TREE / "untaken-out/search-table")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    return parser.parse_args()


def _programs(text: str) -> dict[str, Program]:
    """By name; the name of a group stands for all of it."""
    names = [name for part in text.split(",") for name in GROUPS.get(part, (part,))]
    return {name: (PROGRAMS | EVERYDAY)[name] for name in names}


def _own_program(text: str) -> tuple[str, Program]:
    source, _, stdin = text.rpartition(":")
    return Path(source).stem, Program(str(Path(source).resolve()), ("--stdin", stdin))


def main() -> None:
    """Runs what is missing, and prints a table for each budget."""
    options = parse()
    programs = options.programs | dict(options.own)
    results: dict[str, Trials] = {}
    for name, program in programs.items():
        trials: Trials = {}
        if options.against:
            folder = options.out / OTHER / name
            run(options.against, name, program, options, folder, "auto")
            trials[Series(OTHER, "auto")] = curves(folder, "auto", options.trials)
        folder = options.out / HERE / name
        run(options.tree, name, program, options, folder, options.strategies)
        for strategy in options.strategies.split(","):
            trials[Series(HERE, strategy)] = curves(folder, strategy, options.trials)
        results[name] = trials
    reference = next(iter(trials))
    for at in options.iterations:
        print(shown(list(rows(results, at, reference))), end="\n\n")


if __name__ == "__main__":
    main()
