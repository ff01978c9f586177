"""A table of modified condition/decision coverage for those who check it: each condition with its two tests.

The tests are run again, so the table says what they show today, whatever the campaign was for.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from contextlib import chdir
from io import StringIO
from pathlib import Path

from untaken import __version__
from untaken.build.objects.program_map import read_program_map
from untaken.execute.session import Session
from untaken.execute.target import program_title
from untaken.model.path import ExitKind
from untaken.model.path import Path as RunPath
from untaken.suite.independence.evaluated_tests import EvaluatedTests
from untaken.suite.independence.goal import campaign_goal
from untaken.suite.independence.report import KIND, ConditionReport, DecisionReport, IndependencePair
from untaken.suite.replay.native import instrumented_program
from untaken.suite.replay.runners import ReplayManner, session_settings
from untaken.suite.source_lines import line_at
from untaken.suite.tests import SavedTest, Suite

TABLE, PAGE = "mcdc.csv", "mcdc.md"
HEADS = (
    "decision",
    "file",
    "line",
    "function",
    "source",
    "condition",
    "text",
    "conditions",
    "shown",
    "pair",
    "test_when_true",
    "values_when_true",
    "outcome_when_true",
    "test_when_false",
    "values_when_false",
    "outcome_when_false",
    "why_not",
)


def write_mcdc(suite: Suite, target: Path) -> int:
    """Writes mcdc.csv and mcdc.md; how many conditions they list."""
    reports = measured_decisions(suite)
    (target / TABLE).write_text(table(reports), errors="surrogateescape")
    (target / PAGE).write_text(page(suite, reports), errors="surrogateescape")
    return sum(len(each.conditions) for each in reports)


def measured_decisions(suite: Suite) -> tuple[DecisionReport, ...]:
    """Runs all tests on the instrumented program."""
    goal = campaign_goal(suite.folder)
    with chdir(suite.directory):
        program = instrumented_program(suite)
        known = read_program_map(program)
        tests = EvaluatedTests(known, goal.decisions(known))
        with Session(program, session_settings(suite, ReplayManner())) as session:
            for test in suite.proper_tests:
                tests.note(test.name, _run(session, test))
    return tests.reports(lambda branch: "", exhausted=goal.exhausted)


def _run(session: Session, test: SavedTest) -> RunPath:
    """One that asks for inputs without end is over where its own are."""
    endless = test.exit.kind is ExitKind.INPUTS
    return session.replay(test.input) if endless else session.run(test.input, concrete=True)


# ---- CSV


def table(reports: Sequence[DecisionReport]) -> str:
    """The CSV file, with one line for each condition."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADS)
    for number, report in enumerate(reports, 1):
        writer.writerows(_rows(number, report))
    return text.getvalue()


def _rows(number: int, report: DecisionReport) -> Iterator[Sequence[object]]:
    source = line_at(report.location.file, report.location.line)
    for place, condition in enumerate(report.conditions, 1):
        where = condition.location
        yield (
            *(number, where.file, where.line, report.function, source, place, condition.text, len(report.conditions)),
            *("yes" if condition.pair else "no", *_pair_cells(condition.pair), condition.why),
        )


def _pair_cells(pair: IndependencePair | None) -> tuple[str, ...]:
    if pair is None:
        return ("",) * 7
    one, other, outcome = pair.when_true, pair.when_false, pair.outcome_when_true
    kind = "unique cause" if pair.unique_cause else "masking"
    return (kind, one.test, one.values, _letter(outcome), other.test, other.values, _letter(not outcome))


def _letter(value: bool) -> str:
    return "T" if value else "F"


# ---- a page to read


def page(suite: Suite, reports: Sequence[DecisionReport]) -> str:
    """Markdown: the figures, and for each decision how tests evaluate it and which pairs they make."""
    total, shown = sum(len(each.conditions) for each in reports), sum(each.shown for each in reports)
    share = f" ({100 * shown / total:.1f} %)" if total else ""
    start = [
        f"# MC/DC of {program_title(suite.sources, suite.program)}",
        "",
        f"Conditions that are shown to decide on their own: {shown} of {total}{share}. Decisions: {len(reports)}. "
        f"Tests: {len(suite.proper_tests)}, in `{suite.folder}`. Measured by untaken {__version__}.",
        "",
        f"Criterion: {KIND} MC/DC. A condition is shown by two tests in which it decides, is true in one and false in "
        "the other, and the outcomes differ. A pair is by *unique cause* if no other condition that both tests "
        "evaluate differs. Values are in the order of evaluation: T true, F false, - not evaluated.",
        "",
    ]
    return "\n".join([*start, *(line for number, each in enumerate(reports, 1) for line in _decision(number, each))])


def _decision(number: int, report: DecisionReport) -> Iterator[str]:
    where = report.location
    yield f"## {number}. {report.function}, {where.file}:{where.line}"
    yield ""
    if source := line_at(where.file, where.line):
        yield f"    {source}"
        yield ""
    if len(report.conditions) > 1 and report.evaluations:
        yield "| test | values | outcome |"
        yield "| --- | --- | --- |"
        yield from (f"| {e.by.test} | {e.by.values} | {_letter(e.outcome)} |" for e in report.evaluations)
        yield ""
    yield "| condition | when true | when false | pair |"
    yield "| --- | --- | --- | --- |"
    yield from (_condition(place, each) for place, each in enumerate(report.conditions, 1))
    yield ""


def _condition(place: int, condition: ConditionReport) -> str:
    name = f"{place}: `{condition.text}`".replace("|", "\\|") if condition.text else str(place)
    if condition.pair is None:
        return f"| {name} |  |  | {condition.why} |"
    kind, one, _, _, other, _, _ = _pair_cells(condition.pair)
    return f"| {name} | {one} | {other} | {kind} |"
