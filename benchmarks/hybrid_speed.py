"""What hybrid search costs: `make bench`.

- Inputs a second of a program that wanders on random inputs, against the plain program (-O2) fed the same inputs. The
  seconds are those of the processor, so that other work on the machine does not count.
- The time of a snapshot and the first run from it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent.parent))
from benchmarks.hybrid import EDITOR, RESET, TREE
from benchmarks.measure import processor_seconds
from benchmarks.workloads import compile_with, plain_compiler
from untaken.build.library.runtime import runtime_library
from untaken.build.toolchain.compilers import front_end
from untaken.build.toolchain.front_end import INCLUDE
from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings
from untaken.execute.target import find_target
from untaken.execute.wanderer import Wanderer, WanderManner
from untaken.model.input import Source, SourceKind
from untaken.model.input_codec import LENGTH_SIZE
from untaken.model.stretch import Stretch
from untaken.suite.replay.layout import ENDS_VARIABLE, VARIABLE

LEAST_RATE = 0.3
MOST_MS = 2.0
REPETITIONS = 5
RUNS = 5  # of each kind in a repetition: a single one is too short to be timed
SNAPSHOTS = 40
NEVER = 1 << 62
STDIN = 1_000_000
SHORT_STDIN = 30_000  # room for all those snapshots


@dataclass(frozen=True, slots=True)
class Subject:
    """A program, and how many inputs it is given; through stdin, if `stdin` says so."""

    source: Path
    inputs: int
    stdin: bool = False

    def settings(self, stdin: int) -> SessionSettings:
        sources = (Source(SourceKind.STDIN, stdin),) if self.stdin else ()
        return SessionSettings(sources=sources, timeout=60.0)


SUBJECTS = (Subject(RESET, 2_000_000), Subject(TREE, 10_000), Subject(EDITOR, STDIN // 2 - 1, stdin=True))


def plain_program(subject: Subject, folder: Path) -> Path:
    program = folder / subject.source.stem
    native = runtime_library(front_end()).native
    words = ["-O2", "-idirafter", str(INCLUDE), str(subject.source), native, "-o", str(program)]
    compile_with(plain_compiler(), words)
    return program


def plain_seconds(program: Path, data: bytes, folder: Path) -> float:
    """Of RUNS runs with this input."""
    path = folder / "input"
    path.write_bytes(data)
    environment = {**os.environ, VARIABLE: str(path), ENDS_VARIABLE: "1"}

    def run() -> None:
        for _ in range(RUNS):
            with path.open("rb") as stdin:
                subprocess.run([program], stdin=stdin, env=environment, check=False, timeout=100)

    return processor_seconds(run)


def wandering_seconds(subject: Subject, inputs: int, stdin: int) -> tuple[float, Stretch]:
    """Of RUNS runs with so many inputs each; and the last of them."""
    stretches: list[Stretch] = []

    def run() -> None:
        with Session(find_target([str(subject.source)]).program, subject.settings(stdin)) as session:
            wanderer = Wanderer(session)
            stretches.extend(wanderer.start(WanderManner(seed, NEVER, inputs)) for seed in range(RUNS))
            wanderer.close()

    return processor_seconds(run), stretches[-1]


def rates(subject: Subject, folder: Path) -> tuple[float, float]:
    """Inputs a second: wandering, and of the plain program on what was drawn; without what an empty run takes."""
    program = plain_program(subject, folder)
    find_target([str(subject.source)])  # built before anything is timed
    wandering, plain = [], []
    for _ in range(REPETITIONS):
        seconds, stretch = wandering_seconds(subject, subject.inputs, STDIN)
        data = stretch.input[LENGTH_SIZE:][: 2 * stretch.statements] if subject.stdin else stretch.input
        drawn = RUNS * stretch.statements
        wandering.append(drawn / (seconds - wandering_seconds(subject, 1, 1)[0]))
        plain.append(drawn / (plain_seconds(program, data, folder) - plain_seconds(program, b"", folder)))
    return median(wandering), median(plain)


def snapshot_ms(subject: Subject) -> float:
    """From one snapshot to the next input statement, a snapshot there, and the first run from it."""
    times = []
    with Session(find_target([str(subject.source)]).program, subject.settings(SHORT_STDIN)) as session:
        wanderer = Wanderer(session)
        stretch = wanderer.start(WanderManner(1, 1000, NEVER))
        for seed in range(SNAPSHOTS):
            stretch = wanderer.resume(stretch.snapshot, b"", WanderManner(seed, 200, NEVER))
            begun = time.perf_counter()
            stretch = wanderer.resume(stretch.snapshot, b"", WanderManner(seed, 1, NEVER))
            wanderer.run(stretch.snapshot, b"", 4)
            times.append(1000 * (time.perf_counter() - begun))
        wanderer.close()
    return median(times)


def main() -> int:
    reached = True
    print("program          wandering/s      plain/s   of it   snapshot and first step")
    with tempfile.TemporaryDirectory() as scratch:
        for subject in SUBJECTS:
            wandering, plain = rates(subject, Path(scratch))
            cost = snapshot_ms(subject)
            reached &= wandering >= LEAST_RATE * plain and cost <= MOST_MS
            ratio = wandering / plain
            print(f"{subject.source.stem:<16}{wandering:>12,.0f} {plain:>12,.0f} {ratio:>7.2f} {cost:>10.2f} ms")
    print(f"goals: at least {LEAST_RATE:g} of the plain program's rate, at most {MOST_MS:g} ms:", end=" ")
    print("reached" if reached else "not reached")
    return 0


if __name__ == "__main__":
    sys.exit(main())
