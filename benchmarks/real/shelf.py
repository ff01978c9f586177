"""A shelf of real programs: builds Debian packages plain and with `untaken cc`, explores them, and prints one table.

    python benchmarks/real/shelf.py [--work DIR] [--seconds S] [PACKAGE ...]

Processor seconds and sizes are those of the instrumented build over those of the plain one. What cannot be fetched,
built or explored is a row with its reason. Nothing is installed; builds that are in DIR already are not made again.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent))
from benchmarks.real.fetch import CannotFetch, fetch
from benchmarks.real.packages import COMPILER, SHELF, BuildSystem, Package
from benchmarks.real.run import BuildFailed, compiler_of_one_word, configure, step
from benchmarks.workloads import plain_compiler
from untaken.build.objects.program_map import read_program_map

HEADER = "package          make      size   runs/s  solver  branches            findings  not confirmed  one process"
GRACE = 120  # seconds beyond those of a campaign
MOST_OBSTACLES = 3
MADE = "made.json"  # what a build took; it is there once the build is whole


@dataclass(frozen=True, slots=True)
class Made:
    """A build: processor seconds of `make`, and the program."""

    seconds: float
    program: Path


def make(package: Package, source: Path, folder: Path, compiler: str, **settings: str) -> Made:
    """Builds in a copy of the sources, unless that was done before; `settings` are variables of the environment."""
    top = folder / package.subfolder
    note = folder / MADE
    if not note.exists():
        if folder.exists():
            shutil.rmtree(folder)
        shutil.copytree(source, folder, symlinks=True)
        note.write_text(json.dumps(built(package, top, compiler, settings)))
    place = top / "build-of-ours" if package.system is BuildSystem.CMAKE else top
    program = place / package.program
    if not program.is_file():
        raise BuildFailed(f"there is no {package.program} after make")
    return Made(float(json.loads(note.read_text())), program)


def built(package: Package, top: Path, compiler: str, settings: Mapping[str, str]) -> float:
    """Configures and makes; processor seconds of the latter."""
    environment = {**os.environ, "CC": compiler, "CFLAGS": "-O2 -g", "FORCE_UNSAFE_CONFIGURE": "1", "LC_ALL": "C"}
    environment |= settings
    command = ["make", f"-j{os.cpu_count() or 1}"]
    if package.system is BuildSystem.CONFIGURE:
        options = tuple(option.replace(COMPILER, compiler) for option in package.options)
        configure(options, top, environment)
    elif package.system is BuildSystem.CMAKE:
        step("cmake", ["cmake", "-S", ".", "-B", "build-of-ours", *package.options], top, environment)
        command += ["-C", "build-of-ours"]
    else:
        command += [f"CC={compiler}", f"LD={compiler}", *package.options]
    before = children_seconds()
    # Documentation and the like may need tools that are not here: what counts is whether the program is there.
    step("make", [*command, "-k"], top, environment, may_fail=True)
    return children_seconds() - before


def children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def explore(package: Package, program: Path, out: Path, seconds: float) -> dict[str, object]:
    """A campaign's summary."""
    shutil.rmtree(out, ignore_errors=True)
    words = ["run", str(program), *package.explored, "--time", str(seconds), "--out", str(out), "--json"]
    command = [sys.executable, "-c", "import sys; from untaken.cli.start import untaken; sys.exit(untaken())", *words]
    done = subprocess.run(
        [*command, "--", *package.arguments],
        cwd=program.parent,
        capture_output=True,
        text=True,
        timeout=seconds + GRACE,
        check=False,
    )
    if done.returncode not in (0, 1):
        raise BuildFailed(f"untaken run ended with {done.returncode}: {done.stderr.strip()[-200:]}")
    found: dict[str, object] = json.loads(done.stdout)
    return found


def row(package: Package, plain: Made, ours: Made, found: dict[str, object]) -> str:
    time = ours.seconds / plain.seconds
    size = ours.program.stat().st_size / plain.program.stat().st_size
    took, solver = found["seconds"], found["solver"]
    crashes, unconfirmed = found["crashes"], found["unconfirmed"]
    assert isinstance(took, float) and isinstance(solver, dict)
    assert isinstance(crashes, list) and isinstance(unconfirmed, list)
    rate, share = float(str(found["iterations"])) / took, solver["seconds"] / took
    branches = f"{found['branches_covered']} of {found['branches_total']}"
    return (
        f"{package.name:<14}{time:>6.1f}x{size:>9.1f}x{rate:>9.0f}{share:>8.0%}  {branches:<18}"
        f"{len(crashes):>10}{len(unconfirmed):>15}  {reuse(ours.program)}"
    )


def reuse(program: Path) -> str:
    """Whether one process has many runs, or what of the program is in the way."""
    obstacles = read_program_map(program).containment.obstacles
    return "many runs" if not obstacles else "one run: " + ", ".join(obstacles[:MOST_OBSTACLES])


def put_on_shelf(package: Package, work: Path, seconds: float) -> str:
    """The package's row, or why there is none."""
    try:
        source = fetch(package.name, work / "sources")
        plain = make(package, source, work / f"{package.name}-plain", plain_compiler()[0])
        ours = make(package, source, work / f"{package.name}-untaken", str(compiler_of_one_word(work)))
        return row(package, plain, ours, explore(package, ours.program, work / f"{package.name}-out", seconds))
    except (CannotFetch, BuildFailed, subprocess.TimeoutExpired, OSError, ValueError) as problem:
        return f"{package.name:<14}  no row: {' '.join(str(problem).split())[:200]}"


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
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help="default: all")
    options = parser.parse_args()
    packages = chosen(options.packages)
    with tempfile.TemporaryDirectory() as scratch:
        work = (options.work or Path(scratch)).absolute()
        work.mkdir(parents=True, exist_ok=True)
        print(HEADER, flush=True)
        for package in packages:
            print(put_on_shelf(package, work, options.seconds), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
