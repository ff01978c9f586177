"""What programs and object files carry as JSON, as types: the program map's records, and how each was made.

`program_map.py` and `origin.py` write them. A program may be damaged, or somebody else's: what it says is checked here
before anybody believes it. The compiler itself only writes, so that it does not import this.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from typing import Any, NamedTuple

from untaken.build.objects.origin import SEARCH_PATHS
from untaken.json_records import DamagedRecord, Natural, checked, parsed

LANGUAGE = re.compile(r"[a-z][a-z0-9+-]*")  # a value of -x
LARGEST = 1 << 30  # bytes of one unit's record, unpacked: a small file must not fill the memory


class CallRecord(NamedTuple):
    callee: str | None
    line: Natural


class EdgeRecord(NamedTuple):
    target: Natural
    branch: Natural | None


class BlockRecord(NamedTuple):
    calls: tuple[CallRecord, ...]
    edges: tuple[EdgeRecord, ...]


class BranchPairRecord(NamedTuple):
    pair: Natural
    file: Natural
    line: Natural
    column: Natural
    kind: Natural
    flags: Natural
    operands: Natural


class ConditionRecord(NamedTuple):
    pair: Natural
    on_true: Natural
    on_false: Natural


class AskedRecord(NamedTuple):
    pair: Natural
    variable: Natural
    predicate: Natural
    constant: int


class DefinedRecord(NamedTuple):
    variable: Natural
    value: int | None
    step: int | None
    copied: Natural | None
    gates: tuple[Natural, ...]


@dataclass(frozen=True, slots=True)
class FunctionRecord:
    name: str
    file: Natural
    line: Natural
    entry: Natural
    exported: int
    weak: int
    blocks: tuple[BlockRecord, ...]
    branches: tuple[BranchPairRecord, ...]
    decisions: tuple[tuple[ConditionRecord, ...], ...]
    asked: tuple[AskedRecord, ...]
    defined: tuple[DefinedRecord, ...]

    def check_decisions(self) -> None:
        """Ways lead to conditions that are there, and never back."""
        pairs = {branch.pair for branch in self.branches}
        for decision in self.decisions:
            for number, condition in enumerate(decision):
                ways = (condition.on_true, condition.on_false)
                ahead = all(way < 2 or number + 2 < way < len(decision) + 2 for way in ways)
                if condition.pair not in pairs or not ahead:
                    raise DamagedRecord(f"a decision of {self.name!r} refers to what is not there")


@dataclass(frozen=True, slots=True)
class OriginRecord:
    """How a source was compiled; see `origin.Origin`."""

    directory: str
    source: str
    language: str
    words: tuple[str, ...]
    variables: dict[str, str]
    files: tuple[str, ...]
    digest: str

    def check(self) -> None:
        """Names that a compiler would take for options, and variables that are none of ours."""
        check_words((self.directory, self.source, *self.words, *self.variables.values(), *self.files))
        if not LANGUAGE.fullmatch(self.language) or self.source.startswith(("-", "@")):
            raise DamagedRecord(f"{self.source!r} is no source of language {self.language!r}")
        if not set(self.variables) <= set(SEARCH_PATHS):
            raise DamagedRecord(f"{min(set(self.variables) - set(SEARCH_PATHS))} is no variable of a compiler's search")


@dataclass(frozen=True, slots=True)
class UnitRecord:
    """One object file of a program map."""

    source: str
    files: tuple[str, ...]
    variables: tuple[str, ...]
    functions: tuple[FunctionRecord, ...]
    uninstrumented: tuple[str, ...]
    aliases: dict[str, str]
    outside: tuple[str, ...]
    origin: OriginRecord | None

    def check(self) -> None:
        """What refers to something refers to something that is there."""
        for function in self.functions:
            places = [function.file, *(branch.file for branch in function.branches)]
            targets = [edge.target for block in function.blocks for edge in block.edges]
            if max(places) >= len(self.files) or max(targets, default=-1) >= len(function.blocks):
                raise DamagedRecord(f"{function.name!r} refers to what is not there")
            function.check_decisions()
        if self.origin is not None:
            self.origin.check()


@dataclass(frozen=True, slots=True)
class LinkItemRecord:
    words: tuple[str, ...] = ()
    file: str = ""
    units: bool = False
    source: OriginRecord | None = None


@dataclass(frozen=True, slots=True)
class LinkageRecord:
    """What a program was linked from; see `origin.linkage`."""

    directory: str
    items: tuple[LinkItemRecord, ...]
    sanitizers: tuple[str, ...]
    shared: bool
    cplusplus: bool

    def check(self) -> None:
        check_words((self.directory, *self.sanitizers))
        for item in self.items:
            check_words((*item.words, item.file))
            if item.file.startswith(("-", "@")):
                raise DamagedRecord(f"{item.file!r} is no file to be linked")
            if item.source is not None:
                item.source.check()
        if any(not word.startswith(("-fsanitize=", "-fno-sanitize")) for word in self.sanitizers):
            raise DamagedRecord("sanitizers are no options of that name")


def check_words(words: tuple[str, ...]) -> None:
    """What no command line can hold."""
    if any("\0" in word for word in words):
        raise DamagedRecord("a word holds a NUL")


def unit_record(packed: bytes, version: int) -> dict[str, Any] | None:
    """The record of a unit as JSON, checked; None if it is one of another version."""
    unpacking = zlib.decompressobj()
    try:
        known = parsed(unpacking.decompress(packed, LARGEST))
    except zlib.error as error:
        raise DamagedRecord(str(error)) from None
    if not isinstance(known, dict) or known.get("version") != version:
        return None
    checked(known, UnitRecord).check()
    return known


def linkage_record(text: bytes) -> dict[str, Any]:
    """The record of a link as JSON, checked."""
    known: dict[str, Any] = parsed(text)
    checked(known, LinkageRecord).check()
    return known
