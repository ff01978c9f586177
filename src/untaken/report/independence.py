"""MC/DC in the closing words of a campaign: the pairs of tests, or what is missing of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from untaken.report.columns import TextColumns, source_line
from untaken.report.words import shown
from untaken.suite.independence.report import ConditionReport, DecisionReport

MOST_CONDITIONS = 24  # for each of which there is a line
HEADING = "MC/DC (masking): the two tests that show that a condition decides on its own"


def independence(decisions: Sequence[DecisionReport]) -> Iterator[RenderableType]:
    """Conditions without a pair first, then those of several that have one; single conditions need no saying."""
    rows = sorted(_rows(decisions), key=lambda row: row[1].pair is not None)
    several = [row for row in rows if row[1].pair is None or len(row[0].conditions) > 1]
    if not several:
        return
    yield Text("")
    yield Text(HEADING, style="bold")
    yield TextColumns([_row(*row) for row in several[:MOST_CONDITIONS]])
    if len(several) > MOST_CONDITIONS:
        yield Text(f"  and {len(several) - MOST_CONDITIONS} more, in the report and in summary.json")


def _rows(decisions: Sequence[DecisionReport]) -> Iterator[tuple[DecisionReport, ConditionReport, int]]:
    for decision in decisions:
        for place, condition in enumerate(decision.conditions):
            yield decision, condition, place


def _row(decision: DecisionReport, condition: ConditionReport, place: int) -> tuple[str, ...]:
    at = condition.location
    return (
        shown(f"{at.file}:{at.line}"),
        decision.function,
        f"condition {place + 1} of {len(decision.conditions)}",
        _pair(condition),
        condition.text or source_line(at.file, at.line),
    )


def _pair(condition: ConditionReport) -> str:
    pair = condition.pair
    if pair is None:
        return condition.why
    kind = "" if pair.unique_cause else " (masking)"
    one, other = pair.when_true, pair.when_false
    return f"{one.test} ({one.values}) and {other.test} ({other.values}){kind}"
