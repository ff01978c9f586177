"""`untaken export --format c`: chooses tests, finds out what they come to, writes them, and tries what was written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from untaken.errors import CampaignError
from untaken.model.path import ExitKind
from untaken.model.program import Branch
from untaken.suite.replay.verdict import described
from untaken.suite.tests import CrashPlace, SavedTest, Suite
from untaken.unit.driver import rest_text
from untaken.unit.export.cases import Case, make_case
from untaken.unit.export.cmake import cmake_file
from untaken.unit.export.frameworks import FRAMEWORKS, Framework, googletest_file
from untaken.unit.export.kept_coverage import Spot, lost_coverage, spots
from untaken.unit.export.literals import identifier
from untaken.unit.export.minimise import Covering, coverer, fewest, newly_covered
from untaken.unit.export.observe import Observed, observe
from untaken.unit.export.programs import REST, Workshop
from untaken.unit.export.stable_pins import settled, text_of
from untaken.unit.export.text import NamedCase, crash_file
from untaken.unit.export.values import given_values
from untaken.unit.shape import Scalar, UnitPlan
from untaken.unit.target import read_plan

MOST_COVERED = 12  # branches that a comment names


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
    tests = _named_tests(suite, plan, minimise)
    pairs = list(zip(tests, observe(workshop, tests), strict=True))
    ending = [_ends_program(named) for named, seen in pairs if not seen.returned]
    # A test that failed under a sanitizer and returns without it shows nothing that can be relied on.
    kept = [(named, seen) for named, seen in pairs if seen.returned and named.clean]
    kept = settled(workshop, kept)
    apart = [*_named_crashes(suite, plan), *ending]
    names = [named.name for named, _ in kept]
    (target / f"test_{plan.function}.c").write_text(text_of(plan, framework, kept))
    if framework.name == "gtest":
        (target / f"test_{plan.function}.cc").write_text(googletest_file(plan.function, names))
    if apart:
        (target / f"crashes_{plan.function}.c").write_text(crash_file(plan, apart))
    (target / "CMakeLists.txt").write_text(cmake_file(workshop, framework, names, [named.name for named in apart]))
    notes = _tried(workshop, framework, bool(kept), apart)
    notes += _kept_coverage(workshop, kept) if kept else []
    return Written(len(kept), tuple(notes))


def _kept_coverage(workshop: Workshop, kept: Sequence[tuple[NamedCase, Observed]]) -> list[str]:
    covered = frozenset[Spot]().union(*(named.covers for named, _ in kept))
    lost = lost_coverage(workshop, text_of(workshop.plan, FRAMEWORKS["assert"], kept), covered)
    if lost is None:
        return ["whether the tests cover what they covered in the campaign could not be found out"]
    return [f"{len(lost)} of the {len(covered)} branches that they covered in the campaign are lost"] if lost else []


# ---- choosing


def _named_tests(suite: Suite, plan: UnitPlan, minimise: bool) -> list[NamedCase]:
    """The tests that end as they should."""
    lengths = frozenset(v.name for v in plan.parameters if isinstance(v.shape, Scalar) and v.shape.most is not None)
    wanted = [test for test in suite.tests if test.place is None and test.exit.kind is ExitKind.CODE]
    with coverer(suite, lengths) as runs:
        found = [runs.covering(test) for test in wanted]
        found = [each for each in found if each.test.exit.kind is ExitKind.CODE]
        if minimise and found:
            found = [runs.simplified(each) for each in fewest(found)]
        fresh = newly_covered(found, runs.program)
        functions = {branch: runs.program.functions[branch.function].name for new in fresh for branch in new}
        covers = [spots(runs.program.branches[branch] for branch in each.branches) for each in found]
    names = _Names(plan.function)
    return [
        NamedCase(
            names.of(new), _about(each, new, functions), _case(suite, plan, each.test), places, not each.test.exit.code
        )
        for each, new, places in zip(found, fresh, covers, strict=True)
    ]


def _case(suite: Suite, plan: UnitPlan, test: SavedTest) -> Case:
    return make_case(plan, given_values(plan, test, suite.declared))


class _Names:
    """Names of tests: after the first line that a test is the first to cover."""

    def __init__(self, function: str) -> None:
        self._function = function
        self._taken: set[str] = set()

    def of(self, branches: Sequence[Branch]) -> str:
        place = f"line_{branches[0].location.line}_{_side(branches[0]).replace(' ', '_')}" if branches else "again"
        return self.fresh(f"test_{self._function}_{place}")

    def fresh(self, wanted: str) -> str:
        name, count = wanted, 1
        while name in self._taken:
            count += 1
            name = f"{wanted}_{count}"
        self._taken.add(name)
        return name


def _side(branch: Branch) -> str:
    return "taken" if branch.side else "not taken"


def _about(each: Covering, new: Sequence[Branch], functions: dict[Branch, str]) -> tuple[str, ...]:
    """The branches that this test is the first to cover."""
    if not new:
        return (f"Test {each.test.name}: covers nothing that the tests before do not cover.",)
    listed = [
        f"  {Path(branch.location.file).name}:{branch.location.line}:{branch.location.column} {_side(branch)}"
        f" ({branch.kind.value} in {functions[branch]})"
        for branch in new[:MOST_COVERED]
    ]
    more = [f"  and {len(new) - MOST_COVERED} more"] if len(new) > MOST_COVERED else []
    return (f"Test {each.test.name}, the first to cover:", *listed, *more)


# ---- what does not return


def _named_crashes(suite: Suite, plan: UnitPlan) -> list[NamedCase]:
    found = []
    for test in suite.tests:
        if test.place is not None:
            about = (f"{test.place.what}{_where(test.place)}.",)
            found.append(NamedCase(f"crash_{identifier(test.name)}", about, _case(suite, plan, test)))
    return found


def _where(place: CrashPlace) -> str:
    """Without the folders, which are this machine's."""
    if not place.frames:
        return ""
    function, _, location = place.frames[0].partition(" (")
    return f" in {function}, {Path(location.rstrip(')')).name}" if location else f" in {function}"


def _ends_program(named: NamedCase) -> NamedCase:
    about = ("The function does not return: it ends the program.", *named.about)
    return NamedCase(named.name.replace("test_", "ends_", 1), about, named.case)


# ---- trying


def _tried(workshop: Workshop, framework: Framework, tests: bool, apart: Sequence[NamedCase]) -> list[str]:
    function = workshop.plan.function
    notes = []
    if apart:
        some = "1 input with which" if len(apart) == 1 else f"{len(apart)} inputs with which"
        notes.append(f"kept apart in crashes_{function}.c: {some} {function} does not return")
    with TemporaryDirectory(prefix=".tried-", dir=workshop.folder) as folder:
        if apart and (said := workshop.compile(f"crashes_{function}.c", Path(folder) / "crashes")) is not None:
            raise CampaignError(f"crashes_{function}.c cannot be compiled; please report this: {said[-800:]}")
        notes += [_try_tests(workshop, framework, Path(folder) / "tests")] if tests else []
    return notes


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
        raise CampaignError(f"{file} cannot be compiled; please report this: {said[-800:]}")
    ended = workshop.run(program, [], rounds=100)
    if ended.exit.kind is not ExitKind.CODE or ended.exit.code:
        output = ended.output.decode(errors="replace").strip()[-800:]
        raise CampaignError(f"the tests in {file} do not pass; please report this: {described(ended.exit)}: {output}")
    return f"{file} was compiled and run: all pass"
