"""What is new against an earlier campaign: findings that it does not have, and coverage that it had.

Both are read from their folders (summary.json, tests/, crashes/), so that a folder that was kept from another machine
will do. Lines may have moved since: places are told by function and by the distance from its first line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any, NamedTuple

from untaken.campaign.summary import SUMMARY
from untaken.model.program import ProgramMap
from untaken.suite.call_stack import Frame
from untaken.suite.corpus import CRASHES, RENEWED, TESTS, Recipe
from untaken.suite.findings import NUMBERS
from untaken.suite.records import BranchRecord, FindingDescription, SavedTestRecord, read_record


@dataclass(frozen=True, slots=True)
class _FunctionRecord:
    """What summary.json says of one function."""

    name: str
    at: str
    covered: int
    branches: int


@dataclass(frozen=True, slots=True)
class _SummaryRecord:
    """summary.json, as far as it is compared."""

    functions: tuple[_FunctionRecord, ...]


class FunctionKey(NamedTuple):
    """The same function in two versions of a program; folders may have other names on another machine."""

    file: str
    name: str


class Side(NamedTuple):
    """A branch within its function."""

    line: int  # after the function's first one
    column: int
    side: bool


@dataclass(frozen=True, slots=True)
class CoveredFunction:
    """What tests cover of a function."""

    line: int
    covered: int
    total: int
    sides: frozenset[Side]


class FindingKey(NamedTuple):
    """What a finding is, whatever lines it has moved to."""

    kind: str
    what: str
    function: str


@dataclass(frozen=True, slots=True)
class Standing:
    """What a campaign's folder has to show."""

    folder: Path
    functions: dict[FunctionKey, CoveredFunction]
    findings: dict[str, tuple[FindingKey, int]]  # by name, with the line after its function's first one


@dataclass(frozen=True, slots=True)
class News:
    """What is new in a campaign against its baseline."""

    baseline: Path
    findings: tuple[str, ...]  # names
    known: int  # findings that the baseline has, too
    lost: tuple[str, ...]  # sentences: coverage that the baseline has and this campaign has not

    @property
    def is_worse(self) -> bool:
        return bool(self.findings or self.lost)

    def as_json(self) -> dict[str, Any]:
        return {
            "baseline": str(self.baseline),
            "new_findings": list(self.findings),
            "known_findings": self.known,
            "lost_coverage": list(self.lost),
        }


def standing(folder: Path) -> Standing:
    """How far the campaign in a folder got."""
    Recipe.read(folder)  # says it if this is none
    known = read_record(folder / SUMMARY, _SummaryRecord, "let `untaken run` go on in that folder to renew it")
    starts = {_key(each): _line(each.at) for each in known.functions}
    sides: dict[FunctionKey, set[Side]] = {}
    for branch in _covered(folder):
        key = FunctionKey(PurePath(branch.at.rsplit(":", 2)[0]).name, branch.function)
        sides.setdefault(key, set()).add(_side(branch, starts.get(key, 0)))
    functions = {
        (key := _key(each)): CoveredFunction(starts[key], each.covered, each.branches, frozenset(sides.get(key, ())))
        for each in known.functions
    }
    return Standing(folder, functions, dict(_findings(folder, starts)))


def news(before: Standing, now: Standing, program: ProgramMap) -> News:
    """`program` is the one of now."""
    every = _all_sides(now, program)
    lost = tuple(
        sentence
        for key, old in before.functions.items()
        if (new := now.functions.get(key)) is not None  # else it is gone
        for sentence in _lost(key, old, new, every.get(key, set()))
    )
    fresh = tuple(_new_findings(before, now))
    return News(before.folder, fresh, len(now.findings) - len(fresh), lost)


def _covered(folder: Path) -> Iterator[BranchRecord]:
    for file in sorted((folder / TESTS).glob("*.bin")):
        if file.stem.isdecimal():
            yield from read_record(file.with_suffix(".json"), SavedTestRecord, RENEWED).covers


def _findings(folder: Path, starts: dict[FunctionKey, int]) -> Iterator[tuple[str, tuple[FindingKey, int]]]:
    for file in sorted((folder / CRASHES).glob("*/finding.json")):
        about = read_record(file, FindingDescription, RENEWED)
        frame = about.frames[0] if about.frames else Frame("", "", 0)
        line = frame.line - starts.get(FunctionKey(PurePath(frame.file).name, frame.function), 0)
        yield file.parent.name, (FindingKey(about.kind, NUMBERS.sub("#", about.what), frame.function), line)


def _key(function: _FunctionRecord) -> FunctionKey:
    return FunctionKey(PurePath(function.at.rpartition(":")[0]).name, function.name)


def _line(at: str) -> int:
    number = at.rpartition(":")[2]
    return int(number) if number.isdecimal() else 0


def _side(branch: BranchRecord, start: int) -> Side:
    line, column = (int(part) if part.isdecimal() else 0 for part in (":0:0" + branch.at).rsplit(":", 2)[1:])
    return Side(line - start, column, branch.side)


def _lost(key: FunctionKey, old: CoveredFunction, new: CoveredFunction, every: set[Side]) -> Iterator[str]:
    """Branch by branch where the function is as it was, else by counts."""
    if old.sides <= every:
        for side in sorted(old.sides - new.sides):
            yield f"{key.file}:{new.line + side.line} in {key.name}: never {str(side.side).lower()} any more"
    elif new.covered < old.covered and new.total - new.covered > old.total - old.covered:
        yield f"{key.name} in {key.file}: {new.covered} of {new.total} branches, {old.covered} of {old.total} before"


def _all_sides(now: Standing, program: ProgramMap) -> dict[FunctionKey, set[Side]]:
    """All sides of the program's branches, covered or not, by function."""
    found: dict[FunctionKey, set[Side]] = {}
    for branch in program:
        place = branch.location
        key = FunctionKey(PurePath(place.file).name, program.functions[branch.function].name)
        start = now.functions[key].line if key in now.functions else 0
        found.setdefault(key, set()).add(Side(place.line - start, place.column, branch.side))
    return found


def _new_findings(before: Standing, now: Standing) -> Iterator[str]:
    """Those at the same place are known; of the others as many as the baseline has more of the same kind."""
    left = Counter(before.findings.values())
    unmatched = []
    for name, found in now.findings.items():
        if left[found]:
            left[found] -= 1
        else:
            unmatched.append((name, found[0]))
    moved = Counter(key for key, _ in left.elements())
    for name, key in unmatched:
        if moved[key]:
            moved[key] -= 1
        else:
            yield name
