"""A shelf of real programs: builds Debian packages plain and with `untaken cc`, runs their own test suites on both,
explores them, and prints one table.

    python benchmarks/real/shelf.py [--work DIR] [--seconds S] [--suite-seconds S] [--jobs N] [PACKAGE ...]

Processor seconds of `make` and sizes are those of the instrumented build over those of the plain one; runs are for each
processor second of all processes. What cannot be fetched, built or explored is a row with its reason. Nothing is
installed; builds and suites that are in DIR already are not made again.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent))
from benchmarks.real.builds import Made, make, own_suite
from benchmarks.real.exploring import Explored, explore
from benchmarks.real.fetch import CannotFetch, fetch
from benchmarks.real.packages import SHELF, Package
from benchmarks.real.steps import BuildFailed, adopt_orphans, compiler_of_one_word
from benchmarks.real.suites import ENDING, differences, is_unfinished
from benchmarks.workloads import plain_compiler
from untaken.build.objects.program_map import read_program_map

COLUMNS = (
    "package",
    "make",
    "size",
    "own suite",
    "runs",
    "solver",
    "program",
    "rest",
    "MB",
    "branches",
    "findings",
    "not confirmed",
    "one process for",
)
HEADER = f"| {' | '.join(COLUMNS)} |\n|{' --- |' * len(COLUMNS)}"
MOST_OBSTACLES = 3
MOST_DIFFERENCES = 3


def row(package: Package, plain: Made, ours: Made, suite: str, found: Explored) -> str:
    summary, taken = found.summary, found.taken
    spent = taken.ours + taken.program
    solving = summary["solver"]["seconds"] / summary["seconds"]
    program = taken.program / spent
    cells = [
        package.name,
        f"{ours.seconds / plain.seconds:.1f}",
        f"{ours.program.stat().st_size / plain.program.stat().st_size:.1f}",
        suite,
        f"{summary['iterations'] / spent:,.0f}",
        f"{solving:.0%}",
        f"{program:.0%}",
        f"{max(0.0, 1 - solving - program):.0%}",
        f"{taken.memory:,.0f}",
        f"{summary['branches_covered']:,} of {summary['branches_total']:,}",
        f"{len(summary['crashes'])}",
        f"{len(summary['unconfirmed'])}",
        reuse(ours.program),
    ]
    return f"| {' | '.join(cells)} |"


def reuse(program: Path) -> str:
    """Whether one process has many runs, or what of the program is in the way."""
    obstacles = read_program_map(program).containment.obstacles
    return "many runs" if not obstacles else "one run: " + ", ".join(obstacles[:MOST_OBSTACLES])


def suite_cell(package: Package, plain: dict[str, str], ours: dict[str, str]) -> str:
    """How many of the tests came to the same, or what differs."""
    if not package.suite:
        return "has none"
    unfinished = [name for name, results in (("plain", plain), ("instrumented", ours)) if is_unfinished(results)]
    if unfinished:
        return f"{' and '.join(unfinished)} not done in time"
    found = list(differences(plain, ours))
    named = "; ".join(found[:MOST_DIFFERENCES])
    return f"{len(found)} of {len(plain)} differ: {named}" if found else f"{len(plain)} alike ({plain[ENDING]})"


def put_on_shelf(package: Package, work: Path, options: argparse.Namespace) -> str:
    """The package's row, or why there is none."""
    compilers = {"plain": plain_compiler()[0], "untaken": str(compiler_of_one_word(work))}
    folders = {name: work / f"{package.name}-{name}" for name in compilers}
    try:
        source = fetch(package.name, work / "sources")
        plain, ours = (
            make(package, source, folders[name], compiler, jobs=options.jobs) for name, compiler in compilers.items()
        )
        suites = [
            own_suite(package, folders[name], compiler, options.suite_seconds) if package.suite else {}
            for name, compiler in compilers.items()
        ]
        found = explore(package, ours.program, work / f"{package.name}-out", options.seconds)
        return row(package, plain, ours, suite_cell(package, *suites), found)
    except (CannotFetch, BuildFailed, subprocess.TimeoutExpired, OSError, ValueError) as problem:
        return f"| {package.name} | no row: {' '.join(str(problem).split())[:300]} |"


def chosen(names: Sequence[str]) -> list[Package]:
    known = {package.name: package for package in SHELF}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise SystemExit(f"no such package on the shelf: {', '.join(unknown)}; there are {', '.join(known)}")
    return [known[name] for name in names] or list(SHELF)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, help="keep sources and builds here, and use what is there already")
    parser.add_argument("--seconds", type=float, default=60.0, help="of each campaign (default 60)")
    parser.add_argument("--suite-seconds", type=float, default=900.0, help="of each test suite (default 900)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="of make (default: one a processor)")
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help="default: all")
    options = parser.parse_args()
    packages = chosen(options.packages)
    with tempfile.TemporaryDirectory() as scratch:
        work = (options.work or Path(scratch)).absolute()
        work.mkdir(parents=True, exist_ok=True)
        adopt_orphans()
        print(HEADER, flush=True)
        for package in packages:
            print(put_on_shelf(package, work, options), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
