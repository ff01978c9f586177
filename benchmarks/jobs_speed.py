"""One worker against two: iterations a second, and the time until as much is covered as one covers in the end.

    python -m benchmarks.jobs_speed [--seconds S] [--trials N] [--choosing N] [--work DIR] [PROGRAM ...]

A program that one worker is soon done with says nothing: its last find is luck, and two have no time to be of use. So
first one worker alone runs each candidate, with seeds of its own, before any speed is known: six take part in which it
covers something latest, as a median, and in the second half of its time. All are told. Programs that are named take
part whatever comes of that.

Then one and two run in turn, so that a busy machine is as busy for one as for the other. Use a quiet one with two cores
or more. The time begins when the program has been started, as always. Two figures are told, of the same trials: the
time in which each trial of two comes to what the trial of one with its seed covers in the end, and that in which the
mean of all trials of two comes to certain shares of what the mean of those of one covers in the end. Where two come to
less in the end than one, it is that.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import geometric_mean, mean, median
from tempfile import TemporaryDirectory

from benchmarks.real.builds import make
from benchmarks.real.fetch import CannotFetch, fetch
from benchmarks.real.packages import SHELF
from benchmarks.real.steps import BuildFailed, compiler_of_one_word
from untaken.campaign.config import Config
from untaken.campaign.folder.store import Store
from untaken.campaign.watcher import Watcher
from untaken.execute.target import find_target
from untaken.team.start import run_with_workers

ROOT = Path(__file__).parents[1]
SMALL = {
    "calculator": ("examples/calculator.c", 60),
    "http_request": ("examples/http_request.c", 64),
    "json": ("benchmarks/programs/json.c", 64),
    "words": ("benchmarks/programs/words.c", 64),
    "protocol": ("benchmarks/search/protocol.c", 64),
    "settings": ("benchmarks/search/settings.c", 64),
}
REAL = ("mujs", "md4c", "yajl", "libyaml", "cmark", "jo")  # packages of the shelf that read standard input
TAKING_PART = 6
CHOOSING_SEED = 1_000  # and on: others than those of the trials
SHARES = (0.9, 0.95, 1.0)
Timeline = list[tuple[int, float, int]]  # iteration, seconds, branches


@dataclass(frozen=True, slots=True)
class Candidate:
    """A program, and how it is explored."""

    name: str
    target: str
    stdin: int
    arguments: tuple[str, ...] = ()


def candidate(name: str, work: Path) -> Candidate:
    """One of ours, or a package of the shelf, which is built if it was not."""
    if name in SMALL:
        path, stdin = SMALL[name]
        return Candidate(name, str(ROOT / path), stdin)
    package = next(each for each in SHELF if each.name == name)
    built = make(package, fetch(name, work / "sources"), work / f"{name}-untaken", str(compiler_of_one_word(work)))
    return Candidate(name, str(built.program), int(package.explored[1]), package.arguments)


def candidates(names: Sequence[str], work: Path) -> list[Candidate]:
    """All that can be had here."""
    found = []
    for name in names:
        try:
            found.append(candidate(name, work))
        except (CannotFetch, BuildFailed, OSError) as problem:
            print(f"{name} is not to be had here: {' '.join(str(problem).split())[:150]}\n")
    return found


def campaign(program: Candidate, jobs: int, seconds: float, seed: int) -> tuple[float, Timeline]:
    """Iterations a second, and when how much was covered."""
    with TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        config = Config(targets=(program.target,), arguments=program.arguments, stdin=program.stdin, time=seconds,
                        seed=seed, jobs=jobs, out=out, after_coverage=10**9)  # fmt: skip
        summary = run_with_workers(config, find_target([program.target]), Watcher())
        store = Store(out)
        timeline = store.timeline()
        store.close()
    return summary.run_iterations / summary.run_seconds, timeline


def reached(timeline: Timeline, goal: int) -> float:
    """Seconds until so many branches were covered."""
    return max(1e-3, next(seconds for _, seconds, branches in timeline if branches >= goal))


def still_climbing(programs: Sequence[Candidate], trials: int, seconds: float) -> list[Candidate]:
    """Those that say something, by what one worker does alone."""
    lasts = {}
    print("| candidate | one worker covers | its last find after, of its time |")
    print("| --- | ---: | ---: |")
    for program in programs:
        lines = [campaign(program, 1, seconds, CHOOSING_SEED + trial)[1] for trial in range(trials)]
        lasts[program.name] = median(reached(line, line[-1][2]) / seconds for line in lines)
        covered = mean(line[-1][2] for line in lines)
        print(f"| {program.name} | {covered:,.0f} | {lasts[program.name]:.0%} |", flush=True)
    latest = sorted(programs, key=lambda program: -lasts[program.name])
    return [program for program in latest if lasts[program.name] >= 0.5][:TAKING_PART]


def reached_on_average(timelines: Sequence[Timeline], goal: float) -> float:
    """Seconds until the mean of some campaigns has come so far."""
    covered = [0] * len(timelines)
    finds = [(seconds, number, branches) for number, line in enumerate(timelines) for _, seconds, branches in line]
    for seconds, number, branches in sorted(finds):
        covered[number] = max(covered[number], branches)
        if mean(covered) >= goal:
            return max(1e-3, seconds)
    raise ValueError(f"{goal} branches are more than there were in the end")


@dataclass(frozen=True, slots=True)
class Speed:
    """Of two workers, as multiples of one."""

    iterations: float
    by_trial: float
    on_average: tuple[float, ...]  # by share

    def columns(self) -> str:
        return " | ".join(f"{each:.2f}" for each in (self.iterations, self.by_trial, *self.on_average))


def measured(program: Candidate, trials: int, seconds: float) -> Speed:
    rates: dict[int, list[float]] = {1: [], 2: []}
    lines: dict[int, list[Timeline]] = {1: [], 2: []}
    for seed in range(trials):
        for jobs in (1, 2):
            rate, timeline = campaign(program, jobs, seconds, seed)
            rates[jobs].append(rate)
            lines[jobs].append(timeline)
    by_trial = []
    for one, two in zip(lines[1], lines[2], strict=True):
        goal = min(one[-1][2], two[-1][2])
        by_trial.append(reached(one, goal) / reached(two, goal))
    end = min(mean(line[-1][2] for line in lines[jobs]) for jobs in (1, 2))
    goals = [share * end for share in SHARES]
    on_average = [reached_on_average(lines[1], goal) / reached_on_average(lines[2], goal) for goal in goals]
    speed = Speed(median(rates[2]) / median(rates[1]), geometric_mean(by_trial), tuple(on_average))
    rate_columns = " | ".join(f"{median(rates[jobs]):,.0f}" for jobs in (1, 2))
    print(f"| {program.name} | {rate_columns} | {speed.columns()} |", flush=True)
    return speed


def compare(programs: Sequence[Candidate], trials: int, seconds: float) -> None:
    shares = " | ".join(f"{share:.0%} of the mean" for share in SHARES)
    print(f"\n| program | iterations a second, 1 | 2 | times | times as fast, by trial | {shares} |")
    print("| --- |" + " ---: |" * (4 + len(SHARES)))
    speeds = [measured(program, trials, seconds) for program in programs]
    if speeds:
        on_average = (geometric_mean(column) for column in zip(*(speed.on_average for speed in speeds), strict=True))
        whole = Speed(
            geometric_mean(speed.iterations for speed in speeds),
            geometric_mean(speed.by_trial for speed in speeds),
            tuple(on_average),
        )
        print(f"| geometric mean | | | {whole.columns()} |")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20.0, help="of each campaign (default 20)")
    parser.add_argument("--trials", type=int, default=5)
    parser.add_argument("--choosing", type=int, default=3, help="trials of each candidate, to choose (default 3)")
    parser.add_argument("--work", type=Path, help="keep sources and builds here, and use what is there already")
    parser.add_argument(
        "programs", nargs="*", help=f"of {', '.join((*SMALL, *REAL))}: instead of those that are chosen"
    )
    options = parser.parse_args()
    if unknown := set(options.programs).difference(SMALL, REAL):
        parser.error(f"no such program: {min(unknown)}")
    print(f"load average {os.getloadavg()[0]:.1f} on {len(os.sched_getaffinity(0))} cores\n")
    with TemporaryDirectory() as folder:
        work = options.work or Path(folder)
        work.mkdir(parents=True, exist_ok=True)
        chosen = candidates(options.programs or (*SMALL, *REAL), work)
        if not options.programs:
            chosen = still_climbing(chosen, options.choosing, options.seconds)
        compare(chosen, options.trials, options.seconds)
    print(f"\nload average {os.getloadavg()[0]:.1f} at the end")
    return 0


if __name__ == "__main__":
    sys.exit(main())
