"""Two versions of untaken on packages of the shelf: both at once, each on a processor of its own, until each has had so
much processor time.

    python benchmarks/real/versions.py --other TREE [--work DIR] [--seconds S] [--seeds 0,1] [PACKAGE ...]

TREE is a checkout of the other version, installed in an environment of its own in TREE/.venv. Both are built by the
steps of this tree, each with its own compiler. Time is that of all processes of a campaign, so other work on the
machine makes no difference; then the campaign is told to stop. Prints branches covered, as each version counts them,
and what the time went to.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent.parent))
from benchmarks.real.fetch import CannotFetch, fetch
from benchmarks.real.packages import Package
from benchmarks.real.shelf import chosen

HERE = Path(__file__).parent.parent.parent
LOOK = 0.2  # seconds between two looks at the time that was taken
MUCH_LONGER = 40  # times the seconds, by the clock: then something hangs
HEADER = "| package | seed | other: runs | this | other: solver | this | other: branches | this | ratio |"
BUILD = """
import sys
from pathlib import Path
from benchmarks.real.builds import make
from benchmarks.real.packages import SHELF
from benchmarks.real.steps import adopt_orphans
name, source, work, compiler = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4]
work.mkdir(parents=True, exist_ok=True)
adopt_orphans()
package = next(package for package in SHELF if package.name == name)
print(make(package, source, work / name, compiler).program)
"""


@dataclass(frozen=True, slots=True)
class Version:
    tree: Path
    work: Path  # its builds and campaigns
    processor: int

    @property
    def python(self) -> str:
        own = self.tree / ".venv/bin/python"
        return str(own) if own.exists() else sys.executable

    @property
    def environment(self) -> dict[str, str]:
        """Its own compiler and cache."""
        paths = os.pathsep.join((str(Path(self.python).parent), os.environ["PATH"]))
        return {**os.environ, "PATH": paths, "XDG_CACHE_HOME": str(self.work / "cache")}

    def built(self, package: Package, source: Path) -> Path:
        """By the steps of this tree, with the compiler of that one."""
        compiler = Path(self.python).with_name("untaken-cc")
        command = [sys.executable, "-c", BUILD, package.name, str(source), str(self.work), str(compiler)]
        done = subprocess.run(command, cwd=HERE, env=self.environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise CannotFetch(done.stderr.strip()[-400:])
        return Path(done.stdout.splitlines()[-1])

    def explored(self, package: Package, program: Path, seconds: float, seed: int) -> dict[str, Any]:
        """The summary of a campaign that was stopped when its processes had taken so much."""
        out = self.work / f"{package.name}-{seed}"
        shutil.rmtree(out, ignore_errors=True)
        words = ["run", str(program), *package.explored, "--time", f"{seconds * MUCH_LONGER:g}", "--seed", str(seed)]
        words += ["--out", str(out), "--json", "--", *package.arguments]
        command = ["taskset", "-c", str(self.processor), self.python, "-m", "untaken", *words]
        process = subprocess.Popen(
            command, cwd=program.parent, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        while process.poll() is None and taken_by(process.pid) < seconds:
            time.sleep(LOOK)
        process.terminate()  # whoever runs this in the background has it ignore interrupts
        process.wait()
        summary: dict[str, Any] = json.loads((out / "summary.json").read_text())
        return summary


def taken_by(process: int) -> float:
    """Processor seconds of a process, of what it started, and of those of them that have ended."""
    return sum(map(_own_and_ended, _with_children(process)))


def _with_children(process: int) -> Iterator[int]:
    yield process
    for thread in _listed(Path(f"/proc/{process}/task")):
        for child in _read(thread / "children").split():
            yield from _with_children(int(child))


def _listed(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _read(file: Path) -> str:
    try:
        return file.read_text()
    except OSError:  # it has ended
        return ""


def _own_and_ended(process: int) -> float:
    figures = _read(Path(f"/proc/{process}/stat")).rpartition(")")[2].split()[11:15]
    return sum(map(int, figures)) / os.sysconf("SC_CLK_TCK")


def row(package: Package, seed: int, summaries: Sequence[dict[str, Any]]) -> tuple[str, float]:
    """The row, and the ratio of branches."""
    runs = [f"{summary['iterations']:,}" for summary in summaries]
    solver = [f"{summary['solver']['seconds'] / summary['seconds']:.0%}" for summary in summaries]
    branches = [summary["branches_covered"] for summary in summaries]
    ratio = branches[1] / branches[0]
    cells = [package.name, str(seed), *runs, *solver, *(f"{count:,}" for count in branches), f"{ratio:.2f}"]
    return f"| {' | '.join(cells)} |", ratio


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--other", type=Path, required=True, help="a checkout of the other version")
    parser.add_argument("--work", type=Path, help="keep sources and builds here, and use what is there already")
    parser.add_argument("--seconds", type=float, default=60.0, help="processor seconds of each campaign (default 60)")
    parser.add_argument("--seeds", default="0,1", help="default 0,1")
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help="default: all")
    options = parser.parse_args()
    ratios = []
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(2) as pool:
        work = (options.work or Path(scratch)).absolute()
        processors = sorted(os.sched_getaffinity(0))
        trees = (options.other.absolute(), "other"), (HERE, "this")
        versions = [
            Version(tree, work / name, processors[number % len(processors)])
            for number, (tree, name) in enumerate(trees)
        ]
        print(HEADER + f"\n|{' --- |' * HEADER.count(' | ')} --- |", flush=True)
        for package in chosen(options.packages):
            try:
                source = fetch(package.name, work / "sources")
                programs = [version.built(package, source) for version in versions]
            except CannotFetch as problem:
                print(f"| {package.name} | no row: {' '.join(str(problem).split())} |", flush=True)
                continue
            for seed in map(int, options.seeds.split(",")):
                campaigns = [
                    pool.submit(version.explored, package, program, options.seconds, seed)
                    for version, program in zip(versions, programs, strict=True)
                ]
                text, ratio = row(package, seed, [campaign.result() for campaign in campaigns])
                ratios.append(ratio)
                print(text, flush=True)
    if ratios:
        print(f"geometric mean {prod(ratios) ** (1 / len(ratios)):.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
