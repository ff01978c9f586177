"""Variables whose value conditions ask for, and where a program gives them which values.

A variable is known by its name alone: a global, a field of a struct whatever object it belongs to, a local of a
function, a parameter, or what a function returns. Two objects of one type share their fields. So this says what may be,
not what is.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import eq, ge, gt, le, lt, ne

_WORD = 1 << 64
_SIGNED = {"eq": eq, "ne": ne, "slt": lt, "sle": le, "sgt": gt, "sge": ge}
_UNSIGNED = {"ult": lt, "ule": le, "ugt": gt, "uge": ge}
PREDICATES = (*_SIGNED, *_UNSIGNED)


@dataclass(frozen=True, slots=True)
class AskedVariable:
    """What the true side of a conditional asks for: a relation of a variable to a constant."""

    variable: str
    predicate: str  # one of LLVM's, for integers
    constant: int

    def holds_for(self, value: int) -> bool:
        """Whether the true side would be taken."""
        if self.predicate in _SIGNED:
            return bool(_SIGNED[self.predicate](value, self.constant))
        return bool(_UNSIGNED[self.predicate](value % _WORD, self.constant % _WORD))


@dataclass(frozen=True, slots=True)
class VariableDefinition:
    """Where a variable gets a constant, is moved by one, or takes over another's value.

    `gates` are the ids of branches and function entries: who passes one of them comes to the definition next.
    """

    variable: str
    gates: tuple[int, ...]
    value: int | None = None
    step: int | None = None
    copied: str | None = None
