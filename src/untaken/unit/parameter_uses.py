"""Parameters that functions use in some way themselves, or hand on to others that do."""

from __future__ import annotations

from dataclasses import dataclass, field

ParameterPlace = tuple[str, str]  # function and name


@dataclass(slots=True)
class ParameterUses:
    """Of all functions of one or more files."""

    names: dict[str, tuple[str, ...]] = field(default_factory=dict)  # of the parameters, by function
    used: set[ParameterPlace] = field(default_factory=set)
    _handed_on: dict[ParameterPlace, list[tuple[str, int]]] = field(default_factory=dict)

    def hand_on(self, parameter: ParameterPlace, callee: str, position: int) -> None:
        """It is an argument of a call."""
        self._handed_on.setdefault(parameter, []).append((callee, position))

    def of(self, function: str) -> frozenset[str]:
        """The parameters of this function for which that holds."""
        return frozenset(name for name in self.names.get(function, ()) if self._is_used((function, name), set()))

    def _is_used(self, parameter: ParameterPlace, seen: set[ParameterPlace]) -> bool:
        if parameter in self.used or parameter in seen:
            return parameter in self.used
        seen.add(parameter)
        further = ((callee, self.names.get(callee, ()), at) for callee, at in self._handed_on.get(parameter, ()))
        return any(at < len(names) and self._is_used((callee, names[at]), seen) for callee, names, at in further)
