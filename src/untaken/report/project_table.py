"""What came of a whole project's functions: a table by file, what is left, what was found and how it is reached."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from untaken.campaign.summary import SUMMARY
from untaken.report.words import count
from untaken.unit.project.causes import Cause, Reachability
from untaken.unit.project.whole import TESTS, ProjectOutcome

MOST_LEFT = 10
MOST_CAUSES = 10
MOST_PROBLEMS = 5
MOST_LINES = 12  # of a call


def project_parts(outcome: ProjectOutcome) -> Iterator[RenderableType]:
    """From the most to the least important."""
    yield Text("")
    yield Text(headline(outcome), style="bold")
    yield from independence(outcome)
    yield by_file(outcome)
    yield from found(outcome)
    yield from left(outcome)
    yield from refused(outcome)
    tests = sum(len(each.tests) for each in outcome.written)
    checked = "; they are clean under AddressSanitizer and UBSan" if outcome.sanitized else ""
    yield Text("")
    yield Text(f"{count(tests, 'test')} in {outcome.out / TESTS}{checked}: make -C {outcome.out / TESTS} check")
    yield Text(f"All of it as a page: {outcome.out / 'report.html'}")


def headline(outcome: ProjectOutcome) -> str:
    explored = [each for each in outcome.results if not each.problem]
    share = f" ({outcome.covered / outcome.total:.0%})" if outcome.total else ""
    return (
        f"{outcome.covered} of {outcome.total} branches{share} of {count(len(explored), 'function')} covered, "
        f"{count(len(outcome.headline), 'finding')} that callers can reach"
    )


def independence(outcome: ProjectOutcome) -> Iterator[Text]:
    """How far MC/DC is reached, if that is the goal, and where most is missing."""
    results = [each for each in outcome.results if each.conditions is not None]
    if not results:
        return
    total, shown = sum(each.conditions or 0 for each in results), sum(each.shown for each in results)
    share = f" ({shown / total:.0%})" if total else ""
    yield Text(f"The goal: {shown} of {total} conditions (MC/DC) covered{share}")
    open_ones = [each for each in results if each.shown < (each.conditions or 0)]
    for each in sorted(open_ones, key=lambda each: each.shown - (each.conditions or 0))[:MOST_LEFT]:
        yield Text(f"  {each.function} ({each.source}): {each.shown} of {each.conditions}; why: {each.out}/{SUMMARY}")


def by_file(outcome: ProjectOutcome) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("file", "functions", "explored", "branches", "covered", "tests"):
        table.add_column(title, justify="left" if title == "file" else "right")
    tests = {each.driven.source.name: len(each.tests) for each in outcome.written}
    for file in outcome.files:
        own = [each for each in outcome.results if each.source == file.source.name]
        explored = [each for each in own if not each.problem]
        total, covered = sum(each.total for each in explored), sum(each.covered for each in explored)
        share = f"{covered / total:.0%}" if total else ""
        cells = (len(own), len(explored), total, share, tests.get(file.source.name, 0))
        table.add_row(file.source.path.name, *map(str, cells))
    return table


def found(outcome: ProjectOutcome) -> Iterator[RenderableType]:
    """One cause a finding; what only a driver can do is counted, not shown."""
    if outcome.headline:
        yield Text("")
        yield Text(count(len(outcome.headline), "finding"), style="bold red")
        for cause in outcome.headline[:MOST_CAUSES]:
            yield from one_cause(cause)
    others = [cause for cause in outcome.causes if cause not in outcome.headline]
    for way in (Reachability.ARGUMENTS, Reachability.DRIVER):
        number = sum(cause.reached is way for cause in others)
        if number:
            yield Text(f"{count(number, 'more cause')} {way.value}: see {outcome.out / 'report.html'}")


def one_cause(cause: Cause) -> Iterator[Text]:
    first = cause.appearances[0]
    names = ", ".join(dict.fromkeys(each.function for each in cause.appearances))
    yield Text(f"  {cause.what} at {cause.location}")
    yield Text(f"    {cause.reached.value}: {names}")
    if first.call is not None:
        lines = [*first.call.case.before, first.call.case.call]
        for line in lines[:MOST_LINES]:
            yield Text(f"      {line}")
        if len(lines) > MOST_LINES:
            yield Text(f"      and {len(lines) - MOST_LINES} more lines")


def left(outcome: ProjectOutcome) -> Iterator[RenderableType]:
    """The functions with most uncovered branches."""
    unfinished = [each for each in outcome.results if each.covered < each.total]
    open_ones = sorted(unfinished, key=lambda each: each.covered - each.total)
    if open_ones:
        yield Text("")
        yield Text("Functions with most uncovered branches", style="bold")
    for each in open_ones[:MOST_LEFT]:
        yield Text(f"  {each.function} ({each.source}): {each.covered} of {each.total}, ended by {each.ended_by}")


def refused(outcome: ProjectOutcome) -> Iterator[RenderableType]:
    wrong = [each for each in outcome.results if each.problem]
    if wrong:
        yield Text("")
        yield Text(f"{count(len(wrong), 'function')} could not be explored", style="bold")
    for each in wrong[:MOST_PROBLEMS]:
        yield Text(f"  {each.function} ({each.source}): {each.problem.splitlines()[0] if each.problem else ''}")


def project_json(outcome: ProjectOutcome) -> dict[str, Any]:
    """What --json prints about a project."""
    return {
        "branches_covered": outcome.covered,
        "branches_total": outcome.total,
        "functions": [
            {
                "file": each.source,
                "function": each.function,
                "branches_covered": each.covered,
                "branches_total": each.total,
                "iterations": each.iterations,
                "seconds": round(each.seconds, 3),
                "ended_by": each.ended_by,
                "problem": each.problem,
                **({} if each.conditions is None else {"conditions": each.conditions, "conditions_shown": each.shown}),
            }
            for each in outcome.results
        ],
        "tests": [
            {"file": each.name, "tests": [name for _, name in each.tests], "problems": list(each.problems)}
            for each in outcome.written
        ],
        "sanitized": outcome.sanitized,
        "findings": [_cause_json(cause) for cause in outcome.causes],
    }


def _cause_json(cause: Cause) -> dict[str, Any]:
    first = cause.appearances[0]
    return {
        "what": cause.what,
        "location": cause.location,
        "reached": cause.reached.name.lower(),
        "functions": list(dict.fromkeys(each.function for each in cause.appearances)),
        "call": [] if first.call is None else [*first.call.case.before, first.call.case.call],
    }
