"""What the database of a campaign holds: records and rows, as they are read back."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Annotated, NamedTuple

from untaken.campaign.config import MOST_ENDLESS_INPUTS
from untaken.json_records import Natural, decoded, like, up_to
from untaken.suite.findings import FINDING_NAME, Confirmation, Finding
from untaken.suite.records import FindingRecord

InputCount = Annotated[int, up_to(MOST_ENDLESS_INPUTS)]


@dataclass(slots=True)
class Totals:
    """Counts over all runs of a campaign."""

    iterations: int = 0
    seconds: float = 0.0
    queries: int = 0
    sat: int = 0
    unsat: int = 0
    unknown: int = 0
    solver_seconds: float = 0.0
    run_seconds: float = 0.0
    divergences: int = 0
    restarts: int = 0

    def plus(self, other: Totals) -> Totals:
        return Totals(**{name: value + getattr(other, name) for name, value in asdict(self).items()})


@dataclass(frozen=True, slots=True)
class ObstaclesRecord:
    """What is in the way of branches, as `Obstacles.as_json` gives it."""

    flips: dict[str, dict[str, Natural]] = field(default_factory=dict)
    symbolic: tuple[Natural, ...] = ()
    rejected: tuple[Natural, ...] = ()
    lost: tuple[tuple[str, Natural, Natural, bool, Natural], ...] = ()


class FindingRow(NamedTuple):
    """A row of the table of findings. The name is a folder's: one from elsewhere must not lead out of ours."""

    name: Annotated[str, like(FINDING_NAME)]
    place: str
    data: str
    live: int
    nonzero: int
    times: int

    def finding(self) -> Finding:
        known = decoded(self.data, FindingRecord)
        told = () if known.shows is None else (known.confirmed, known.confirmed_on, known.shows, known.cause)
        return Finding(
            name=self.name,
            kind=known.kind,
            what=known.what,
            signal=known.signal,
            frames=known.frames,
            location=known.location,
            iteration=known.iteration,
            length=(self.live, self.nonzero),
            times=self.times,
            confirmation=Confirmation(*told),
        )
