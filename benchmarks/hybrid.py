"""Hybrid search against random testing and bounded depth-first search, on the three kinds of program of its paper.

    python benchmarks/hybrid.py [reset] [tree] [editor] [--seeds N] [--seconds S] [--curves DIR]

reset    figure 1 of the paper: who reaches the error
tree     a red-black tree under the paper's driver: relative branch coverage
editor   a modal editor: branches covered

Each table compares the same time on the same machine. Prints Markdown; with --curves also draws coverage over time.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

sys.path.insert(0, str(Path(__file__).parent.parent))
from untaken.campaign.campaign import run_campaign
from untaken.campaign.watcher import Watcher
from untaken.cli.run import parse
from untaken.compare.curves import write_curves
from untaken.execute.target import find_target
from untaken.trials.plan import TrialId
from untaken.trials.trial import Trial, outcome

ROOT = Path(__file__).parent.parent
RESET = ROOT / "examples/reset.c"
TREE = ROOT / "benchmarks/reactive/red_black_tree.c"
EDITOR = ROOT / "benchmarks/reactive/editor.c"
SECONDS = 12.0
MINUTE = 60.0
TEN_TIMES = 10.0
LEAST_SECONDS = 30.0  # for those that are not to find the error: ten times a second would prove little


@dataclass(frozen=True, slots=True)
class Contender:
    """A strategy as it is run here; the bounds of each are those that suit it best."""

    name: str
    words: tuple[str, ...]


RESET_FINDERS = (Contender("hybrid", ()), Contender("auto", ()))
RESET_OTHERS = (Contender("random", ("--inputs", "2000")), Contender("dfs", ("--inputs", "20")))
TREE_CONTENDERS = (
    Contender("hybrid:attempts=50:longest=500", ("--saturation", "50")),
    Contender("random", ("--inputs", "500")),
    Contender("dfs", ("--inputs", "10")),
)
EDITOR_CONTENDERS = (
    Contender("hybrid:inside=random-branch", ("--stdin", "10000", "--inputs-per-search", "12")),
    Contender("random", ("--stdin", "10000")),
    Contender("dfs", ("--stdin", "20")),
)


def run(source: Path, contender: Contender, seed: int, seconds: float, *more: str) -> Trial:
    """One campaign."""
    with tempfile.TemporaryDirectory(prefix="untaken-hybrid-") as folder:
        words = [str(source), "--strategy", contender.name, "--seed", str(seed), "--time", str(seconds)]
        config = parse([*words, *contender.words, *more, "--after-coverage", "0", "--out", folder])
        summary = run_campaign(config, find_target(config.targets), Watcher())
        return outcome(TrialId(contender.name.partition(":")[0], seed, seed), config, summary)


def print_table(title: str, names: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]) -> None:
    print(f"\n{title}\n\n| seed | {' | '.join(names)} |\n|---|{'---:|' * len(names)}")
    for name, cells in rows:
        print(f"| {name} | {' | '.join(cells)} |")
    sys.stdout.flush()


def compare_reset(seeds: int) -> bool:
    """Seconds until the error, or how long it was not reached."""
    finders = [[run(RESET, each, seed, MINUTE, "--first-finding") for each in RESET_FINDERS] for seed in range(seeds)]
    budget = max(LEAST_SECONDS, TEN_TIMES * max(trials[0].seconds for trials in finders))
    others = [[run(RESET, each, seed, budget, "--first-finding") for each in RESET_OTHERS] for seed in range(seeds)]
    trials = [first + second for first, second in zip(finders, others, strict=True)]
    names = [each.name for each in (*RESET_FINDERS, *RESET_OTHERS)]
    print_table(
        "Seconds until the error of figure 1", names, [(str(i), list(map(time_of, t))) for i, t in enumerate(trials)]
    )
    found = [[bool(trial.findings) for trial in row] for row in trials]
    return all(row == [True, True, False, False] for row in found)


def time_of(trial: Trial) -> str:
    return f"{trial.seconds:.1f}" if trial.findings else f"not in {trial.seconds:.0f}"


def compare_tree(seeds: int, seconds: float, curves: Path | None) -> bool:
    """Percent of the branches of the functions that were entered, as in the paper's table 1."""
    rows = [[run(TREE, each, seed, seconds) for each in TREE_CONTENDERS] for seed in range(seeds)]
    shares = [[relative(trial) for trial in row] for row in rows]
    means = [mean(column) for column in zip(*shares, strict=True)]
    table = [(str(seed), [f"{share:.1f}" for share in row]) for seed, row in enumerate(shares)]
    table.append(("mean", [f"{share:.1f}" for share in means]))
    print_table(f"Red-black tree: relative branch coverage in {seconds:g} s, percent", names_of(TREE_CONTENDERS), table)
    draw(rows, "Red-black tree", curves, "tree")
    hybrid, random, dfs = means
    print(f"\nhybrid is {hybrid - random:.1f} points above random (paper: 35.3), {hybrid - dfs:.1f} above dfs (15.1)")
    return bool(hybrid - random >= 35.3 and hybrid - dfs >= 15.1)


def relative(trial: Trial) -> float:
    return 100.0 * len(trial.covered) / sum(trial.functions.values())


def compare_editor(seeds: int, seconds: float, curves: Path | None) -> bool:
    """Branches covered."""
    rows = [[run(EDITOR, each, seed, seconds) for each in EDITOR_CONTENDERS] for seed in range(seeds)]
    counts = [[len(trial.covered) for trial in row] for row in rows]
    means = [mean(column) for column in zip(*counts, strict=True)]
    table = [(str(seed), [str(count) for count in row]) for seed, row in enumerate(counts)]
    table.append(("mean", [f"{count:.1f}" for count in means]))
    total = rows[0][0].total
    print_table(f"Editor: branches of {total} covered in {seconds:g} s", names_of(EDITOR_CONTENDERS), table)
    draw(rows, "Modal editor", curves, "editor")
    hybrid, random, dfs = means
    print(f"\nhybrid covers {hybrid / random:.2f} times what random does (goal 2), {hybrid / dfs:.2f} times dfs (1.3)")
    return bool(hybrid >= 2 * random and hybrid >= 1.3 * dfs)


def names_of(contenders: Sequence[Contender]) -> list[str]:
    return [each.name.partition(":")[0] for each in contenders]


def draw(rows: Sequence[Sequence[Trial]], title: str, curves: Path | None, name: str) -> None:
    if curves is not None:
        folder = curves / name
        folder.mkdir(parents=True, exist_ok=True)
        write_curves([row[place] for place in range(len(rows[0])) for row in rows], title, folder)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help="reset, tree, editor (default all)")
    parser.add_argument("--seeds", type=int, default=5, help="campaigns of each strategy (default 5)")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of each campaign on tree and editor")
    parser.add_argument("--curves", type=Path, metavar="DIR", help="draw coverage over time")
    options = parser.parse_args()
    parts = options.parts or ["reset", "tree", "editor"]
    reached = []
    if "reset" in parts:
        reached.append(compare_reset(options.seeds))
    if "tree" in parts:
        reached.append(compare_tree(options.seeds, options.seconds, options.curves))
    if "editor" in parts:
        reached.append(compare_editor(options.seeds, options.seconds, options.curves))
    return 0 if all(reached) else 1


if __name__ == "__main__":
    sys.exit(main())
