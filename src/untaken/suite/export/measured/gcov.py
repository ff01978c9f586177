"""Runs a campaign's tests on a plain build with gcc's `--coverage`, and reads what gcov says of them.

What is counted is gcov's: lines with code, and the arcs that leave each condition. So figures agree with those of a
project that measures its own tests with gcov, lcov or gcovr. Runs that end by a signal count, too: a handler writes
their figures.
"""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from untaken.build.plain import Variant
from untaken.errors import CampaignError, PlainBuildError
from untaken.execute.memory import RunLimits
from untaken.execute.sandbox import Sandbox
from untaken.json_records import decoded
from untaken.suite.export.measured.gcov_report import GcovFile, GcovReport
from untaken.suite.replay.alone import Means, run_alone
from untaken.suite.replay.native import build_native
from untaken.suite.replay.runners import PATIENCE, obstacle_to_native
from untaken.suite.tests import Suite

HANDLER = Path(__file__).with_name("dump_at_signals.c")
WANTED = "gcov counts it: apt-get install gcc"


@dataclass(slots=True)
class MeasuredLine:
    """A line with code: how often it ran, and each of the arcs that leave its conditions."""

    count: int = 0
    branches: list[int] = field(default_factory=list)


@dataclass(slots=True)
class MeasuredFunction:
    """Where it begins, and how often it was entered."""

    name: str
    line: int
    count: int


@dataclass(slots=True)
class MeasuredFile:
    """What gcov says of one source file."""

    lines: dict[int, MeasuredLine] = field(default_factory=dict)
    functions: dict[str, MeasuredFunction] = field(default_factory=dict)

    @property
    def branches(self) -> list[int]:
        return [count for line in self.lines.values() for count in line.branches]


def measured(suite: Suite) -> dict[str, MeasuredFile]:
    """By source file, of all tests together; system headers are left out."""
    if (obstacle := obstacle_to_native(suite)) is not None:
        raise CampaignError(f"the tests cannot be measured natively: {obstacle}")
    program = _built(suite)
    with TemporaryDirectory(prefix=".measure-", dir=suite.folder, ignore_cleanup_errors=True) as folder:
        runs, figures = Path(folder) / "runs", Path(folder) / "figures"
        runs.mkdir()
        figures.mkdir()
        _run_all(suite, program, runs, figures)
        return _gathered(program.parent, figures, Path(suite.recipe.directory))


def _built(suite: Suite) -> Path:
    """By gcc, with the handler of signals, whose name is the same each time: what is built is kept."""
    if shutil.which("gcc") is None or shutil.which("gcov") is None:
        raise CampaignError(f"gcc or gcov is missing, and {WANTED}")
    handler = suite.folder / ".dump_at_signals.o"
    options = ("-O0", "-g", "--coverage", "-fprofile-abs-path", f"-Wl,{handler}")
    try:
        subprocess.run(["gcc", "-O1", "-c", str(HANDLER), "-o", str(handler)], check=True, capture_output=True)
        return build_native(suite, Variant("the plain program with --coverage", options, ("gcc",)))
    except (PlainBuildError, subprocess.CalledProcessError) as error:
        raise CampaignError(f"the program cannot be built with gcc --coverage: {error}") from None
    finally:
        handler.unlink(missing_ok=True)


def _run_all(suite: Suite, program: Path, runs: Path, figures: Path) -> None:
    """The figures of all runs add up in one folder, the only one that they may write to."""
    means = Means(
        Sandbox(writable=(figures,), keep_env=suite.recipe.keep_env),
        suite.recipe.timeout * PATIENCE,
        RunLimits(),
        variables={"GCOV_PREFIX": str(figures)},
    )
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # gcov locks its files
        for _ in pool.map(lambda test: run_alone(suite, test, program, runs, means), suite.proper_tests):
            pass


def _gathered(notes: Path, figures: Path, directory: Path) -> dict[str, MeasuredFile]:
    found: dict[str, MeasuredFile] = {}
    # A run writes its figures below the prefix, in folders as those of the notes.
    for note in sorted(notes.glob("*.gcno")):
        counts = figures / str(note.with_suffix(".gcda")).lstrip("/")
        for about in _told(note, counts):
            name = str((directory / about.file).resolve())
            if not name.startswith("/usr/"):
                _add(found.setdefault(name, MeasuredFile()), about)
    return found


def _told(note: Path, counts: Path) -> Iterator[GcovFile]:
    """What gcov says of one object: without counts, that nothing in it ran."""
    with TemporaryDirectory() as work:
        shutil.copy(note, Path(work) / "unit.gcno")
        if counts.exists():
            shutil.copy(counts, Path(work) / "unit.gcda")
        subprocess.run(["gcov", "-b", "-j", "unit.gcno"], cwd=work, capture_output=True, check=True)
        for file in sorted(Path(work).glob("*.gcov.json.gz")):
            text = gzip.decompress(file.read_bytes()).decode(errors="surrogateescape")  # names need not be text
            yield from decoded(text, GcovReport).files


def _add(file: MeasuredFile, about: GcovFile) -> None:
    """A header, or a function that several objects have, adds up."""
    for told in about.lines:
        line = file.lines.setdefault(told.line_number, MeasuredLine())
        line.count += told.count
        line.branches = _sums(line.branches, [branch.count for branch in told.branches])
    for function in about.functions:
        known = file.functions.setdefault(function.name, MeasuredFunction(function.name, function.start_line, 0))
        known.count += function.execution_count


def _sums(one: list[int], other: list[int]) -> list[int]:
    if len(one) != len(other):
        return [*one, *other]  # of another function, or compiled under other options
    return [a + b for a, b in zip(one, other, strict=True)]
