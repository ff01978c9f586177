"""Same behaviour of real programs: sed, grep, expat, gzip, diffutils and patch, plain and built with `untaken cc`,
on their own test suites.

    python benchmarks/real/run.py [--work DIR] [sed] [grep] [expat] ...

Gets the sources by their Debian package names, builds each twice, runs `make check` on both and prints every test
that came out differently, with compile times and sizes. Exits with 1 if there is a difference. Nothing is installed.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent))
from benchmarks.real.fetch import CannotFetch, fetch
from benchmarks.workloads import plain_compiler, untaken_compiler

SECONDS = 3600  # for each of configure, make and make check
RESULT = re.compile(r"^(PASS|FAIL|XFAIL|XPASS|SKIP|ERROR): (\S+)", re.MULTILINE)
SUMMARY = re.compile(r"^(\d+)%: Checks: (\d+), (?:Failures|Failed): (\d+)", re.MULTILINE)


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


class BuildFailed(Exception):
    """A step went wrong; the end of its log says why."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One of the two builds."""

    configure_seconds: float
    make_seconds: float
    sizes: dict[str, int]
    tests: dict[str, str]


def step(name: str, command: list[str], folder: Path, environment: dict[str, str], may_fail: bool = False) -> float:
    """Runs a step with its output in a log; seconds taken."""
    log = folder / f"{name}.log-of-ours"
    start = time.perf_counter()
    with log.open("wb") as output:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # test suites send signals to their group
            timeout=SECONDS,
            check=False,
        )
    if done.returncode and not may_fail:
        tail = "\n".join(log.read_text(errors="replace").splitlines()[-25:])
        raise BuildFailed(f"{name} failed with {done.returncode} in {folder}:\n{tail}")
    return time.perf_counter() - start


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


def configure(options: Sequence[str], top: Path, environment: dict[str, str]) -> float:
    """Makes the configure script where there is none, and runs it; seconds that this took."""
    if not (top / "configure").exists():
        if shutil.which("autoreconf") is None or shutil.which("libtoolize") is None:
            raise BuildFailed(f"{top} comes without configure: install autoconf, automake and libtool")
        step("autoconf", ["autoreconf", "-fi"], top, environment)
    return step("configure", ["./configure", *options], top, environment)


def test_results(top: Path) -> dict[str, str]:
    """The result of each test: from automake's .trs files, and the counts that a test program prints."""
    results = {
        str(path.relative_to(top)): found[1]
        for path in sorted(top.rglob("*.trs"))
        if (found := re.search(r"^:test-global-result:\s*(.*)$", path.read_text(errors="replace"), re.MULTILINE))
    }
    text = (top / "check.log-of-ours").read_text(errors="replace")
    results |= {f"log of {name}": result for result, name in RESULT.findall(text)}
    for path in sorted(top.rglob("*.log")):
        for index, counts in enumerate(SUMMARY.findall(path.read_text(errors="replace"))):
            results[f"counts {path.relative_to(top)} {index}"] = " ".join(counts)
    return results


def differences(plain: Outcome, ours: Outcome) -> Iterator[str]:
    for name in sorted(plain.tests.keys() | ours.tests.keys()):
        before, after = plain.tests.get(name, "not run"), ours.tests.get(name, "not run")
        if before != after:
            yield f"{name}: plain {before}, instrumented {after}"


def report(project: Project, plain: Outcome, ours: Outcome) -> bool:
    """Prints the comparison; true if the two behave alike."""
    found = list(differences(plain, ours))
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


def compiler_of_one_word(work: Path) -> Path:
    """`untaken cc` as an executable, also where the package is not installed."""
    command = untaken_compiler()
    if len(command) == 1:
        return Path(command[0])
    script = work / "untaken-cc"
    paths = os.pathsep.join(path for path in sys.path if path)
    lines = ["import sys", f"sys.path[:0] = {paths.split(os.pathsep)!r}", "from untaken.cli.cc import main"]
    script.write_text("\n".join([f"#!{sys.executable}", *lines, "sys.exit(main())", ""]))
    script.chmod(0o755)
    return script


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
