"""Which tests of a campaign are written as C: those that the coverage needs, their names, what they cover."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from untaken.model.path import ExitKind
from untaken.model.program import Branch
from untaken.suite.failed_allocations import failed_allocations
from untaken.suite.tests import CrashPlace, SavedTest, Suite
from untaken.unit.export.cases import make_case
from untaken.unit.export.free_objects import asks_for_much, fills_freely
from untaken.unit.export.kept_coverage import spots
from untaken.unit.export.minimise import coverer, fewest, newly_covered
from untaken.unit.export.naming import TestNames
from untaken.unit.export.text import NamedCase
from untaken.unit.export.values import NotCalled, given_values
from untaken.unit.literals import identifier
from untaken.unit.shape import Scalar, UnitPlan

COSTLY = ("timeout", "memory")  # kinds of findings
MOST_COVERED = 12  # branches that a comment names


@dataclass(frozen=True, slots=True)
class Choice:
    """`own`: only branches of the function itself count, and only allocations of its file may fail; `taken` are names
    that other tests have."""

    minimise: bool = True
    own: bool = False
    taken: set[str] = field(default_factory=set)


def named_tests(suite: Suite, plan: UnitPlan, choice: Choice) -> list[NamedCase]:
    """The tests that end as they should."""
    lengths = frozenset(v.name for v in plan.parameters if isinstance(v.shape, Scalar) and v.shape.most is not None)
    wanted = [
        test
        for test in suite.tests
        if test.place is None and test.exit.kind is ExitKind.CODE and _can_be_written(suite, plan, test, choice)
    ]
    # Of two that cover the same, one that a caller could write.
    wanted.sort(key=lambda test: fills_freely(plan, given_values(plan, test, suite.declared)))
    with coverer(suite, lengths, plan.function if choice.own else None) as runs:
        found = [runs.covering(test) for test in wanted]
        found = [each for each in found if each.test.exit.kind is ExitKind.CODE]
        if choice.minimise and found:
            found = [runs.simplified(each) for each in fewest(found)]
        fresh = newly_covered(found, runs.program)
        functions = {branch: runs.program.functions[branch.function].name for new in fresh for branch in new}
        covers = [spots(runs.program.branches[branch] for branch in each.branches) for each in found]
    names = TestNames(plan.function, choice.taken, runs.program)
    named = []
    for each, new, places in zip(found, fresh, covers, strict=True):
        given = given_values(plan, each.test, suite.declared)
        made_up, clean = fills_freely(plan, given), not each.test.exit.code
        about = _about(new, functions)
        name = names.of(new, given.allocations.find("F") + 1)
        named.append(NamedCase(name, about, make_case(plan, given), places, clean, made_up))
    return named


def _can_be_written(suite: Suite, plan: UnitPlan, test: SavedTest, choice: Choice) -> bool:
    """As C: the function was called, and C alone can make fail what failed."""
    try:
        given_values(plan, test, suite.declared)
    except NotCalled:
        return False
    return choice.own or not fails_elsewhere(plan, test)


def fails_elsewhere(plan: UnitPlan, test: SavedTest) -> bool:
    """Whether an allocation fails that may be one of the files that are linked in: C alone cannot make that fail."""
    return bool(plan.others) and bool(failed_allocations(test.input, test.fields))


def _side(branch: Branch) -> str:
    return "taken" if branch.side else "not taken"


def _about(new: Sequence[Branch], functions: dict[Branch, str]) -> tuple[str, ...]:
    """The branches that this test is the first to cover."""
    if not new:
        return ()
    listed = [
        f"  {Path(branch.location.file).name}:{branch.location.line}:{branch.location.column} {_side(branch)}"
        f" ({branch.kind.value} in {functions[branch]})"
        for branch in new[:MOST_COVERED]
    ]
    more = [f"  and {len(new) - MOST_COVERED} more"] if len(new) > MOST_COVERED else []
    return ("Is the first to cover", *listed, *more)


def named_crashes(suite: Suite, plan: UnitPlan, choice: Choice = Choice()) -> list[NamedCase]:
    found = []
    for test in suite.tests:
        if test.place is not None and _can_be_written(suite, plan, test, choice):
            about = (f"{test.place.what}{_where(test.place)}.",)
            given = given_values(plan, test, suite.declared)
            late = test.exit.kind is ExitKind.TIMEOUT
            made_up = fills_freely(plan, given) or (test.place.kind in COSTLY and asks_for_much(given))
            name = crash_name(plan.function, test.name)
            refused = test.place.kind == "assertion"
            found.append(NamedCase(name, about, make_case(plan, given), made_up=made_up, late=late, refused=refused))
    return found


def crash_name(function: str, finding: str) -> str:
    """What the call is called that shows a finding."""
    return f"crash_{function}_{identifier(finding)}"


def _where(place: CrashPlace) -> str:
    """Without the folders, which are this machine's."""
    if not place.frames:
        return ""
    function, _, location = place.frames[0].partition(" (")
    return f" in {function}, {Path(location.rstrip(')')).name}" if location else f" in {function}"


def ends_program(named: NamedCase) -> NamedCase:
    about = ("The function does not return: it ends the program.", *named.about)
    return NamedCase(named.name.replace("test_", "ends_", 1), about, named.case)
