"""untaken and AFL++ on the same real programs, from the same seeds, for the same time on the same cores.

    python benchmarks/real/against_afl.py [--work DIR] [--seconds S] [--teams TEAM,TEAM] [PACKAGE ...]

Teams: `untaken` and `afl` have one core; `afl+untaken` and `afl+afl` have two, and exchange what they find. AFL++ has
cmplog on. Each input that a team kept is run by a build with gcov, which belongs to neither, and the sides of branches
that it counts are compared. Programs that read standard input are taken from the shelf (benchmarks/real/packages.py),
but none that runs commands or writes files that an input names. Needs Debian's afl++ and gcc.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent))
from benchmarks.real.builds import make
from benchmarks.real.fetch import CannotFetch, fetch
from benchmarks.real.packages import Package
from benchmarks.real.shelf import chosen
from benchmarks.real.steps import BuildFailed, compiler_of_one_word

PACKAGES = ("cmark", "expat", "json-c", "jq", "lua5.4", "unifdef", "bzip2", "gzip", "zlib", "lz4")
TEAMS = ("untaken", "afl", "afl+untaken", "afl+afl")
REPLAY_SECONDS = 2.0
UNTAKEN = [sys.executable, "-c", "import sys; from untaken.cli.start import untaken; sys.exit(untaken())"]
AFL_SETTINGS = {
    "AFL_NO_UI": "1",
    "AFL_SKIP_CPUFREQ": "1",
    "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1",
    "AFL_NO_AFFINITY": "1",
    "AFL_SYNC_TIME": "1",
}
# What a stream in some compressed format begins from: neither side is to guess a checksum before it has begun.
COMPRESSED = {"gzip": ["gzip", "-c"], "zlib": ["gzip", "-c"], "bzip2": ["bzip2", "-c"], "lz4": ["lz4", "-c"]}
SEED = b"a b\n"


@dataclass(frozen=True, slots=True)
class Field:
    """A program built for each side and for the judge."""

    package: Package
    ours: Path
    afl: Path
    cmplog: Path
    judge: Path
    judge_folder: Path
    seeds: Path


def field(package: Package, work: Path) -> Field:
    """Builds the program four times, unless that was done before."""
    source = fetch(package.name, work / "sources")
    judge_folder = work / f"{package.name}-gcov"
    seeds = work / f"{package.name}-seeds"
    seeds.mkdir(exist_ok=True)
    (seeds / "seed").write_bytes(seed_of(package.name))
    quiet = {"AFL_QUIET": "1"}
    return Field(
        package,
        make(package, source, work / f"{package.name}-untaken", str(compiler_of_one_word(work))).program,
        make(package, source, work / f"{package.name}-afl", "afl-clang-fast", quiet).program,
        make(
            package, source, work / f"{package.name}-cmplog", "afl-clang-fast", {**quiet, "AFL_LLVM_CMPLOG": "1"}
        ).program,
        make(package, source, judge_folder, str(gcov_compiler(work))).program,
        judge_folder,
        seeds,
    )


def seed_of(name: str) -> bytes:
    command = COMPRESSED.get(name)
    return SEED if command is None else subprocess.run(command, input=SEED, capture_output=True, check=True).stdout


def gcov_compiler(work: Path) -> Path:
    """gcc with gcov and without optimisation, whatever a Makefile says: in one word."""
    script = work / "gcov-cc"
    script.write_text('#!/bin/sh\nexec gcc "$@" --coverage -O0\n')
    script.chmod(0o755)
    return script


def play(team: str, on: Field, out: Path, seconds: float) -> list[Path]:
    """Lets a team work for that long, each of its members on a core of its own; the inputs that it kept."""
    shutil.rmtree(out, ignore_errors=True)
    scratch = out / "cwd"
    scratch.mkdir(parents=True)
    members = [start(name, core, team, on, out, seconds) for core, name in enumerate(team.split("+"))]
    for member in members:
        member.wait(seconds + 120)
    kept = [path for part in ("queue", "crashes", "hangs") for path in out.glob(f"sync/*/{part}/id*")]
    if "untaken" in team:
        exported = out / "exported"
        command = [*UNTAKEN, "export", str(out / "campaign"), "--format", "files", "--out", str(exported)]
        subprocess.run(command, check=True, capture_output=True)
        kept += sorted(exported.iterdir())
    return kept


def start(name: str, core: int, team: str, on: Field, out: Path, seconds: float) -> subprocess.Popen[bytes]:
    pinned = ["taskset", "-c", str(core % (os.cpu_count() or 1))]
    command = (
        untaken_command(team, on, out, seconds) if name == "untaken" else afl_command(core, team, on, out, seconds)
    )
    return subprocess.Popen(
        [*pinned, *command],
        cwd=out / "cwd",
        env={**os.environ, **AFL_SETTINGS},
        stdin=subprocess.DEVNULL,
        stdout=(out / f"{core}.log").open("wb"),
        stderr=subprocess.STDOUT,
    )


def untaken_command(team: str, on: Field, out: Path, seconds: float) -> list[str]:
    words = ["run", str(on.ours), *on.package.explored, "--seeds", str(on.seeds), "--time", str(seconds), "--quiet"]
    words += ["--out", str(out / "campaign")]
    together = ["--sync", str(out / "sync")] if "+" in team else []
    return [*UNTAKEN, *words, *together, "--", *on.package.arguments]


def afl_command(core: int, team: str, on: Field, out: Path, seconds: float) -> list[str]:
    role = [] if team == "afl" else ["-M", "main"] if core == 0 else ["-S", "second"]
    words = ["-i", str(on.seeds), "-o", str(out / "sync"), "-V", str(round(seconds)), "-t", "1000", "-m", "none"]
    return ["afl-fuzz", *words, "-c", str(on.cmplog), *role, "--", str(on.afl), *on.package.arguments]


def outcomes(on: Field, inputs: Sequence[Path], cwd: Path) -> int:
    """Sides of branches that gcov counts over all of these inputs."""
    for counts in on.judge_folder.rglob("*.gcda"):
        counts.unlink()
    for path in inputs:
        with path.open("rb") as data:
            run_once([str(on.judge), *on.package.arguments], data.fileno(), cwd)
    return sum(taken(counts) for counts in on.judge_folder.rglob("*.gcda"))


def run_once(command: list[str], data: int, cwd: Path) -> None:
    with suppress(subprocess.TimeoutExpired):
        subprocess.run(
            ["timeout", "-s", "TERM", str(REPLAY_SECONDS), *command],
            stdin=data,
            cwd=cwd,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
            timeout=REPLAY_SECONDS + 5,
        )


def taken(counts: Path) -> int:
    done = subprocess.run(
        ["gcov", "--json-format", "--stdout", "--branch-probabilities", counts.name],
        cwd=counts.parent,
        capture_output=True,
        check=False,
    )
    if done.returncode or not done.stdout:
        return 0
    files = json.loads(done.stdout.splitlines()[0])["files"]
    return sum(branch["count"] > 0 for file in files for line in file["lines"] for branch in line["branches"])


def row(package: Package, teams: Sequence[str], work: Path, seconds: float) -> str:
    try:
        on = field(package, work)
        found = []
        for team in teams:
            out = work / "teams" / f"{package.name}-{team}"
            kept = play(team, on, out, seconds)
            found.append(f"{outcomes(on, kept, out / 'cwd'):>14,} of {len(kept):>5,}")
        return f"{package.name:<10}" + "".join(found)
    except (CannotFetch, BuildFailed, subprocess.SubprocessError, OSError, ValueError) as problem:
        return f"{package.name:<10}  no row: {' '.join(str(problem).split())[:200]}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, help="keep sources and builds here, and use what is there already")
    parser.add_argument("--seconds", type=float, default=60.0, help="of each team (default 60)")
    parser.add_argument("--teams", default="untaken,afl", help="which, in order (default untaken,afl)")
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help=f"default: {', '.join(PACKAGES)}")
    options = parser.parse_args()
    teams = options.teams.split(",")
    if unknown := set(teams).difference(TEAMS):
        parser.error(f"no such team: {', '.join(unknown)}; there are {', '.join(TEAMS)}")
    if shutil.which("afl-fuzz") is None:
        parser.error("afl-fuzz is not here: install Debian's package afl++")
    with tempfile.TemporaryDirectory() as scratch:
        work = (options.work or Path(scratch)).absolute()
        work.mkdir(parents=True, exist_ok=True)
        print(
            "package   " + "".join(f"{team:>23}" for team in teams) + "   (sides of branches, of inputs kept)",
            flush=True,
        )
        for package in chosen(options.packages or PACKAGES):
            print(row(package, teams, work, options.seconds), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
