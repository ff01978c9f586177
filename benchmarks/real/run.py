"""Same behaviour of real programs: sed, grep, expat, gzip, diffutils and patch, plain and built with `untaken cc`,
on their own test suites.

    python benchmarks/real/run.py [--work DIR] [sed] [grep] [expat] ...

Gets the sources by their Debian package names, builds each twice, runs `make check` on both and prints every test
that came out differently, with compile times and sizes. Exits with 1 if there is a difference. Nothing is installed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent))
from benchmarks.real.fetch import CannotFetch, fetch
from benchmarks.real.steps import BuildFailed, compiler_of_one_word, configure, step
from benchmarks.real.suites import differences, test_results
from benchmarks.workloads import plain_compiler


@dataclass(frozen=True, slots=True)
class Project:
    """A package, how it is configured, and the programs whose sizes are of interest."""

    package: str
    options: tuple[str, ...]
    products: tuple[str, ...]
    subfolder: str = "."


PROJECTS = {
    "sed": Project("sed", ("--disable-nls", "--disable-dependency-tracking"), ("sed/sed",)),
    "grep": Project("grep", ("--disable-nls", "--disable-dependency-tracking"), ("src/grep",)),
    "expat": Project(
        "expat",
        ("--disable-shared", "--without-docbook", "--disable-dependency-tracking"),
        ("xmlwf/xmlwf", "tests/runtests", "tests/runtestspp"),
        "expat",
    ),
    "gzip": Project("gzip", ("--disable-dependency-tracking",), ("gzip",)),
    "diffutils": Project("diffutils", ("--disable-nls", "--disable-dependency-tracking"), ("src/diff", "src/cmp")),
    "patch": Project("patch", ("--disable-dependency-tracking",), ("src/patch",)),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """One of the two builds."""

    configure_seconds: float
    make_seconds: float
    sizes: dict[str, int]
    tests: dict[str, str]


def build_and_check(project: Project, source: Path, folder: Path, compilers: dict[str, str]) -> Outcome:
    """Builds in a copy of the sources and runs the project's own tests."""
    if folder.exists():
        shutil.rmtree(folder)
    shutil.copytree(source, folder, symlinks=True)
    top = folder / project.subfolder
    # Test suites refuse to run as root or want to know; both builds are treated alike.
    environment = {**os.environ, **compilers, "CFLAGS": "-O2 -g", "FORCE_UNSAFE_CONFIGURE": "1", "LC_ALL": "C"}
    configuring = configure(project.options, top, environment)
    making = step("make", ["make", f"-j{os.cpu_count() or 1}"], top, environment)
    step("check", ["make", "-k", "check", "VERBOSE=yes"], top, environment, may_fail=True)
    sizes = {name: (top / name).stat().st_size for name in project.products if (top / name).exists()}
    return Outcome(configuring, making, sizes, test_results(top))


def report(project: Project, plain: Outcome, ours: Outcome) -> bool:
    """Prints the comparison; true if the two behave alike."""
    found = list(differences(plain.tests, ours.tests))
    passed = sum(result.startswith("PASS") for result in plain.tests.values())
    print(f"{project.package}: {len(plain.tests)} test results, {passed} of them passes; {len(found)} differences")
    for line in found:
        print(f"  {line}")
    for what, before, after in (
        ("configure", plain.configure_seconds, ours.configure_seconds),
        ("make", plain.make_seconds, ours.make_seconds),
    ):
        print(f"  {what}: {before:.1f} s plain, {after:.1f} s instrumented, {after / before:.1f}x")
    for name, size in ours.sizes.items():
        before = plain.sizes[name]
        print(f"  {name}: {before / 1024:.0f} KiB plain, {size / 1024:.0f} KiB instrumented, {size / before:.1f}x")
    if not plain.tests:
        print("  no test results were found, so nothing was compared")
    return bool(plain.tests) and not found


def compare(project: Project, work: Path) -> bool:
    source = fetch(project.package, work / "sources")
    plain_compilers = {"CC": " ".join(plain_compiler())}
    plain = build_and_check(project, source, work / f"{project.package}-plain", plain_compilers)
    wrapper = compiler_of_one_word(work)
    # C++ is not instrumented, but linked with C that is: the tests of expat have a twin in C++.
    our_compilers = {"CC": str(wrapper), "CXX": f"{wrapper} --driver-mode=g++"}
    ours = build_and_check(project, source, work / f"{project.package}-untaken", our_compilers)
    return report(project, plain, ours)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, help="keep sources and builds here, and use what is there already")
    parser.add_argument("projects", nargs="*", metavar="PROJECT", help=f"out of {', '.join(PROJECTS)} (default: all)")
    options = parser.parse_args()
    unknown = [name for name in options.projects if name not in PROJECTS]
    if unknown:
        parser.error(f"no such project: {', '.join(unknown)}")
    with tempfile.TemporaryDirectory() as scratch:
        work = (options.work or Path(scratch)).absolute()
        work.mkdir(parents=True, exist_ok=True)
        try:
            alike = [compare(PROJECTS[name], work) for name in options.projects or PROJECTS]
        except (CannotFetch, BuildFailed, subprocess.TimeoutExpired) as problem:
            print(f"not possible here: {problem}", file=sys.stderr)
            return 2
    return 0 if all(alike) else 1


if __name__ == "__main__":
    sys.exit(main())
