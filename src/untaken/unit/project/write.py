"""The tests of a file's functions as one C file that a developer would commit: tried, and clean under sanitizers."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from untaken.errors import CampaignError, UntakenError
from untaken.model.path import ExitKind
from untaken.suite.replay.sanitized import errors_in
from untaken.suite.tests import Suite, read_suite
from untaken.unit.driver import rest_text
from untaken.unit.export.choose import Choice, ends_program, named_crashes, named_tests
from untaken.unit.export.frameworks import FRAMEWORKS
from untaken.unit.export.observe import Observed, observe_compilable, without_fragile
from untaken.unit.export.programs import Workshop
from untaken.unit.export.stable_pins import settled, text_of
from untaken.unit.export.text import HEAP, TRACED_HEAP, NamedCase, Pin
from untaken.unit.project.drivers import DrivenFile
from untaken.unit.project.growth import larger, overrun_variable
from untaken.unit.project.objects import SANITIZERS
from untaken.unit.project.results import FunctionResult
from untaken.unit.shape import UnitPlan

PLAIN = FRAMEWORKS["assert"]
MOST_DISTURBING = 5


@dataclass(frozen=True, slots=True)
class Complaint:
    """What a sanitizer says of a test; nothing if the test just does not pass under it."""

    what: str = ""
    place: str | None = None
    variable: str | None = None  # of the test: what was gone past
    frames: tuple[str, ...] = ()  # "FUNCTION (FILE:LINE)", innermost first, if the sanitizer says that


@dataclass(frozen=True, slots=True)
class UncleanTest:
    """An input that ends well, but only by luck: a sanitizer stops it."""

    function: str
    what: str
    place: str | None  # file and line, if the sanitizer says that
    frames: tuple[str, ...]
    case: NamedCase


@dataclass(frozen=True, slots=True)
class WrittenTests:
    """Of one file: `tests` by function, the names; `crashes` and `unclean` are no tests."""

    driven: DrivenFile
    name: str  # of the C file
    tests: tuple[tuple[str, str], ...] = ()  # function and name of the test
    crashes: tuple[tuple[str, NamedCase], ...] = ()  # function and call
    unclean: tuple[UncleanTest, ...] = ()
    grown: tuple[tuple[str, str, int], ...] = ()  # function, place and size: what should have been larger
    problems: tuple[str, ...] = ()


def write_file_tests(
    driven: DrivenFile, results: Sequence[FunctionResult], folder: Path, sanitized: bool
) -> WrittenTests:
    """Writes test_FILE.c, and rest_FILE.c if the file refers to what nobody defines; `sanitized`: they are tried under
    sanitizers."""
    name = f"test_{driven.source.name}.c"
    written = WrittenTests(driven, name)
    (folder / name).unlink(missing_ok=True)
    explored = {result.function: result for result in results if not result.problem}
    suites = _suites(driven, explored)
    if not suites:
        return written
    shop = _workshop(driven, suites[0][1], folder)
    tests, crashes, problems = _cases(suites)
    function_of = {named.name: function for function, named in tests}
    observed, refusals = observe_compilable(shop, [named for _, named in tests])
    problems += refusals
    pairs = [(function_of[named.name], named, seen) for named, seen in observed]
    ending = [(function, ends_program(named)) for function, named, seen in pairs if not seen.returned]
    kept = [(function, (named, seen)) for function, named, seen in pairs if seen.returned and named.clean]
    settled_pairs = settled(shop, [pair for _, pair in kept])
    kept = list(zip([function for function, _ in kept], settled_pairs, strict=True))
    every = [*((function, named) for function, (named, _) in kept), *crashes]
    looked = _complaints(shop, driven, kept, ()) if sanitized and kept else {}
    # Where a sanitizer stops a test that looks at what was freed, it is tried again without.
    kept = [(function, (named, _that_holds(named, seen, sanitized, looked))) for function, (named, seen) in kept]
    complaints = _complaints(shop, driven, kept, crashes) if sanitized and every and (looked or crashes) else {}
    clean = [entry for entry in kept if entry[1][0].name not in complaints]
    plans = {plan.function: plan for plan in driven.plans}
    grown = dict.fromkeys(
        (function, *wider)
        for function, named in every
        if (complaint := complaints.get(named.name)) is not None
        and complaint.variable is not None
        and (wider := larger(plans[function], complaint.variable)) is not None
    )
    if clean:
        (folder / name).write_text(text_of(shop.plan, PLAIN, [pair for _, pair in clean]))
    return replace(
        written,
        tests=tuple((function, named.name) for function, (named, _) in clean),
        crashes=(*crashes, *ending),
        unclean=tuple(_unclean(kept, complaints)),
        grown=tuple(grown),
        problems=tuple(problems),
    )


def _that_holds(named: NamedCase, seen: Observed, sanitized: bool, looked: Mapping[str, Complaint]) -> Observed:
    if sanitized and named.name not in looked:
        return seen
    return without_fragile(named, seen, unsure=named.name in looked)


def _suites(driven: DrivenFile, explored: dict[str, FunctionResult]) -> list[tuple[UnitPlan, Suite]]:
    found = []
    for plan in driven.plans:
        result = explored.get(plan.function)
        if result is not None and Path(result.out).is_dir():
            found.append((plan, read_suite(Path(result.out))))
    return found


def _workshop(driven: DrivenFile, suite: Suite, folder: Path) -> Workshop:
    rest = f"rest_{driven.source.name}.c"
    plan = replace(driven.whole, others=())
    if text := rest_text(plan):
        (folder / rest).write_text(text)
    return Workshop(suite, plan, folder.resolve(), tuple(str(each.plain) for each in driven.needs), rest=rest)


def _cases(
    suites: Sequence[tuple[UnitPlan, Suite]],
) -> tuple[list[tuple[str, NamedCase]], list[tuple[str, NamedCase]], list[str]]:
    """Of all functions: tests, crashes, and what could not be made C of."""
    choice = Choice(own=True)
    tests, crashes, problems = [], [], []
    for plan, suite in suites:
        try:
            tests += [(plan.function, named) for named in named_tests(suite, plan, choice)]
            crashes += [(plan.function, named) for named in named_crashes(suite, plan, choice)]
        except UntakenError as error:
            problems.append(f"{plan.function}: {error}")
    return tests, crashes, problems


def _unclean(
    kept: Sequence[tuple[str, tuple[NamedCase, Observed]]], complaints: Mapping[str, Complaint]
) -> Iterator[UncleanTest]:
    """Tests of which a sanitizer says what is wrong; others that fail then lack memory, say."""
    for function, (named, _) in kept:
        complaint = complaints.get(named.name)
        if complaint is not None and complaint.what:
            yield UncleanTest(function, complaint.what, complaint.place, complaint.frames, named)


def _complaints(
    shop: Workshop,
    driven: DrivenFile,
    kept: Sequence[tuple[str, tuple[NamedCase, Observed]]],
    crashes: Sequence[tuple[str, NamedCase]],
) -> dict[str, Complaint]:
    """What sanitizers say of tests and of crashes, by their names."""
    checked = replace(shop, linked=tuple(str(each.checked) for each in driven.needs), sanitizers=SANITIZERS)
    pairs = [pair for _, pair in kept]
    pairs += [(named, Observed(False, {n: Pin(None) for n, _ in enumerate(named.case.checks)})) for _, named in crashes]
    text = text_of(shop.plan, PLAIN, pairs).replace(HEAP, TRACED_HEAP)
    with TemporaryDirectory(prefix=".checked-", dir=shop.folder) as scratch:
        source, program = Path(scratch) / "tests.c", Path(scratch) / "tests"
        source.write_text(text)
        if (said := checked.compile(str(source), program)) is not None:
            if crashes:  # they are no part of what is written: the tests can do without them
                return _complaints(shop, driven, kept, ())
            raise CampaignError(f"the tests of {driven.source.name} do not compile with sanitizers: {said[-600:]}")
        names = [named.name for _, (named, _) in kept]
        # All at once first; if that is not clean, each alone.
        suspects = [] if not names or _complaint(checked, program, names, text) is None else names
        found = [(name, _complaint(checked, program, [name], text)) for name in suspects]
        # Of crashes it is only asked which memory was too small: where they happen is known.
        quick = replace(checked, symbolized=False)
        crashed = [named.name for _, named in crashes if not named.late and not named.refused]
        found += [(name, _complaint(quick, program, [name], text)) for name in crashed]
        complaints = {name: complaint for name, complaint in found if complaint is not None}
        if suspects:  # each is clean alone, but not all in a row
            left = [name for name in names if name not in complaints]
            fails = partial(_fails, quick, program, text)
            complaints |= dict.fromkeys(disturbing(left, fails), Complaint())
        return complaints


def _fails(shop: Workshop, program: Path, text: str, names: Sequence[str]) -> bool:
    return _complaint(shop, program, names, text) is not None


def disturbing(names: Sequence[str], fails: Callable[[Sequence[str]], bool]) -> list[str]:
    """Tests after which others fail that are fine alone: what they leave behind is broken."""
    found: list[str] = []
    left = list(names)
    while left and len(found) < MOST_DISTURBING and fails(left):
        end = bisect_left(range(1, len(left)), True, key=lambda count: fails(left[:count])) + 1
        begin = bisect_left(range(end), True, key=lambda start: not fails(left[start:end])) - 1
        found.append(left.pop(max(0, begin)))
    return found


def _complaint(shop: Workshop, program: Path, names: Sequence[str], text: str) -> Complaint | None:
    ended = shop.run(program, names, rounds=10 * len(names))
    if ended.exit.kind is ExitKind.CODE and ended.exit.code == 0:
        return None
    reports = errors_in(ended.output)
    if not reports:
        return Complaint()
    said = reports[0]
    return Complaint(said.what, said.place or None, overrun_variable(ended.output, text), said.frames)
