"""Whether a campaign was to show that conditions decide on their own, and where: as its summary says."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from untaken.json_records import DamagedRecord, checked, parsed
from untaken.model.program import ProgramMap
from untaken.search.coverage_goals import CoverageGoals, Criterion, coverage_goals

SUMMARY = "summary.json"


@dataclass(frozen=True, slots=True)
class GoalRecord:
    """Of summary.json, what says what the campaign was for, and whether every path was tried."""

    goal: str = Criterion.BRANCHES.value
    goal_functions: tuple[str, ...] = ()
    exhausted: bool = False

    @property
    def is_independence(self) -> bool:
        return self.goal == Criterion.MCDC.value

    def decisions(self, program: ProgramMap) -> CoverageGoals:
        """The conditions that the goal is about; of all functions, if no campaign says which."""
        chosen = [each.index for each in program.functions if each.name in self.goal_functions]
        return coverage_goals(program, Criterion.MCDC, chosen if self.is_independence and chosen else None)


def campaign_goal(folder: Path) -> GoalRecord:
    """What the summary says; a campaign without one had the usual goal."""
    try:
        return checked(parsed((folder / SUMMARY).read_bytes()), GoalRecord)
    except (OSError, DamagedRecord):
        return GoalRecord()
