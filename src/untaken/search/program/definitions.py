"""Which definitions of a variable would turn a condition on it, as the program map says."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from untaken.model.program import BranchId, ProgramMap
from untaken.model.variables import AskedVariable, VariableDefinition

_MOST_COPIES = 3  # from variable to variable that are followed


@dataclass(frozen=True, slots=True)
class TurningPlace:
    """Ids that lead to a place which gives a variable a value that a branch asks for, or moves it there by steps."""

    gates: tuple[int, ...]
    by_steps: bool


class Definitions:
    """Of all variables of a program."""

    def __init__(self, program: ProgramMap) -> None:
        self._asked = program.asked
        self._of: dict[str, list[VariableDefinition]] = defaultdict(list)
        for definition in program.definitions:
            self._of[definition.variable].append(definition)

    @cache  # noqa: B019 - one object a campaign
    def turning(self, branch: int) -> tuple[TurningPlace, ...]:
        """The places after which a branch may be taken; none if its condition asks for no variable."""
        asked = self._asked.get(BranchId(branch & ~1))
        if asked is None:
            return ()
        return tuple(dict.fromkeys(self._turning(asked, branch & 1 == 0, asked.variable, 0, {})))

    def _turning(
        self, asked: AskedVariable, side: bool, variable: str, copies: int, seen: dict[str, int]
    ) -> Iterator[TurningPlace]:
        """`seen` are the copies after which a variable was come to: a flag that a hundred places hand on to each other
        would be gone through a million times."""
        if seen.get(variable, copies + 1) <= copies:
            return
        seen[variable] = copies
        for each in self._of.get(variable, ()):
            if each.value is not None and asked.holds_for(each.value) == side:
                yield TurningPlace(each.gates, by_steps=False)
            elif each.step is not None and _leads_there(asked, side, each.step):
                yield TurningPlace(each.gates, by_steps=True)
            elif each.copied is not None and copies < _MOST_COPIES:
                yield from self._turning(asked, side, each.copied, copies + 1, seen)


def _leads_there(asked: AskedVariable, side: bool, step: int) -> bool:
    """Whether the values that a side asks for lie in the direction of the step, or are the constant alone."""
    before, at, after = (asked.holds_for(asked.constant + moved) == side for moved in (-step, 0, step))
    return after or (at and not before)
