"""The JSON files of a campaign's folder as types: campaign.json, tests/NNNNNN.json and finding.json.

`corpus.py` and `findings.py` say what the fields mean. What is written out for people only (values of fields, places
of branches) is not read back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

from untaken.errors import CampaignError
from untaken.given_files import read_whole
from untaken.json_records import AnyRecord, DamagedRecord, Natural, decoded, up_to
from untaken.model.input import LARGEST_SOURCE, Field, FieldKind, Source, SourceKind
from untaken.model.path import LONGEST_TIME, Exit, ExitKind
from untaken.suite.call_stack import Frame

MOST_REPEATS = 1 << 24  # of a pattern of fields: no campaign writes more, and a damaged file shall not fill the memory


@dataclass(frozen=True, slots=True)
class SourceRecord:
    """A declared input, as campaign.json has it."""

    kind: Literal["argument", "stdin", "file"]
    size: Annotated[int, up_to(LARGEST_SOURCE)]
    name: str = ""
    index: Natural = 0

    def source(self) -> Source:
        return Source(SourceKind[self.kind.upper()], self.size, self.name, self.index)


@dataclass(frozen=True, slots=True)
class RecipeRecord:
    """What campaign.json holds; `corpus.Recipe` says what it means."""

    program: str
    sources: tuple[str, ...]
    cflags: tuple[str, ...]
    arguments: tuple[str, ...]
    declared: tuple[SourceRecord, ...]
    strategy: str
    seed: int
    timeout: Annotated[float, up_to(LONGEST_TIME)]
    directory: str
    version: str
    keep_env: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FieldRecord:
    """A field of an input; or, with `repeats`, fields that come so often, each time `bytes` further on."""

    name: str = ""
    kind: str = ""
    offset: Natural = 0
    size: Natural = 0
    repeats: Natural = 0
    bytes: Natural = 0
    fields: tuple[FieldRecord, ...] = ()

    def read(self) -> Iterator[Field]:
        """The fields that are described."""
        if not self.repeats:
            yield Field(self.name, _field_kind(self.kind), self.offset, self.size)
            return
        pattern = read_fields(self.fields)
        if self.repeats * len(pattern) > MOST_REPEATS:
            raise DamagedRecord(f"{self.repeats} times {len(pattern)} fields")
        for turn in range(self.repeats):
            yield from (replace(field, offset=field.offset + turn * self.bytes) for field in pattern)


def read_fields(described: tuple[FieldRecord, ...]) -> tuple[Field, ...]:
    """All fields that a test's description stands for."""
    return tuple(field for entry in described for field in entry.read())


@dataclass(frozen=True, slots=True)
class ExitRecord:
    """How a test ends, as its JSON file has it."""

    kind: str
    code: int
    message: str

    def exit(self) -> Exit:
        return Exit(_exit_kind(self.kind), self.code, self.message)


@dataclass(frozen=True, slots=True)
class BranchRecord:
    """A branch; all but its number is for people, and need not be there."""

    branch: Natural
    function: str = ""
    at: str = ""
    side: bool = False


@dataclass(frozen=True, slots=True)
class SavedTestRecord:
    """What tests/NNNNNN.json holds about a test."""

    iteration: Natural
    fields: tuple[FieldRecord, ...]
    exit: ExitRecord
    covers: tuple[BranchRecord, ...]
    finding: str | None = None
    takes: tuple[BranchRecord, ...] | None = None
    bytes: Natural | None = None  # of its input


@dataclass(frozen=True, slots=True)
class FindingRecord:
    """What the database keeps of a finding; see `findings.py`."""

    kind: str
    what: str
    signal: int | None
    location: str | None
    frames: tuple[Frame, ...]
    iteration: Natural
    confirmed: bool | None = None
    confirmed_on: str = ""
    shows: str | None = None
    cause: str = ""


@dataclass(frozen=True, slots=True)
class FindingDescription:
    """finding.json, as far as replays and exports need it."""

    kind: str
    what: str
    frames: tuple[Frame, ...]
    exit: ExitRecord
    fields: tuple[FieldRecord, ...]
    location: str | None = None
    confirmed_on: str = ""
    shows: str | None = None


def read_record(path: Path, kind: type[AnyRecord], remedy: str) -> AnyRecord:
    """What a file holds; else one sentence says what is wrong with it, and what to do."""
    try:
        return decoded(read_whole(path), kind)
    except OSError as error:
        raise CampaignError(f"{path} cannot be read ({error.strerror}): {remedy}") from None
    except DamagedRecord as error:
        raise CampaignError(f"{path} cannot be read ({error}): {remedy}") from None


def fault_of_test(input: Path) -> str | None:
    """What is wrong with the description of a test, if anything is; `input` is its NNNNNN.bin."""
    try:
        about = decoded(read_whole(input.with_suffix(".json")), SavedTestRecord)
        about.exit.exit()
        size = input.stat().st_size
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    except DamagedRecord as error:
        return f"cannot be read ({error})"
    return None if about.bytes in (None, size) else f"is of {about.bytes} bytes, and the input has {size}"


def fault_of_finding(input: Path) -> str | None:
    """What is wrong with the description of a finding, if anything is; `input` is the file beside it."""
    try:
        about = decoded(read_whole(input.with_name("finding.json")), FindingDescription)
        about.exit.exit()
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    except DamagedRecord as error:
        return f"cannot be read ({error})"
    return None


def _field_kind(name: str) -> FieldKind:
    try:
        return FieldKind[name.upper()]
    except KeyError:
        raise DamagedRecord(f"{name!r} is no kind of field") from None


def _exit_kind(name: str) -> ExitKind:
    try:
        return ExitKind[name.upper()]
    except KeyError:
        raise DamagedRecord(f"{name!r} is no way to end") from None
