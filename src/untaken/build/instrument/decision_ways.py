"""Where jumps on conditions lead: past joins of && and || that only hand a value on (build/instrument/decisions.py)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from untaken.build.ir.instructions import ConditionalBranch, Jump, Phi
from untaken.build.ir.reader import FunctionBody
from untaken.build.ir.types import Integer

_LATER_OPERAND = re.compile(r"%(land\.lhs\.true|lor\.lhs\.false|land\.rhs|lor\.rhs)")
_JOIN = re.compile(r"%(land|lor)\.end")


@dataclass(frozen=True, slots=True)
class SketchCondition:
    """A jump that counts as a branch; `is_value`: the last operand of && or || where that is a value."""

    pair: int
    block: str
    on_true: str  # blocks
    on_false: str
    is_value: bool = False


@dataclass(frozen=True, slots=True)
class LaterOperand:
    """A way leads to the operand that begins at a block."""

    start: str


@dataclass(frozen=True, slots=True)
class End:
    """A way leads out of the decision: to a block, or to a join with a value."""

    block: str
    value: bool | None = None


Way = LaterOperand | End


class DecisionWays:
    """Follows the edges of a function."""

    def __init__(self, function: FunctionBody) -> None:
        self.blocks = {block.name: block for block in function.blocks}

    def repeats(self, condition: SketchCondition) -> bool:
        """Whether it stands on the negation of a value that is joined in its block, as in `while (!(a && b))`."""
        phi = self._join(condition.block)
        return phi is not None and self._goes_on(phi, condition.block)

    def _goes_on(self, phi: Phi, block: str) -> bool:
        """Whether the block that joins a value only hands it on: to its own jump, or to the join that comes next."""
        end, names = self.blocks[block].terminator, self._carriers(phi, block)
        if isinstance(end, ConditionalBranch):
            return end.condition.text in names
        outer = self._join(end.target) if isinstance(end, Jump) else None
        return outer is not None and any(source == block and value.text in names for value, source in outer.incoming)

    def _carriers(self, phi: Phi, block: str) -> dict[str, bool]:
        """What holds the joined value in its block, and whether that is negated there."""
        negation = re.compile(rf"\s*(%\S+) = xor i1 {re.escape(phi.result)}, true\b")
        found = (negation.match(each.text) for each in self.blocks[block].instructions)
        return {phi.result: False} | {match[1]: True for match in found if match}

    def way(self, condition: SketchCondition, side: bool) -> Way:
        target = condition.on_true if side else condition.on_false
        return self.onward(condition.block, target, side if condition.is_value else None)

    def onward(self, source: str, target: str, value: bool | None) -> Way:
        """Where an edge leads in the end; `value`: of the operand that the source has last, if it is joined there."""
        while True:
            if _LATER_OPERAND.match(target) and not self._is_constant(target):
                return LaterOperand(target)
            end = self.blocks[target].terminator
            if _LATER_OPERAND.match(target) and isinstance(end, Jump):
                source, target = target, end.target
            phi = self._join(target)
            if phi is None:
                return End(target)
            value = _incoming(phi, source, value)
            if value is None or not self._goes_on(phi, target):
                return End(target, value)
            end, carriers = self.blocks[target].terminator, self._carriers(phi, target)
            if isinstance(end, ConditionalBranch):
                value ^= carriers[end.condition.text]
                source, target = target, end.true_target if value else end.false_target
                if not _LATER_OPERAND.match(target):
                    return End(target)
            elif isinstance(end, Jump):
                value ^= self._handed_on(carriers, target, end.target)
                source, target = target, end.target

    def _is_constant(self, operand: str) -> bool:
        """Whether an operand only goes on to the join, where its value is known: `a && 1`."""
        end = self.blocks[operand].terminator
        phi = self._join(end.target) if isinstance(end, Jump) else None
        return phi is not None and any(source == operand and not value.is_local for value, source in phi.incoming)

    def _join(self, block: str) -> Phi | None:
        """The phi with the value of && or ||."""
        if not _JOIN.match(block):
            return None
        phis = (each for each in self.blocks[block].instructions if isinstance(each, Phi))
        return next((phi for phi in phis if phi.type == Integer(1)), None)

    def _handed_on(self, carriers: Mapping[str, bool], block: str, target: str) -> bool:
        """Whether it is the negation that the next join takes."""
        outer = self._join(target)
        assert outer is not None
        return next(carriers[value.text] for value, source in outer.incoming if source == block)


def _incoming(phi: Phi, source: str, operand: bool | None) -> bool | None:
    """What a phi is if it is come to from a block, where the last operand is `operand`."""
    for value, block in phi.incoming:
        if block == source:
            return operand if value.is_local else value.text == "true"
    return None
