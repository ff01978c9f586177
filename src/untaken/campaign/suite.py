"""A campaign's tests, read back from its folder: what replays and exports work on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from untaken.model.input import Field, Source
from untaken.model.path import Exit


@dataclass(frozen=True, slots=True)
class SavedTest:
    """One test or crash. `covers` are the branches that it was first to cover; `place` is said of findings only."""

    name: str
    input: bytes
    fields: tuple[Field, ...]
    exit: Exit
    covers: tuple[int, ...] = ()
    finding: bool = False
    place: str = ""


@dataclass(frozen=True, slots=True)
class Suite:
    """All tests of a campaign and what is needed to run them again. `declared` sources are numbered."""

    program: Path
    sources: tuple[Path, ...]
    flags: tuple[str, ...]
    arguments: tuple[str, ...]
    declared: tuple[Source, ...]
    tests: tuple[SavedTest, ...]
    directory: Path  # where the program ran
    timeout: float
