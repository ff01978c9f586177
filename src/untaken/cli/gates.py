"""What decides a command's exit code after a campaign: findings, --fail-under, --baseline."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.text import Text

from untaken.campaign.baseline import News, Standing, news, standing
from untaken.campaign.config import Config
from untaken.campaign.summary import GoalCoverage, Summary
from untaken.model.program import ProgramMap
from untaken.report.closing import aim
from untaken.report.prose import say
from untaken.report.words import count

INTERRUPTED = 130
MOST_LOST = 10


@dataclass(frozen=True, slots=True)
class Judgement:
    """How a campaign is to be taken."""

    exit_code: int
    said: tuple[str, ...] = ()  # lines
    more: dict[str, Any] | None = None  # for --json

    def print(self, console: Console) -> None:
        if self.said:
            console.print()
        for line in self.said:
            say(console, Text(line))


class Gates:
    """Made before the campaign, which may go on in the very folder that is the baseline."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._before: Standing | None = None if config.baseline is None else standing(config.baseline)

    def judge(self, summary: Summary, program: ProgramMap) -> Judgement:
        """What is to be said of a campaign that has ended, and the exit code."""
        found = None if self._before is None else news(self._before, standing(summary.out), program)
        short = is_short(summary.goal, self._config.fail_under)
        bad = short or (bool(summary.findings) if found is None else found.is_worse)
        lines = [*([] if found is None else against(found)), *([self._shortfall(summary)] if short else [])]
        more = ({} if found is None else {"against": found.as_json()}) | self._met(short)
        return Judgement(INTERRUPTED if summary.interrupted else int(bad), tuple(lines), more)

    def _shortfall(self, summary: Summary) -> str:
        return f"Too little for --fail-under {self._config.fail_under:g}: {aim(summary.goal)}."

    def _met(self, short: bool) -> dict[str, Any]:
        limit = self._config.fail_under
        return {} if limit is None else {"fail_under": {"percent": limit, "met": not short}}


def is_short(goal: GoalCoverage, percent: float | None) -> bool:
    """Whether less is covered than was asked for; a goal without parts is covered."""
    return percent is not None and 100 * goal.covered < percent * goal.total


def against(found: News) -> Iterator[str]:
    """What is new, in words."""
    fresh = f"new: {', '.join(found.findings)}" if found.findings else "none of them new"
    known = count(found.known + len(found.findings), "finding")
    yield f"Against {found.baseline}: {known}{f', {fresh}' if found.known or found.findings else ''}; " + (
        f"coverage is lost in {count(len(found.lost), 'place')}:" if found.lost else "no coverage is lost."
    )
    yield from (f"  {sentence}" for sentence in found.lost[:MOST_LOST])
    if len(found.lost) > MOST_LOST:
        yield f"  and {len(found.lost) - MOST_LOST} more"
