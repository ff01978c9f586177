"""Compares strategies on a real program, such as GNU sed, built with `untaken cc`, on symbolic arguments and input.

    python benchmarks/compare_real.py [--work DIR] [--trials N] [--iterations N] [--jobs N] [PROGRAM]

Gets the sources by their Debian package name, builds the program once, runs `untaken compare` on it, and prints how
`auto` stands to the best single strategy, and the guided strategies to depth-first search. With --work, what was built
and what was run is kept and not done again. Nothing is installed; the program runs in the usual sandbox.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from benchmarks.real.fetch import CannotFetch, fetch
from benchmarks.real.steps import BuildFailed, compiler_of_one_word, configure, step
from untaken.cli.main import guarded
from untaken.cli.main import run as untaken

STRATEGIES = "random,dfs,random-branch,uniform,cfg,cgs,generational,frontier,auto"
GUIDED = ("cfg", "cgs", "random-branch")


@dataclass(frozen=True, slots=True)
class Program:
    """A package, how it is built, and what of its input is explored."""

    package: str
    product: str
    inputs: tuple[str, ...]
    configure: tuple[str, ...] | None
    make: tuple[str, ...] = ()  # {cc} is the compiler
    subfolder: str = "."


PROGRAMS = {
    "sed": Program(
        "sed",
        "sed/sed",
        ("--arg", "20", "--stdin", "40"),
        ("--disable-nls", "--disable-dependency-tracking"),
    ),
    "tree": Program("tree", "tree", ("--arg", "10", "--arg", "10"), None, ("tree",)),
    "grep": Program(
        "grep",
        "src/grep",
        ("--arg", "12", "--stdin", "30"),
        ("--disable-nls", "--disable-dependency-tracking"),
    ),
    "expat": Program(
        "expat",
        "xmlwf/xmlwf",
        ("--stdin", "40"),
        ("--disable-shared", "--without-docbook", "--without-tests", "--disable-dependency-tracking"),
        subfolder="expat",
    ),
    "par": Program(
        "par",
        "par",
        ("--arg", "6", "--stdin", "30"),
        None,
        ("-f", "protoMakefile", "CC={cc} -O1 -g -c", "LINK1={cc}", "par"),
    ),
    "dos2unix": Program("dos2unix", "dos2unix", ("--arg", "8", "--stdin", "20"), None, ("ENABLE_NLS=", "dos2unix")),
}


def build(program: Program, work: Path) -> Path:
    """The instrumented program; built only once in a folder."""
    folder = work / f"{program.package}-compared"
    top = folder / program.subfolder
    product = top / program.product
    if product.exists():
        return product
    if folder.exists():
        shutil.rmtree(folder)
    shutil.copytree(fetch(program.package, work / "sources"), folder, symlinks=True)
    compiler = str(compiler_of_one_word(work))
    environment = {**os.environ, "CC": compiler, "CFLAGS": "-O1 -g", "FORCE_UNSAFE_CONFIGURE": "1", "LC_ALL": "C"}
    if program.configure is not None:
        configure(program.configure, top, environment)
    words = [word.format(cc=compiler) for word in program.make]
    step("make", ["make", f"CC={compiler}", *words], top, environment)
    return product


def print_margins(out: Path) -> None:
    """What is expected of the strategies, in figures."""
    rows = json.loads((out / "results.json").read_text())["rows"]
    means = {row["strategy"]: row["mean"] for row in rows}
    singles = {name: mean for name, mean in means.items() if name != "auto"}
    best = max(singles, key=singles.__getitem__)
    if "auto" in means:
        print(f"auto: {means['auto'] / singles[best]:.3f} of the best single strategy, {best}")
    for name in GUIDED:
        if name in means and "dfs" in means:
            print(f"{name}: {means[name] / means['dfs']:.2f} times dfs")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, help="keep sources, build and trials here, and use what is there already")
    parser.add_argument("--strategies", default=STRATEGIES)
    parser.add_argument("--trials", default="3")
    parser.add_argument("--iterations", default="4000")
    parser.add_argument("--jobs", default=str(os.cpu_count() or 1))
    parser.add_argument("program", nargs="?", choices=PROGRAMS, default="sed")
    options = parser.parse_args()
    program = PROGRAMS[options.program]
    with tempfile.TemporaryDirectory() as scratch:
        work = (options.work or Path(scratch)).absolute()
        work.mkdir(parents=True, exist_ok=True)
        out = work / f"{options.program}-comparison"
        try:
            product = build(program, work)
        except (CannotFetch, BuildFailed, subprocess.TimeoutExpired) as problem:
            print(f"not possible here: {problem}", file=sys.stderr)
            return 2
        budget = ["--trials", options.trials, "--iterations", options.iterations, "--jobs", options.jobs]
        words = ["compare", str(product), "--strategies", options.strategies, *budget, *program.inputs]
        code = guarded(untaken, [*words, "--out", str(out)])
        if code == 0:
            print_margins(out)
    return code


if __name__ == "__main__":
    sys.exit(main())
