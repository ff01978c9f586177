"""What `untaken cc` costs a build: `./configure` and `make` of ten Debian packages, against gcc.

    python benchmarks/real/compile_time.py [--work DIR] [--jobs N] [--compiler COMMAND] [PACKAGE ...]

Processor seconds, user and system, of all processes that a step started, also of those that outlive it: this process
adopts them, asks them to end and counts them, so what a resident compiler does is not left out. Both compilers build
fresh copies of the same sources; the runtime, which is built once and kept, is there before. A package has a row only
if both builds made the same object files. Another version's `untaken-cc` can be measured with --compiler.
"""

from __future__ import annotations

import argparse
import math
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent))
from benchmarks.real.fetch import CannotFetch, fetch
from benchmarks.real.packages import BuildSystem, Package
from benchmarks.real.shelf import chosen
from benchmarks.real.steps import (
    BuildFailed,
    adopt_orphans,
    compiler_of_one_word,
    configure,
    processor_seconds,
    step,
)

PACKAGES = ("mawk", "gawk", "sed", "grep", "bc", "m4", "units", "gzip", "diffutils", "patch")
GOALS = {"configure": 2.0, "make": 3.0}


@dataclass(frozen=True, slots=True)
class Cost:
    """Processor seconds of the two steps, and the object files that came out."""

    configure: float
    make: float
    objects: frozenset[str]


def build(package: Package, source: Path, folder: Path, compiler: str, jobs: int) -> Cost:
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source, folder, symlinks=True)
    top = folder / package.subfolder
    environment = {**os.environ, "CC": compiler, "CFLAGS": "-O2 -g", "FORCE_UNSAFE_CONFIGURE": "1", "LC_ALL": "C"}
    configuring = processor_seconds(lambda: configure(package.options, top, environment))
    # Manuals and the like may need tools that are not here: what counts is which objects are there.
    making = processor_seconds(lambda: step("make", ["make", f"-j{jobs}", "-k"], top, environment, may_fail=True))
    return Cost(configuring, making, frozenset(str(path.relative_to(folder)) for path in folder.rglob("*.o")))


def compare(package: Package, work: Path, compiler: str, jobs: int) -> tuple[Cost, Cost]:
    """With gcc and with us."""
    source = fetch(package.name, work / "sources")
    compilers = {"gcc": "gcc", "untaken": compiler}
    plain, ours = (
        build(package, source, work / f"{package.name}-time-{name}", compiler, jobs)
        for name, compiler in compilers.items()
    )
    if not plain.objects or plain.objects != ours.objects:
        odd = sorted(plain.objects ^ ours.objects)[:5]
        raise BuildFailed(f"the builds made {len(plain.objects)} and {len(ours.objects)} objects: {', '.join(odd)}")
    return plain, ours


def build_runtime(compiler: str, folder: Path) -> None:
    """By linking a program with it."""
    program = folder / "empty.c"
    program.write_text("int main(void) { return 0; }\n")
    subprocess.run([compiler, program, "-o", folder / "empty"], check=True, timeout=600)


def row(package: Package, plain: Cost, ours: Cost) -> str:
    steps = ((plain.configure, ours.configure), (plain.make, ours.make))
    cells = "".join(f"{before:>12.1f}{after:>10.1f}{after / before:>7.2f}x" for before, after in steps)
    return f"{package.name:<11}{len(plain.objects):>7}{cells}"


def mean(ratios: Sequence[float]) -> float:
    """The geometric one."""
    return math.exp(math.fsum(map(math.log, ratios)) / len(ratios))


def closing(costs: Sequence[tuple[Cost, Cost]]) -> str:
    lines = []
    for name, goal in GOALS.items():
        ratio = mean([getattr(ours, name) / getattr(plain, name) for plain, ours in costs])
        lines.append(f"{name}: {ratio:.2f} times gcc in the geometric mean over {len(costs)} (goal: at most {goal:g})")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, help="keep sources and builds here; sources that are there are used")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="of make (default: one a processor)")
    parser.add_argument("--compiler", help="in one word (default: the `untaken-cc` of this Python)")
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help=f"default: {', '.join(PACKAGES)}")
    options = parser.parse_args()
    packages = chosen(options.packages or PACKAGES)
    if others := [package.name for package in packages if package.system is not BuildSystem.CONFIGURE]:
        parser.error(f"no configure script: {', '.join(others)}")
    adopt_orphans()
    print(f"{'package':<11}objects{'configure:':>12}{'ours':>10}{'':>8}{'make: gcc':>12}{'ours':>10}", flush=True)
    costs = []
    with tempfile.TemporaryDirectory() as scratch:
        work = (options.work or Path(scratch)).absolute()
        work.mkdir(parents=True, exist_ok=True)
        compiler = options.compiler or str(compiler_of_one_word(work))
        build_runtime(compiler, work)
        for package in packages:
            try:
                costs.append(compare(package, work, compiler, options.jobs))
                print(row(package, *costs[-1]), flush=True)
            except (CannotFetch, BuildFailed, subprocess.TimeoutExpired, OSError) as problem:
                print(f"{package.name:<11}  no row: {' '.join(str(problem).split())[:200]}", flush=True)
    print(closing(costs) if costs else "no package could be built with both")
    return 0 if costs else 2


if __name__ == "__main__":
    sys.exit(main())
