"""What came of each function of a project, kept in the output folder so that a second run goes on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from untaken.errors import CampaignError
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


def write_results(folder: Path, results: Sequence[FunctionResult], extents: Extents) -> None:
    """With the sizes of what functions were given, since tests mean something for these only."""
    sizes = [{"source": source, "function": name, "sizes": places} for (source, name), places in extents.items()]
    write_json(folder / RESULTS, {"functions": [asdict(result) for result in results], "extents": sizes})


def read_extents(folder: Path) -> Extents:
    """The sizes that an earlier run came to."""
    return {
        (str(entry["source"]), str(entry["function"])): {str(place): int(n) for place, n in entry["sizes"].items()}
        for entry in _content(folder).get("extents", [])
    }


def read_results(folder: Path) -> dict[tuple[str, str], FunctionResult]:
    """Of an earlier run into this folder, by file and function; nothing if there was none."""
    try:
        found = [_read(entry) for entry in _content(folder).get("functions", [])]
    except (KeyError, TypeError) as error:
        raise CampaignError(f"{folder / RESULTS} cannot be read ({error}): {ANEW}") from None
    return {(result.source, result.function): result for result in found}


def _content(folder: Path) -> dict[str, Any]:
    path = folder / RESULTS
    if not path.exists():
        return {}
    try:
        found = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise CampaignError(f"{path} cannot be read ({error}): {ANEW}") from None
    if not isinstance(found, dict):
        raise CampaignError(f"{path} cannot be read (no object): {ANEW}")
    return found


def _read(entry: dict[str, Any]) -> FunctionResult:
    faults = tuple(ShownFault(**{**fault, "frames": tuple(fault["frames"])}) for fault in entry.pop("faults"))
    return FunctionResult(**entry, faults=faults)
