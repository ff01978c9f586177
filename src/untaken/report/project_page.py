"""The page about a whole project's functions: plain HTML, which needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from untaken.atomic_files import replace_file
from untaken.report.project_table import headline
from untaken.unit.project.causes import Cause
from untaken.unit.project.results import FunctionResult
from untaken.unit.project.whole import ProjectOutcome

STYLE = (
    "body{font-family:sans-serif;margin:2em;max-width:70em}table{border-collapse:collapse}"
    "td,th{padding:.2em .8em;text-align:left;border-bottom:1px solid #ddd}.wide{overflow-x:auto}"
    "pre{background:#f4f4f4;padding:.6em;overflow-x:auto}"
    "@media(max-width:40em){body{margin:1em}h1{font-size:1.4em}td,th{padding:.2em .4em}}"
)


def write_page(outcome: ProjectOutcome) -> None:
    replace_file(str(outcome.out / "report.html"), page(outcome).encode())


def page(outcome: ProjectOutcome) -> str:
    """All functions, and every cause with the call that shows it."""
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>",
        "<title>untaken: functions</title>",
        f"<style>{STYLE}</style><h1>{escape(headline(outcome))}</h1>",
        *([f"<h2>Findings</h2>{''.join(map(_cause, outcome.causes))}"] if outcome.causes else []),
        "<h2>Functions</h2><div class=wide><table>",
        "<tr><th>file<th>function<th>branches<th>covered<th>tests<th>ended by</tr>",
        *_rows(outcome),
        "</table></div>",
    ]
    return "\n".join(parts) + "\n"


def _rows(outcome: ProjectOutcome) -> Iterator[str]:
    tests: dict[tuple[str, str], int] = {}
    for each in outcome.written:
        for function, _ in each.tests:
            key = (each.driven.source.name, function)
            tests[key] = tests.get(key, 0) + 1
    for result in outcome.results:
        yield _row(result, tests.get((result.source, result.function), 0))


def _row(result: FunctionResult, tests: int) -> str:
    cells = (result.source, result.function, result.total, result.covered, tests, result.problem or result.ended_by)
    return f"<tr>{''.join(f'<td>{escape(str(cell))}' for cell in cells)}</tr>"


def _cause(cause: Cause) -> str:
    first = cause.appearances[0]
    names = ", ".join(dict.fromkeys(each.function for each in cause.appearances))
    call = "" if first.call is None else "\n".join([*first.call.case.before, first.call.case.call])
    shown = f"<pre>{escape(call)}</pre>" if call else ""
    return (
        f"<h3>{escape(cause.what)} at {escape(cause.location)}</h3>"
        f"<p>{escape(cause.reached.value)}: {escape(names)}</p>{shown}"
    )
