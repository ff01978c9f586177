"""Random expressions of && and || and !, as C and as what they come to: for tests of MC/DC."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random


@dataclass(frozen=True, slots=True)
class Logical:
    """`operator` is &&, ||, ! or ?, with its operands; else it is a condition by its number."""

    operator: str
    operands: tuple[Logical, ...] = ()
    number: int = -1
    text: str = ""

    def as_c(self) -> str:
        match self.operator:
            case "":
                return self.text
            case "!":
                return f"!({self.operands[0].as_c()})"
            case "?":
                return "({} ? {} : {})".format(*(each.as_c() for each in self.operands))
        return f"({self.operands[0].as_c()} {self.operator} {self.operands[1].as_c()})"

    def evaluate(self, values: Mapping[int, bool], seen: dict[int, bool]) -> bool:
        """As C does it; `seen` is told which conditions were evaluated."""
        match self.operator:
            case "":
                seen[self.number] = values[self.number]
                return values[self.number]
            case "!":
                return not self.operands[0].evaluate(values, seen)
            case "?":
                chosen = 1 if self.operands[0].evaluate(values, seen) else 2
                return self.operands[chosen].evaluate(values, seen)
        first = self.operands[0].evaluate(values, seen)
        if first is (self.operator == "||"):
            return first
        return self.operands[1].evaluate(values, seen)

    def deciding(self, seen: Mapping[int, bool]) -> set[int]:
        """Conditions that nothing masks, by the tree as CAST-6 describes it; what was not evaluated masks nothing."""
        if not self.operator:
            return {self.number} & set(seen)
        if self.operator == "!":
            return self.operands[0].deciding(seen)
        controlling = self.operator == "||"
        found: set[int] = set()
        for operand, other in (self.operands, self.operands[::-1]):
            if other.value(seen) is not controlling:
                found |= operand.deciding(seen)
        return found

    def value(self, seen: Mapping[int, bool]) -> bool | None:
        """What it came to; None: it was not evaluated."""
        first = self
        while first.operator:
            first = first.operands[0]
        return self.evaluate(seen, {}) if first.number in seen else None


@dataclass(slots=True)
class Expressions:
    """Makes expressions whose conditions are texts from `leaves`, each with its number for %d."""

    rng: Random
    leaves: tuple[str, ...]
    choices: bool = False  # whether some operands are ?:
    count: int = field(default=0)

    def make(self, conditions: int) -> Logical:
        self.count = 0
        return self._make(conditions)

    def _make(self, conditions: int) -> Logical:
        if conditions == 1:
            number = self.count
            self.count += 1
            return Logical("", number=number, text=self.rng.choice(self.leaves) % number)
        if self.choices and conditions > 2 and self.count and self.rng.random() < 0.3:
            return Logical("?", (self._make(1), self._make(1), self._make(conditions - 2)))
        left = self.rng.randrange(1, conditions)
        both = Logical(self.rng.choice(("&&", "||")), (self._make(left), self._make(conditions - left)))
        return Logical("!", (both,)) if self.rng.random() < 0.2 else both
