"""Places in memory as C writes them: p->next->value, s.items[2], *p."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CPlace:
    """A variable or part of one; `through`: what the pointer in `base` points to."""

    base: str
    through: bool = False

    @property
    def text(self) -> str:
        return f"*{self.base}" if self.through else self.base

    @property
    def operand(self) -> str:
        """The text, fit for what binds tighter than a star."""
        return f"(*{self.base})" if self.through else self.base

    def member(self, name: str) -> CPlace:
        """A member without a name is reached as if it were not there."""
        if not name:
            return self
        return CPlace(f"{self.base}->{name}" if self.through else f"{self.base}.{name}")

    def item(self, index: int) -> CPlace:
        """Of an array that lies here."""
        return CPlace(f"{self.operand}[{index}]")

    def target(self) -> CPlace:
        """What the pointer that lies here points to."""
        return CPlace(self.operand, through=True)

    def target_item(self, index: int) -> CPlace:
        """Of the array that the pointer here points to."""
        return CPlace(f"{self.operand}[{index}]")
