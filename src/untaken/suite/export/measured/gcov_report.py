"""What `gcov -j` writes, as far as we read it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GcovBranch:
    """An arc that leaves a condition."""

    count: int


@dataclass(frozen=True, slots=True)
class GcovLine:
    """A line with code of one function; a template's lines come once for each of its functions."""

    line_number: int
    count: int
    branches: tuple[GcovBranch, ...]


@dataclass(frozen=True, slots=True)
class GcovFunction:
    """A function, by the name that linkers know."""

    name: str
    start_line: int
    execution_count: int


@dataclass(frozen=True, slots=True)
class GcovFile:
    """A source file of one object."""

    file: str
    lines: tuple[GcovLine, ...]
    functions: tuple[GcovFunction, ...]


@dataclass(frozen=True, slots=True)
class GcovReport:
    """What gcov writes for one object file: one entry for each source that went into it."""

    files: tuple[GcovFile, ...]
