"""A program that can be explored, for Python programs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from untaken.campaign.config import Config
from untaken.campaign.machinery.machinery import Assignment, session_settings
from untaken.execute.session import Session
from untaken.execute.target import Target, find_target
from untaken.model.program import ProgramMap

NamedColumns = dict[str, NDArray[Any]]  # by name, all of the same length
AnyPath = str | os.PathLike[str]


@dataclass(frozen=True)
class Program:
    """An instrumented program, with its map: functions, branches and control flow."""

    target: Target

    @classmethod
    def build(cls, *sources: AnyPath, cflags: str = "") -> Program:
        """Compiles C files, as `untaken run` does; what was compiled before is kept."""
        return cls(find_target([os.fspath(source) for source in sources], cflags))

    @classmethod
    def open(cls, program: AnyPath) -> Program:
        """A program that was built with `untaken cc`."""
        return cls(find_target([os.fspath(program)]))

    @property
    def map(self) -> ProgramMap:
        """All functions and branches, and how control flows between them."""
        return self.target.map

    @property
    def branches(self) -> NamedColumns:
        """One row a branch: id, function, file, line, column, side."""
        every = list(self.map)
        names = [function.name for function in self.map.functions]
        return {
            "id": np.array([branch.id for branch in every], np.uint32),
            "function": np.array([names[branch.function] for branch in every], np.str_),
            "file": np.array([branch.location.file for branch in every], np.str_),
            "line": np.array([branch.location.line for branch in every], np.uint32),
            "column": np.array([branch.location.column for branch in every], np.uint32),
            "side": np.array([branch.side for branch in every], np.bool_),
        }

    @contextmanager
    def session(self, settings: Config | None = None) -> Iterator[Session]:
        """Runs the program on inputs of one's own: `session.run(input)` is a path. `settings` say what is input."""
        config = settings or Config(targets=(str(self.target.program),))
        with Session(self.target.program, session_settings(Assignment(config, self.target))) as running:
            yield running
