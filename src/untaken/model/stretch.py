"""What came of letting the program wander on random inputs for a while."""

from __future__ import annotations

from dataclasses import dataclass

from untaken.model.path import Exit


@dataclass(frozen=True, slots=True)
class Stretch:
    """One stretch of a long run: until no branch was new for some inputs, or the program's end."""

    input: bytes  # all that the program took since its start
    reach: int  # how much of it leads to the last branch that was new in this stretch; 0: none was
    statements: int  # input statements since the program's start
    snapshot: int  # the number of the snapshot that waits now; 0: the program has ended
    exit: Exit | None = None  # if it has ended
