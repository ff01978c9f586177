"""A campaign's folder as a report reads it: summary, tests, timeline, and what the database knows beyond them."""

from __future__ import annotations

import hashlib
import os
import shlex
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from untaken.build.objects.program_map import read_program_map
from untaken.campaign.folder.passed_ids import unpacked
from untaken.campaign.folder.rows import ObstaclesRecord, Totals
from untaken.campaign.folder.store import DATABASE, OBSTACLES, check_schema, meta
from untaken.campaign.obstacles import Obstacles
from untaken.campaign.summary import SUMMARY
from untaken.errors import CampaignError
from untaken.execute.target import program_title
from untaken.given_files import read_whole
from untaken.json_records import Natural, checked, checked_json
from untaken.model.path import ExitKind
from untaken.model.program import ProgramMap
from untaken.search.coverage import Coverage
from untaken.suite.call_stack import Frame
from untaken.suite.corpus import CRASHES, INPUT, TESTS, UNCONFIRMED, Recipe
from untaken.suite.records import FindingDescription, SavedTestRecord

_ASSUMPTION = ExitKind.ASSUME.name.lower()


@dataclass(frozen=True, slots=True)
class Described:
    """A test or a finding: its description and its input."""

    name: str
    about: dict[str, Any]
    input: bytes


@dataclass(frozen=True, slots=True)
class NumberedTestRecord(SavedTestRecord):
    """tests/NNNNNN.json as a page shows it."""

    number: Natural = 0


@dataclass(frozen=True, slots=True)
class LimitsRecord:
    """What the campaign could not follow."""

    cut_off: dict[str, int]
    pins: int
    concretised: dict[str, int]
    externals: dict[str, int]
    notes: tuple[str, ...]
    uninstrumented: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CrashRecord:
    """A finding, as summary.json has it."""

    name: str
    kind: str
    what: str
    location: str | None
    frames: tuple[Frame, ...]
    iteration: int
    times: int
    confirmed: bool | None
    confirmed_on: str
    shows: str | None
    replay: str


@dataclass(frozen=True, slots=True)
class SolverRecord:
    """What the solver was asked, as far as a page shows it."""

    queries: int


@dataclass(frozen=True, slots=True)
class ShownByRecord:
    test: str
    values: str


@dataclass(frozen=True, slots=True)
class PairRecord:
    true: ShownByRecord
    false: ShownByRecord
    outcome_when_true: bool
    unique_cause: bool


@dataclass(frozen=True, slots=True)
class ConditionPairRecord:
    at: str
    pair: PairRecord | None
    why: str


@dataclass(frozen=True, slots=True)
class DecisionRecord:
    function: str
    at: str
    conditions: tuple[ConditionPairRecord, ...]


@dataclass(frozen=True, slots=True)
class IndependenceRecord:
    """What the tests show of MC/DC, if that was the goal."""

    kind: str
    conditions: int
    shown: int
    decisions: tuple[DecisionRecord, ...]


@dataclass(frozen=True, slots=True)
class SummaryRecord:
    """summary.json, as far as a page shows it."""

    strategy: str
    seed: int
    goal: str
    goal_functions: tuple[str, ...]
    ended_by: str
    branches_covered: int
    branches_total: int
    branches_reachable: int
    iterations: int
    seconds: float
    solver: SolverRecord
    divergences: int
    tests: int
    doubts: tuple[str, ...]
    limits: LimitsRecord
    crashes: tuple[CrashRecord, ...]
    unconfirmed: tuple[CrashRecord, ...]
    mcdc: IndependenceRecord | None = None


@dataclass(frozen=True, slots=True)
class Recorded:
    """What the database says of a test."""

    seconds: float  # since the start of the campaign
    passed: NDArray[np.bool_] | None  # by id; None: written by an earlier version


@dataclass(frozen=True)
class CampaignFolder:
    """Everything that a report shows."""

    folder: Path
    recipe: Recipe
    program: ProgramMap
    summary: dict[str, Any]
    totals: dict[str, Any]
    timeline: tuple[tuple[int, float, int], ...]
    obstacles: Obstacles
    recorded: dict[int, Recorded]
    tests: tuple[Described, ...]
    findings: tuple[Described, ...]

    @property
    def title(self) -> str:
        """What a person calls the program."""
        return program_title(self.recipe.sources, self.recipe.program)

    def coverage(self) -> Coverage:
        """Of all tests that fail no assumption."""
        coverage = Coverage(self.program)
        coverage.add(np.flatnonzero(self._hit()).astype(np.uint32))
        return coverage

    def _hit(self) -> NDArray[np.bool_]:
        hit = np.zeros(self.program.id_count, np.bool_)
        for test in self._proper_tests():
            hit[[entry["branch"] for entry in test.about["covers"]]] = True
        for flags in self._passed():
            hit |= flags
        return hit

    def times_taken(self) -> NDArray[np.intp]:
        """By id: how many tests pass it, without those that fail an assumption."""
        times = np.zeros(self.program.id_count, np.intp)
        for flags in self._passed():
            times += flags
        return times

    def _passed(self) -> Iterator[NDArray[np.bool_]]:
        for test in self._proper_tests():
            known = self.recorded.get(test.about["number"])
            if known is not None and known.passed is not None:
                yield known.passed

    def _proper_tests(self) -> Iterator[Described]:
        return (test for test in self.tests if test.about["exit"]["kind"] != _ASSUMPTION)


def read_campaign(folder: Path, program: ProgramMap | None = None) -> CampaignFolder:
    """Of an output folder; `program` if it is known already."""
    recipe = Recipe.read(folder)
    with readable(folder), closing(_opened(folder / DATABASE)) as database:
        if program is None:
            program = _program_of(recipe, _known(database, "digest", str), folder)
        obstacles = Obstacles(program)
        obstacles.add(_known(database, OBSTACLES, ObstaclesRecord) or {})
        return CampaignFolder(
            folder=folder,
            recipe=recipe,
            program=program,
            summary=_summary(folder),
            totals=asdict(checked(_known(database, "totals", Totals) or {}, Totals)),
            timeline=_timeline(database),
            obstacles=obstacles,
            recorded=_recorded(database, program.id_count),
            tests=tuple(_tests(folder)),
            findings=tuple(_findings(folder)),
        )


def _summary(folder: Path) -> dict[str, Any]:
    known: dict[str, Any] = checked_json(read_whole(folder / SUMMARY), SummaryRecord)
    return known


def _timeline(database: sqlite3.Connection) -> tuple[tuple[int, float, int], ...]:
    rows = database.execute("SELECT iteration, seconds, branches FROM timeline ORDER BY rowid").fetchall()
    return checked(rows, tuple[tuple[int, float, int], ...])


def _opened(path: Path) -> sqlite3.Connection:
    """To read only: a campaign may be at work there. If none is, no file is made beside it: the folder may be one that
    we cannot write to."""
    if not path.exists():
        raise FileNotFoundError(2, "No such file or directory", str(path))
    how = "mode=ro" if path.with_name(f"{path.name}-wal").exists() else "mode=ro&immutable=1"
    database = sqlite3.connect(f"file:{quote(os.fsencode(path.resolve()))}?{how}", uri=True)
    check_schema(database)
    return database


def _known(database: sqlite3.Connection, key: str, kind: type[Any]) -> Any:
    text = meta(database, key)
    return None if text is None else checked_json(text, kind)


def _program_of(recipe: Recipe, digest: str | None, folder: Path) -> ProgramMap:
    program = Path(recipe.directory) / recipe.program
    try:
        same = digest == hashlib.sha256(program.read_bytes()).hexdigest()
    except OSError:
        same = False
    if not same:
        raise CampaignError(
            f"{program} is gone or has changed since the campaign in {folder}: the same `untaken run` builds it and "
            "writes the report again"
        )
    return read_program_map(program)


def _recorded(database: sqlite3.Connection, id_count: int) -> dict[int, Recorded]:
    tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    packed = database.execute("SELECT number, ids FROM passed").fetchall() if "passed" in tables else []
    bits = dict(checked(packed, list[tuple[int, bytes]]))
    rows = database.execute("SELECT number, seconds FROM tests ORDER BY number").fetchall()
    return {
        number: Recorded(seconds, unpacked(bits[number], id_count) if number in bits else None)
        for number, seconds in checked(rows, list[tuple[int, float]])
    }


def _tests(folder: Path) -> Iterator[Described]:
    for file in sorted((folder / TESTS).glob("*.bin")):
        if file.stem.isdecimal():
            about = checked_json(read_whole(file.with_suffix(".json")), NumberedTestRecord)
            yield Described(file.stem, about, read_whole(file))


def _findings(folder: Path) -> Iterator[Described]:
    for kind in (CRASHES, UNCONFIRMED):
        for file in sorted((folder / kind).glob(f"*/{INPUT}")):
            about = checked_json(read_whole(file.with_name("finding.json")), FindingDescription)
            yield Described(file.parent.name, about, read_whole(file))


@contextmanager
def readable(folder: Path) -> Iterator[None]:
    """Turns what is missing or damaged into a sentence."""
    try:
        yield
    except FileNotFoundError as error:
        raise CampaignError(f"{error.filename} is missing: let `untaken run` go on in {folder} to renew it") from None
    except (OSError, sqlite3.Error, ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise CampaignError(
            f"{folder} cannot be read ({reason}): {shlex.join(['untaken', 'doctor', str(folder)])} says what is damaged"
        ) from None
