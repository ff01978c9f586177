"""The page about a whole project's functions: it looks as the page of a campaign does, and needs no script."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from untaken.atomic_files import replace_file
from untaken.report.page import PAGE, POLICY, part
from untaken.report.words import count
from untaken.unit.project.causes import Cause, Reachability
from untaken.unit.project.results import FunctionResult
from untaken.unit.project.whole import TESTS, ProjectOutcome


def write_page(outcome: ProjectOutcome) -> None:
    replace_file(str(outcome.out / PAGE), page(outcome).encode(errors="replace"))


def page(outcome: ProjectOutcome) -> str:
    """All functions, and every cause with the call that shows it."""
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    tests = Counter((each.driven.source.name, function) for each in outcome.written for function, _ in each.tests)
    total = sum(tests.values())
    return environment.from_string(part("project.html")).render(
        outcome=outcome,
        policy=POLICY,
        style=Markup(part("page.css")),
        percent=f"{100 * outcome.covered // outcome.total} %" if outcome.total else "",
        tests=count(total, "test") if total else "",
        check=f"make -C {outcome.out / TESTS} check",
        reachable=[_cause(each) for each in outcome.headline],
        others={
            way.value: [_cause(each) for each in outcome.causes if each.reached is way]
            for way in (Reachability.ARGUMENTS, Reachability.DRIVER)
        },
        files=list(_files(outcome, tests)),
        functions=[_function(each, tests) for each in sorted(outcome.results, key=_urgency)],
    )


def _urgency(result: FunctionResult) -> tuple[bool, int, bool]:
    """Those that could not be explored at all come last, but for those that have no branches."""
    return not result.total, result.covered - result.total, not result.problem


def _files(outcome: ProjectOutcome, tests: Counter[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    for name in dict.fromkeys(each.source for each in outcome.results):
        own = [each for each in outcome.results if each.source == name]
        yield {
            "name": name,
            "functions": len(own),
            "tests": sum(number for (file, _), number in tests.items() if file == name),
            "covered": sum(each.covered for each in own),
            "total": sum(each.total for each in own),
        }


def _function(result: FunctionResult, tests: Counter[tuple[str, str]]) -> dict[str, Any]:
    return {
        "name": result.function,
        "file": result.source,
        "covered": result.covered,
        "total": result.total,
        "tests": tests[result.source, result.function],
        "problem": result.problem,
        "ended": result.problem or result.ended_by,
    }


def _cause(cause: Cause) -> dict[str, Any]:
    first = cause.appearances[0]
    return {
        "what": cause.what,
        "location": cause.location,
        "reached": cause.reached,
        "functions": list(dict.fromkeys(each.function for each in cause.appearances)),
        "call": [] if first.call is None else [*first.call.case.before, first.call.case.call],
    }
