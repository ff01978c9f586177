"""What came of each function of a project, kept in the output folder so that a second run goes on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from untaken.errors import CampaignError
from untaken.json_records import DamagedRecord, decoded
from untaken.suite.corpus import write_json

RESULTS = "functions.json"
ANEW = "remove the folder, or choose another --out"
Extents = dict[tuple[str, str], dict[str, int]]  # by file and function: sizes of what pointers lead to


@dataclass(frozen=True, slots=True)
class ShownFault:
    """Something that goes wrong in one function's campaign."""

    name: str
    kind: str
    what: str
    cause: str
    location: str | None
    frames: tuple[str, ...]  # innermost first


@dataclass(frozen=True, slots=True)
class FunctionResult:
    """`problem`: why it could not be explored, if it could not."""

    source: str
    function: str
    out: str
    covered: int = 0
    total: int = 0
    tests: int = 0
    iterations: int = 0
    seconds: float = 0.0
    ended_by: str = ""
    problem: str = ""
    digest: str = ""  # of the program that was explored
    faults: tuple[ShownFault, ...] = ()
    conditions: int | None = None  # of the goal mcdc
    shown: int = 0  # of these


@dataclass(frozen=True, slots=True)
class _ExtentRecord:
    """The sizes of what one function was given."""

    source: str
    function: str
    sizes: dict[str, int]


@dataclass(frozen=True, slots=True)
class _ResultsRecord:
    """All of functions.json: what came of each function, and the sizes that it was given."""

    functions: tuple[FunctionResult, ...] = ()
    extents: tuple[_ExtentRecord, ...] = ()


def write_results(folder: Path, results: Sequence[FunctionResult], extents: Extents) -> None:
    """With the sizes of what functions were given, since tests mean something for these only."""
    sizes = [{"source": source, "function": name, "sizes": places} for (source, name), places in extents.items()]
    write_json(folder / RESULTS, {"functions": [asdict(result) for result in results], "extents": sizes})


def read_extents(folder: Path) -> Extents:
    """The sizes that an earlier run came to."""
    return {(entry.source, entry.function): entry.sizes for entry in _content(folder).extents}


def read_results(folder: Path) -> dict[tuple[str, str], FunctionResult]:
    """Of an earlier run into this folder, by file and function; nothing if there was none."""
    return {(result.source, result.function): result for result in _content(folder).functions}


def _content(folder: Path) -> _ResultsRecord:
    path = folder / RESULTS
    if not path.exists():
        return _ResultsRecord()
    try:
        return decoded(path.read_bytes(), _ResultsRecord)
    except (OSError, DamagedRecord) as error:
        raise CampaignError(f"{path} cannot be read ({error}): {ANEW}") from None
