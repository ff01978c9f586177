"""Executions of a campaign on real programs against those of a bare fork server of the plain program, same inputs.

    python benchmarks/real/rate.py [--work DIR] [--seconds S] [PACKAGE ...]

Both are counted for each second of processor time of all processes, in one run, so that other work on the machine makes
little difference. The bare server is loaded into the plain program before it starts. Packages are those of the shelf
that are explored by their standard input alone. `make bench` runs it.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent.parent))
from benchmarks.bare import SERVER_SOURCE, BareServer
from benchmarks.real.builds import make
from benchmarks.real.fetch import CannotFetch, fetch
from benchmarks.real.packages import Package
from benchmarks.real.shelf import chosen
from benchmarks.real.steps import BuildFailed, compiler_of_one_word
from benchmarks.workloads import plain_compiler
from untaken.campaign.campaign import run_campaign
from untaken.campaign.config import Config
from untaken.campaign.watcher import Watcher
from untaken.execute.session import Session
from untaken.execute.target import find_target
from untaken.execute.trace_reader import Glance
from untaken.model import path as paths

DEFAULT = ("unifdef", "figlet", "bc")  # that are built in seconds
LEAST_RATE, ENOUGH = 0.3, 200.0  # of the bare server's rate, or executions a second, whichever is less
MOST_SOLVING = 0.4  # of the time
GOAL = f"goal: {LEAST_RATE:g} of bare or {ENOUGH:g}, at most {MOST_SOLVING:.0%} in the solver"
SAMPLE = 300


@dataclass(frozen=True, slots=True)
class Rate:
    """Executions for each second of processor time, and what part of the time the solver took."""

    campaign: float
    bare: float
    solving: float

    @property
    def is_reached(self) -> bool:
        return self.campaign >= min(LEAST_RATE * self.bare, ENOUGH) and self.solving <= MOST_SOLVING


def processor_seconds(work: Callable[[], None]) -> float:
    """Of this process and of all that it started and that ended meanwhile."""
    before = _used()
    work()
    return _used() - before


def _used() -> float:
    own, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


class Inputs:
    """Those that sessions run, whether or not the path is read."""

    def __init__(self) -> None:
        self.seen: list[bytes] = []

    @contextmanager
    def noted(self) -> Iterator[None]:
        run, burst = Session.run, Session.burst

        def noting_run(session: Session, data: bytes, *others: Any, **named: Any) -> paths.Path:
            self.seen.append(data)
            return run(session, data, *others, **named)

        def noting_burst(session: Session, *others: Any) -> Glance:
            """All of its inputs are much like the last one."""
            glance = burst(session, *others)
            self.seen += [glance.input] * glance.runs
            return glance

        Session.run, Session.burst = noting_run, noting_burst  # type: ignore[method-assign, assignment]
        try:
            yield
        finally:
            Session.run, Session.burst = run, burst  # type: ignore[method-assign]


def explored(program: Path, package: Package, seconds: float, out: Path) -> tuple[list[bytes], float, float]:
    """The inputs that a campaign ran, its processor seconds, and the solver's part of the time."""
    size = int(package.explored[1])
    config = Config((str(program),), arguments=package.arguments, time=seconds, out=out, stdin=size)
    target, inputs, shares = find_target([str(program)]), Inputs(), []

    def campaign() -> None:
        summary = run_campaign(config, target, Watcher()).as_json()
        shares.append(float(summary["solver"]["seconds"]) / float(summary["seconds"]))

    with inputs.noted():
        spent = processor_seconds(campaign)
    return inputs.seen, spent, shares[0]


def bare_rate(program: Path, package: Package, inputs: list[bytes], library: Path) -> float:
    """Runs a second of the plain program on some of the inputs."""
    size = int(package.explored[1])
    sample = inputs[:: max(1, len(inputs) // SAMPLE)]

    def run_all() -> None:
        with BareServer(program, package.arguments, preload=library) as server:
            for data in sample:
                length = min(int.from_bytes(data[:4], "little"), size)
                server.run(data[4 : 4 + length].ljust(length, b"\0"))

    return len(sample) / processor_seconds(run_all)


def measure(package: Package, work: Path, seconds: float) -> Rate:
    source = fetch(package.name, work / "sources")
    plain = make(package, source, work / f"{package.name}-plain", plain_compiler()[0])
    ours = make(package, source, work / f"{package.name}-untaken", str(compiler_of_one_word(work)))
    library = work / "bare_server.so"
    subprocess.run([*plain_compiler(), "-O2", "-shared", "-fPIC", SERVER_SOURCE, "-o", library], check=True)
    os.chdir(ours.program.parent)
    with tempfile.TemporaryDirectory() as out:
        inputs, spent, solving = explored(ours.program, package, seconds, Path(out) / "campaign")
    return Rate(len(inputs) / spent, bare_rate(plain.program, package, inputs, library), solving)


def row(package: Package, work: Path, seconds: float) -> str:
    """The package's figures, or why there are none."""
    if package.explored[:1] != ("--stdin",):
        return f"{package.name:<12}  no row: it is explored by more than its standard input"
    try:
        rate = measure(package, work, seconds)
    except (CannotFetch, BuildFailed, subprocess.SubprocessError, RuntimeError, OSError) as problem:
        return f"{package.name:<12}  no row: {' '.join(str(problem).split())[:200]}"
    return (
        f"{package.name:<12}{rate.campaign:>13.0f}{rate.bare:>9.0f}{rate.campaign / rate.bare:>7.2f}"
        f"{rate.solving:>8.0%}   {'reached' if rate.is_reached else 'missed'}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, help="keep sources and builds here, and use what is there already")
    parser.add_argument("--seconds", type=float, default=15.0, help="of each campaign (default 15)")
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help=f"default: {', '.join(DEFAULT)}")
    options = parser.parse_args()
    packages = chosen(options.packages or DEFAULT)
    with tempfile.TemporaryDirectory() as scratch:
        work = (options.work or Path(scratch)).absolute()
        work.mkdir(parents=True, exist_ok=True)
        print(f"real program  executions  bare   rate  solver   {GOAL}")
        for package in packages:
            print(row(package, work, options.seconds), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
