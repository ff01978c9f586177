"""`untaken export --format c`: chooses tests, finds out what they come to, writes them, and tries what was written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from untaken.errors import CampaignError
from untaken.model.path import ExitKind
from untaken.suite.replay.verdict import described
from untaken.suite.tests import Suite
from untaken.unit.driver import rest_text
from untaken.unit.export.choose import Choice, ends_program, fails_elsewhere, named_crashes, named_tests
from untaken.unit.export.cmake import cmake_file
from untaken.unit.export.compilable import compilable, refused
from untaken.unit.export.frameworks import FRAMEWORKS, Framework, googletest_file
from untaken.unit.export.kept_coverage import Spot, lost_coverage, never_written
from untaken.unit.export.observe import Observed, observe_compilable, without_fragile
from untaken.unit.export.programs import REST, Workshop
from untaken.unit.export.stable_pins import settled, text_of
from untaken.unit.export.text import NamedCase, crash_file
from untaken.unit.shape import UnitPlan
from untaken.unit.target import read_plan


@dataclass(frozen=True, slots=True)
class Written:
    """How many tests, and what to tell the user."""

    tests: int
    notes: tuple[str, ...]


def write_c(suite: Suite, target: Path, framework: Framework, *, minimise: bool = True) -> Written:
    """Writes the tests of a unit campaign into an empty folder."""
    plan = read_plan(suite.folder, suite.trust)
    if not Path(plan.source).is_file():
        raise CampaignError(f"{plan.source}, whose function the tests call, is gone")
    workshop = Workshop(suite, plan, target.resolve())
    if text := rest_text(plan):
        (target / REST).write_text(text)
    tests = named_tests(suite, plan, Choice(minimise))
    pairs, notes = observe_compilable(workshop, tests)
    ending = [ends_program(named) for named, seen in pairs if not seen.returned]
    # A test that failed under a sanitizer and returns without it shows nothing that can be relied on.
    kept = [(named, without_fragile(named, seen)) for named, seen in pairs if seen.returned and named.clean]
    kept = settled(workshop, kept)
    crashes, more = _compilable_crashes(workshop, named_crashes(suite, plan))
    apart = [*crashes, *ending]
    names = [named.name for named, _ in kept]
    (target / f"test_{plan.function}.c").write_text(text_of(plan, framework, kept))
    if framework.name == "gtest":
        (target / f"test_{plan.function}.cc").write_text(googletest_file(plan.function, names))
    if apart:
        (target / f"crashes_{plan.function}.c").write_text(crash_file(plan, apart))
    (target / "CMakeLists.txt").write_text(cmake_file(workshop, framework, names, [named.name for named in apart]))
    notes += [*_left_out(suite, plan), *more, *_tried(workshop, framework, bool(kept), apart)]
    notes += _kept_coverage(workshop, kept) if kept else []
    return Written(len(kept), tuple(notes))


def _left_out(suite: Suite, plan: UnitPlan) -> list[str]:
    left = sum(fails_elsewhere(plan, test) for test in suite.tests)
    if not left:
        return []
    some = "1 test in which an allocation fails is" if left == 1 else f"{left} tests in which an allocation fails are"
    return [f"{some} left out: it may be one of the files that --with names; `untaken replay` runs all tests"]


def _kept_coverage(workshop: Workshop, kept: Sequence[tuple[NamedCase, Observed]]) -> list[str]:
    covered = frozenset[Spot]().union(*(named.covers for named, _ in kept))
    never = never_written(workshop.suite, covered)
    notes = [f"not covered by them: {_branches(len(never))} that only runs reach which do not return"] if never else []
    lost = lost_coverage(workshop, text_of(workshop.plan, FRAMEWORKS["assert"], kept), covered)
    if lost is None:
        return [*notes, "whether the tests cover what they covered in the campaign could not be found out"]
    if lost:
        notes.append(f"{len(lost)} of the {len(covered)} branches that they covered in the campaign are lost")
    return notes


def _branches(number: int) -> str:
    return "1 branch" if number == 1 else f"{number} branches"


# ---- trying


def _tried(workshop: Workshop, framework: Framework, tests: bool, apart: Sequence[NamedCase]) -> list[str]:
    function = workshop.plan.function
    notes = []
    if apart:
        some = "1 input with which" if len(apart) == 1 else f"{len(apart)} inputs with which"
        notes.append(f"kept apart in crashes_{function}.c: {some} {function} does not return")
    with TemporaryDirectory(prefix=".tried-", dir=workshop.folder) as folder:
        notes += [_try_tests(workshop, framework, Path(folder) / "tests")] if tests else []
    return notes


def _compilable_crashes(workshop: Workshop, crashes: Sequence[NamedCase]) -> tuple[Sequence[NamedCase], list[str]]:
    """Without those that the compiler refuses, and what to tell about these."""
    if not crashes:
        return crashes, []
    with TemporaryDirectory(prefix=".tried-", dir=workshop.folder) as folder:
        source = Path(folder) / "crashes.c"
        source.write_text(crash_file(workshop.plan, crashes))
        if workshop.compile(str(source), Path(folder) / "crashes") is None:
            return crashes, []
    return compilable(workshop, crashes)


def _try_tests(workshop: Workshop, framework: Framework, program: Path) -> str:
    file = f"test_{workshop.plan.function}.c"
    googletest = framework.name == "gtest"
    if framework.header and not workshop.has_header(framework.header, "c++" if googletest else "c"):
        return f"written, but not compiled: {framework.header} is not here ({framework.package})"
    libraries = [f"-l{name}" for name in framework.libraries]
    if googletest:
        said = workshop.compile_googletest(file, program, framework)
    else:
        said = workshop.compile(file, program, libraries)
    if said is not None:
        raise refused(workshop, f"the tests for {framework.name}", said)
    ended = workshop.run(program, [], rounds=100)
    if ended.exit.kind is not ExitKind.CODE or ended.exit.code:
        output = ended.output.decode(errors="replace").strip()[-800:]
        raise CampaignError(
            f"the tests in {file} passed once, and not again ({described(ended.exit)}: {output}): what "
            f"{workshop.plan.function} does changes from run to run; `--format files` writes the inputs without results"
        )
    return f"{file} was compiled and run: all pass"
