"""Iterations a second of a whole campaign against a bare fork server's rate for the same program and inputs.

Also where the time goes (runs, solver, the rest: decoding, strategy, books), and the memory of a long campaign.
`make bench` runs it.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import geometric_mean, median

sys.path.insert(0, str(Path(__file__).parent.parent))
from benchmarks.bare import SERVER_SOURCE, BareServer
from benchmarks.workloads import plain_compiler
from untaken.campaign.campaign import run_campaign
from untaken.campaign.config import Config
from untaken.campaign.watcher import Watcher
from untaken.execute.session import Session
from untaken.execute.target import find_target

ROOT = Path(__file__).parent.parent
PROGRAMS = (ROOT / "examples/calculator.c", ROOT / "benchmarks/programs/json.c", ROOT / "benchmarks/programs/words.c")
STDIN = 64
LEAST_RATE = 0.6
SAMPLE = 400
SEEDS = range(5)  # with one of them the figure would be about what the search happened to ask the solver


@dataclass(frozen=True, slots=True)
class Shares:
    """Seconds of a campaign, by what they went into."""

    name: str
    iterations: int
    constraints: float  # a path, in the mean
    seconds: float
    running: float
    solving: float
    bare_rate: float

    @property
    def ratio(self) -> float:
        return self.iterations / self.seconds / self.bare_rate


class Stopwatch:
    """Counts the time inside Session.run, and keeps some of the inputs for the bare server."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.inputs: list[bytes] = []
        self.constraints = 0
        self._run = Session.run

    def __enter__(self) -> Stopwatch:
        original, watch = self._run, self

        def timed(session: Session, data: bytes, *, concrete: bool = False, seconds: float | None = None) -> object:
            start = time.perf_counter()
            path = original(session, data, concrete=concrete, seconds=seconds)
            watch.seconds += time.perf_counter() - start
            watch.inputs.append(data)
            watch.constraints += len(path.constraints)
            return path

        Session.run = timed  # type: ignore[method-assign, assignment]
        return self

    def __exit__(self, *_: object) -> None:
        Session.run = self._run  # type: ignore[method-assign]


def bare_rate(source: Path, inputs: list[bytes], folder: Path) -> float:
    """Runs a second of the plain program on the same inputs, through a fork server that does nothing else."""
    plain = folder / f"{source.stem}.plain"
    subprocess.run([*plain_compiler(), "-O2", "-w", source, SERVER_SOURCE, "-o", plain], check=True)
    rates = []
    with BareServer(plain, []) as server:
        for _ in range(3):
            start = time.perf_counter()
            for data in inputs[:SAMPLE]:
                length = min(int.from_bytes(data[:4], "little"), STDIN)
                server.run(data[4 : 4 + length].ljust(length, b"\0"))
            rates.append(min(SAMPLE, len(inputs)) / (time.perf_counter() - start))
    return median(rates)


def measure(source: Path, iterations: int, folder: Path) -> Shares:
    target = find_target([str(source)])
    seconds = solving = 0.0
    with Stopwatch() as watch:
        for seed in SEEDS:
            out = folder / f"{source.stem}-{seed}"
            config = Config(
                (str(source),), iterations=iterations, strategy="random-branch", out=out, stdin=STDIN, seed=seed
            )
            start = time.perf_counter()
            summary = run_campaign(config, target, Watcher())
            seconds += time.perf_counter() - start
            solving += summary.as_json()["solver"]["seconds"]
    step = max(1, len(watch.inputs) // SAMPLE)
    rate = bare_rate(source, watch.inputs[::step], folder)
    count = len(watch.inputs)
    return Shares(source.stem, count, watch.constraints / count, seconds, watch.seconds, solving, rate)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=3000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        shares = [measure(source, options.iterations, Path(scratch)) for source in PROGRAMS]
    print("program      iterations/s   bare/s   rate   constraints   runs  solver   rest")
    for s in shares:
        rest = s.seconds - s.running - s.solving
        print(
            f"{s.name:<12}{s.iterations / s.seconds:>13.0f}{s.bare_rate:>9.0f}{s.ratio:>7.2f}{s.constraints:>14.0f}"
            f"{s.running / s.seconds:>7.0%}{s.solving / s.seconds:>8.0%}{rest / s.seconds:>7.0%}"
        )
    mean = geometric_mean(s.ratio for s in shares)
    print(f"\n{mean:8.2f}  of the bare fork server's rate       goal: at least {LEAST_RATE:g}")
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{most:8.0f}  MiB at most in this process, {len(shares)} campaigns of {options.iterations} iterations")
    return 0


if __name__ == "__main__":
    sys.exit(main())
