"""`untaken unit` on the functions of real programs: for how many a driver builds, and how far it gets.

    python benchmarks/unit_real.py [--work DIR] [--functions N] [--seconds S] [tree] [zlib]

Gets the sources by their Debian package name, builds them once with a compiler that writes compile_commands.json, and
explores each function of each file alone: what it calls in other files is made up (--stub all), and the variables
that it uses are inputs (--global all). Prints the share of
functions for which a driver builds, their branch coverage, and why the others were refused. Nothing is installed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stderr
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from benchmarks.real.fetch import CannotFetch, fetch
from benchmarks.real.steps import BuildFailed, step
from untaken.campaign.campaign import run_campaign
from untaken.campaign.watcher import Watcher
from untaken.cli.unit import parse
from untaken.errors import UntakenError
from untaken.unit.compile_commands import project_flags
from untaken.unit.planning import make_plan
from untaken.unit.probe import compile_module, defined_functions
from untaken.unit.target import build_target

DATABASE = "compile_commands.json"
SEED = 1
# Appends what it is asked to compile to the database, and has it compiled.
COMPILER = """\
#!{python}
import json, os, sys
files = [word for word in sys.argv[1:] if word.endswith(".c") and os.path.exists(word)]
if "-c" in sys.argv and files:
    with open({database!r}, "a") as log:
        entry = {{"directory": os.getcwd(), "file": files[0], "arguments": ["cc", *sys.argv[1:]]}}
        log.write(json.dumps(entry) + "\\n")
os.execvp("cc", ["cc", *sys.argv[1:]])
"""


@dataclass(frozen=True, slots=True)
class Package:
    """How it is built."""

    name: str
    configure: tuple[str, ...] | None
    make: tuple[str, ...]


PACKAGES = {
    "tree": Package("tree", None, ("tree",)),
    "zlib": Package("zlib", ("./configure", "--static"), ("libz.a",)),
}


@dataclass(slots=True)
class Outcome:
    """Of the functions of one package."""

    functions: int = 0
    built: int = 0
    branches: int = 0
    covered: int = 0
    with_branches: int = 0
    fully: int = 0
    crashing: int = 0
    refused: Counter[str] = field(default_factory=Counter)


def build(package: Package, work: Path) -> Path:
    """The folder with the sources and their database; built only once."""
    folder = work / f"{package.name}-unit"
    database = folder / DATABASE
    if database.exists():
        return folder
    if folder.exists():
        shutil.rmtree(folder)
    shutil.copytree(fetch(package.name, work / "sources"), folder, symlinks=True)
    log, compiler = work / f"{package.name}.log", work / f"{package.name}-cc"
    log.unlink(missing_ok=True)
    compiler.write_text(COMPILER.format(python=sys.executable, database=str(log)))
    compiler.chmod(0o755)
    environment = {**os.environ, "CC": str(compiler), "CFLAGS": "-O1 -g"}
    if package.configure is not None:
        step("configure", list(package.configure), folder, environment)
        log.unlink(missing_ok=True)  # what configure tried out is not the program
    step("make", ["make", f"CC={compiler}", *package.make], folder, environment)
    database.write_text(json.dumps([json.loads(line) for line in log.read_text().splitlines()], indent=1))
    return folder


def functions_of(folder: Path) -> Iterator[tuple[Path, str]]:
    """All functions that the files define themselves, main aside."""
    database = folder / DATABASE
    entries = json.loads(database.read_text())
    files = dict.fromkeys(Path(entry["directory"], entry["file"]).resolve() for entry in entries)
    for file in files:
        module = compile_module(file, ("-w", *(project_flags(database, file) or ())))
        for name in defined_functions(module):
            info = module.function(name)
            if info is not None and Path(info.file).resolve() == file:
                yield file, name


def explore(file: Path, function: str, out: Path, options: argparse.Namespace, outcome: Outcome) -> None:
    """One function; what it comes to is added up."""
    limits = ["--time", options.seconds, "--iterations", options.iterations]
    words = [file, function, "--out", out, "--stub", "all", "--global", "all", *limits]
    asked, config = parse([str(word) for word in words])
    outcome.functions += 1
    try:
        with redirect_stderr(StringIO()):
            planned = make_plan(asked)
            target = build_target(planned.plan, config.out)
    except UntakenError as error:
        outcome.refused[reason(str(error), function)] += 1
        return
    summary = run_campaign(config, target, Watcher())
    outcome.built += 1
    outcome.crashing += bool(summary.findings)
    own = next((each for each in summary.functions if each.name == function), None)
    if own is not None:
        outcome.with_branches += 1
        outcome.branches += own.total
        outcome.covered += own.covered
        outcome.fully += own.covered == own.total
    if options.verbose:
        done = f"{own.covered}/{own.total}" if own is not None else "no branches"
        print(f"  {file.name} {function}: {done}, {summary.ended_by}", flush=True)


def reason(message: str, function: str) -> str:
    """Refusals of the same kind read the same."""
    kinds = ("variable number", "type that is not built", "no stub can be written", "too large", "could not be")
    return next((kind for kind in kinds if kind in message), message.replace(function, "FUNCTION")[:100])


def report(name: str, outcome: Outcome) -> None:
    share = outcome.built / max(1, outcome.functions)
    coverage = outcome.covered / max(1, outcome.branches)
    print(f"{name}: a driver builds for {outcome.built} of {outcome.functions} functions ({share:.0%})")
    print(f"  branches: {outcome.covered} of {outcome.branches} covered ({coverage:.0%})")
    print(f"  fully covered: {outcome.fully} of {outcome.with_branches} functions that have branches")
    print(f"  functions that some input crashes: {outcome.crashing}")
    for why, count in outcome.refused.most_common():
        print(f"  refused, {count} times: {why}")


def measure(package: Package, work: Path, options: argparse.Namespace) -> Outcome:
    outcome = Outcome()
    found = list(functions_of(build(package, work)))
    if options.functions and len(found) > options.functions:
        found = [found[place] for place in sorted(random.Random(SEED).sample(range(len(found)), options.functions))]
    for number, (file, function) in enumerate(found):
        with tempfile.TemporaryDirectory(dir=work) as out:
            explore(file, function, Path(out) / str(number), options, outcome)
    return outcome


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, help="keep sources here, and use what is there already")
    parser.add_argument("--functions", type=int, default=0, help="so many of each package, drawn by lot (default: all)")
    parser.add_argument("--seconds", type=float, default=10, help="for each function (default 10)")
    parser.add_argument("--iterations", type=int, default=2000, help="for each function (default 2000)")
    parser.add_argument("--verbose", action="store_true", help="a line for each function")
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help=f"out of {', '.join(PACKAGES)} (default: all)")
    options = parser.parse_args()
    unknown = [name for name in options.packages if name not in PACKAGES]
    if unknown:
        parser.error(f"no such package: {', '.join(unknown)}")
    with tempfile.TemporaryDirectory() as scratch:
        work = (options.work or Path(scratch)).absolute()
        work.mkdir(parents=True, exist_ok=True)
        try:
            for name in options.packages or PACKAGES:
                report(name, measure(PACKAGES[name], work, options))
        except (CannotFetch, BuildFailed) as problem:
            print(f"not possible here: {problem}", file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
