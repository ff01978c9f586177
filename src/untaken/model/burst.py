"""Inputs that are others, changed at random: what a burst of runs begins from. The changes are the runtime's
(runtime/input/changes.c)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from untaken.model.input import Field


@dataclass(frozen=True, slots=True)
class BurstStart:
    """An input that is changed, and what of it there is to be changed."""

    input: bytes
    fields: Sequence[Field]
    is_new: bool = False  # nobody has run it: the first of its copies is run as it is


@dataclass(frozen=True, slots=True, eq=False)
class ChangedInputs:
    """Of each start so many copies, each with changes of its own; `words` may be put into them. The same seed makes the
    same changes."""

    starts: Sequence[BurstStart]
    copies: int = 1
    words: Sequence[bytes] = ()
    seed: int = 0

    def __len__(self) -> int:
        return len(self.starts) * self.copies
