"""What a campaign costs in this tree and in another one, in processor time.

    python benchmarks/against.py TREE [--rounds N] [--iterations N] [--strategies A,B] [--programs A,B]

Both run the same campaign at once, on one processor that they share: whatever else the machine does slows them alike,
and neither waits awake for its program. A round gives one ratio, this tree over the other; printed are the middle one,
the least and the largest. What counts are processor microseconds of an iteration: untaken's own (reading traces,
choosing, solving, books), and those of all its processes; where paths have 10,000 branches (`decisions`) also those
inside the strategy. Start-up does not count: a short campaign comes first.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median

TREE = Path(__file__).resolve().parent.parent
CAMPAIGN = TREE / "benchmarks/one_campaign.py"
MOST = 1.05
PROGRAMS = {
    "calculator": "examples/calculator.c",
    "json": "benchmarks/programs/json.c",
    "words": "benchmarks/programs/words.c",
    "decisions": "benchmarks/long/decisions.c",
}
FEWER = {"decisions": 20}  # of the iterations, one in so many: its paths are long


@dataclass(frozen=True, slots=True)
class Cost:
    """Processor microseconds of an iteration."""

    own: float
    all: float
    strategy: float


def start(tree: Path, program: str, strategy: str, iterations: int, processor: int) -> subprocess.Popen[str]:
    words = [str(TREE / PROGRAMS[program]), strategy, str(iterations), str(processor)]
    environment = {**os.environ, "PYTHONPATH": str(tree / "src"), "PYTHONHASHSEED": "0"}
    return subprocess.Popen([sys.executable, CAMPAIGN, *words], stdout=subprocess.PIPE, text=True, env=environment)


def finish(process: subprocess.Popen[str]) -> Cost:
    printed, _ = process.communicate(timeout=3_600)
    if process.returncode:
        raise SystemExit("a campaign failed")
    return Cost(**json.loads(printed))


def both(other: Path, program: str, strategy: str, iterations: int) -> tuple[Cost, Cost]:
    """Of the other tree and of this one."""
    processor = max(os.sched_getaffinity(0))
    processes = [start(tree, program, strategy, iterations, processor) for tree in (other, TREE)]
    before, now = [finish(process) for process in processes]
    return before, now


def row(title: str, pairs: list[tuple[float, float]]) -> str:
    ratios = sorted(now / before for before, now in pairs)
    middle = median(ratios)
    mark = "" if middle <= MOST else f"  above {MOST:g}"
    before, now = (median(column) for column in zip(*pairs, strict=True))
    return f"{title:<36}{before:>9.0f}{now:>9.0f}{middle:>8.3f}  [{ratios[0]:.3f} - {ratios[-1]:.3f}]{mark}"


def rows(other: Path, program: str, strategy: str, options: argparse.Namespace) -> list[str]:
    iterations = max(1, options.iterations // FEWER.get(program, 1))
    costs = [both(other, program, strategy, iterations) for _ in range(options.rounds)]
    title = f"{program}, {strategy}"
    found = [
        row(f"{title}: own", [(before.own, now.own) for before, now in costs]),
        row(f"{title}: all processes", [(before.all, now.all) for before, now in costs]),
    ]
    if program in FEWER:
        found.append(row(f"{title}: the strategy", [(before.strategy, now.strategy) for before, now in costs]))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=Path, help="a checkout of the version that this one is held against")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--iterations", type=int, default=6_000)
    parser.add_argument("--strategies", default="random-branch", metavar="A,B")
    parser.add_argument("--programs", default="calculator,json,words", metavar="A,B", help=", ".join(PROGRAMS))
    options = parser.parse_args()
    print(f"{'processor microseconds an iteration':<36}{'then':>9}{'now':>9}{'ratio':>8}")
    for program in options.programs.split(","):
        for strategy in options.strategies.split(","):
            print("\n".join(rows(options.tree.absolute(), program, strategy, options)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
