"""Finds out which conditional jumps make up one decision of the source: the conditions of `a && b || c`.

C evaluates && and || from left to right and only as far as needed, so clang makes a decision a graph of jumps: each
condition leads to another one, or to one of two outcomes. The names of clang's blocks say where a later operand begins
(`land.lhs.true`, `lor.rhs`); a value such as `x = a && b` is joined by a phi, which says what it is on each way there.
A jump on such a value, or on its negation, decides nothing new: it is no condition.

An operand may hold decisions of its own: in `a && f(b || c)` these are `b || c` and the whole. Such an inner decision
comes together again before the operand is decided. A way of it never leads where the operand before it leads else.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from untaken.build.instrument.flow_shapes import post_dominators
from untaken.build.instrument.function_shape import graph_of
from untaken.build.ir.instructions import ConditionalBranch, Jump, Phi
from untaken.build.ir.reader import FunctionBody
from untaken.build.ir.types import Integer

_LATER_OPERAND = re.compile(r"%(land\.lhs\.true|lor\.lhs\.false|land\.rhs|lor\.rhs)")
_JOIN = re.compile(r"%(land|lor)\.end")
_WHEN_TRUE = re.compile(r"%(if\.then|cond\.true|(for|while|do)\.body)")
_FIRST_CONDITION = 2  # where a way leads: 0 and 1 are outcomes, and this is the first condition


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
# For each condition its pair, and where it leads if it holds, and if not: an outcome, or a condition.
FoundDecision = list[tuple[int, int, int]]


def decisions_of(function: FunctionBody, conditions: Sequence[SketchCondition]) -> list[FoundDecision]:
    """All decisions of several conditions. One that is not understood leads nowhere: its ways are all 0.

    A jump that only repeats what was decided is given as a condition with no choice: both its ways are 1."""
    finder = _DecisionFinder(function, conditions)
    return list(finder.found()) if finder.has_several else []


class _DecisionFinder:
    def __init__(self, function: FunctionBody, conditions: Sequence[SketchCondition]) -> None:
        self._function = function
        self._blocks = {block.name: block for block in function.blocks}
        self._repeating = [each for each in conditions if self._repeats(each)]
        self._conditions = [each for each in conditions if each not in self._repeating]
        self._at = {condition.block: condition for condition in self._conditions}
        self._ways = {each: (self._way(each, True), self._way(each, False)) for each in self._conditions}
        self._other_ways: dict[str, set[Way]] = defaultdict(set)  # by a later operand: where those before it lead else
        for ways in self._ways.values():
            for way, other in (ways, ways[::-1]):
                if isinstance(way, LaterOperand):
                    self._other_ways[way.start].add(other)
        self._known: dict[str, SketchCondition | None] = {}
        self._parents: dict[int, int] | None = None

    @property
    def has_several(self) -> bool:
        return bool(self._other_ways)

    def found(self) -> Iterator[FoundDecision]:
        starts = list(self._other_ways)
        later = {self._condition_of(start) for start in starts}
        for condition in self._conditions:
            if condition not in later and any(isinstance(way, LaterOperand) for way in self._ways[condition]):
                yield self._decision(condition)
        yield from ([(condition.pair, 1, 1)] for condition in self._repeating)

    # ---- where ways lead

    def _repeats(self, condition: SketchCondition) -> bool:
        """Whether it stands on the negation of a value that is joined in its block, as in `while (!(a && b))`."""
        phi = self._join(condition.block)
        return phi is not None and self._goes_on(phi, condition.block)

    def _goes_on(self, phi: Phi, block: str) -> bool:
        """Whether the block that joins a value only hands it on: to its own jump, or to the join that comes next."""
        end, names = self._blocks[block].terminator, self._carriers(phi, block)
        if isinstance(end, ConditionalBranch):
            return end.condition.text in names
        outer = self._join(end.target) if isinstance(end, Jump) else None
        return outer is not None and any(source == block and value.text in names for value, source in outer.incoming)

    def _carriers(self, phi: Phi, block: str) -> dict[str, bool]:
        """What holds the joined value in its block, and whether that is negated there."""
        negation = re.compile(rf"\s*(%\S+) = xor i1 {re.escape(phi.result)}, true\b")
        found = (negation.match(each.text) for each in self._blocks[block].instructions)
        return {phi.result: False} | {match[1]: True for match in found if match}

    def _way(self, condition: SketchCondition, side: bool) -> Way:
        source, target = condition.block, condition.on_true if side else condition.on_false
        value: bool | None = side if condition.is_value else None
        while True:
            if _LATER_OPERAND.match(target) and not self._is_constant(target):
                return LaterOperand(target)
            end = self._blocks[target].terminator
            if _LATER_OPERAND.match(target) and isinstance(end, Jump):
                source, target = target, end.target
            phi = self._join(target)
            if phi is None:
                return End(target)
            value = _incoming(phi, source, value)
            if value is None or not self._goes_on(phi, target):
                return End(target, value)
            end, carriers = self._blocks[target].terminator, self._carriers(phi, target)
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
        end = self._blocks[operand].terminator
        phi = self._join(end.target) if isinstance(end, Jump) else None
        return phi is not None and any(
            source == operand and not value.is_local for value, source in phi.incoming
        )

    def _join(self, block: str) -> Phi | None:
        """The phi with the value of && or ||."""
        if not _JOIN.match(block):
            return None
        phis = (each for each in self._blocks[block].instructions if isinstance(each, Phi))
        return next((phi for phi in phis if phi.type == Integer(1)), None)

    def _handed_on(self, carriers: Mapping[str, bool], block: str, target: str) -> bool:
        """Whether it is the negation that the next join takes."""
        outer = self._join(target)
        assert outer is not None
        return next(carriers[value.text] for value, source in outer.incoming if source == block)

    # ---- operands

    def _condition_of(self, start: str) -> SketchCondition | None:
        """The first condition of the operand that begins at a block; None: there is none that is understood."""
        if start not in self._known:
            self._known[start] = None  # for the case that it leads back to itself
            self._known[start] = self._find_condition(start)
        return self._known[start]

    def _find_condition(self, start: str) -> SketchCondition | None:
        block: str | None = start
        seen = set()
        while block is not None and block not in seen:
            seen.add(block)
            condition = self._first_from(block)
            if condition is None or self._leads_to(condition) & self._other_ways[start]:
                return condition
            block = self._rejoined(condition.block)
        return None

    def _first_from(self, block: str) -> SketchCondition | None:
        seen = set()
        while block not in self._at and block not in seen:
            seen.add(block)
            end = self._blocks[block].terminator
            if not isinstance(end, Jump):
                return None
            block = end.target
        return self._at.get(block)

    def _leads_to(self, condition: SketchCondition) -> set[Way]:
        return {way for member in self._members(condition) for way in self._ways[member]}

    def _members(self, condition: SketchCondition) -> list[SketchCondition]:
        """All conditions that it may lead to, itself first."""
        found = {condition: None}
        work = [condition]
        while work:
            for way in self._ways[work.pop()]:
                following = self._condition_of(way.start) if isinstance(way, LaterOperand) else None
                if following is not None and following not in found:
                    found[following] = None
                    work.append(following)
        return list(found)

    def _rejoined(self, block: str) -> str | None:
        """Where all ways from a block come together again."""
        names = list(self._blocks)
        if self._parents is None:
            self._parents = post_dominators(graph_of(self._function))
        place = self._parents.get(names.index(block), len(names))
        return names[place] if place < len(names) else None

    # ---- whole decisions

    def _decision(self, first: SketchCondition) -> FoundDecision:
        members = sorted(self._members(first), key=self._conditions.index)
        ways = [way for member in members for way in self._ways[member]]
        ends = list(dict.fromkeys(way for way in ways if isinstance(way, End)))
        blind = any(isinstance(way, LaterOperand) and self._condition_of(way.start) is None for way in ways)
        if blind or len(ends) != 2:
            return _not_understood(members)
        outcomes = _outcomes(ends, self._ways[members[-1]][0])
        numbers = {member: number + _FIRST_CONDITION for number, member in enumerate(members)}

        def number_of(way: Way) -> int:
            following = self._condition_of(way.start) if isinstance(way, LaterOperand) else None
            return outcomes[way] if following is None else numbers[following]

        found = [(each.pair, number_of(self._ways[each][0]), number_of(self._ways[each][1])) for each in members]
        return found if _leads_ahead(found) else _not_understood(members)


def _not_understood(members: Sequence[SketchCondition]) -> FoundDecision:
    return [(member.pair, 0, 0) for member in members]


def _leads_ahead(found: FoundDecision) -> bool:
    """No condition leads back to itself or to one before it."""
    return all(
        way < _FIRST_CONDITION or way > number + _FIRST_CONDITION
        for number, (_, *ways) in enumerate(found)
        for way in ways
    )


def _incoming(phi: Phi, source: str, operand: bool | None) -> bool | None:
    """What a phi is if it is come to from a block, where the last operand is `operand`."""
    for value, block in phi.incoming:
        if block == source:
            return operand if value.is_local else value.text == "true"
    return None


def _outcomes(ends: Sequence[End], when_last_holds: Way) -> dict[Way, int]:
    """Which of two ends is the one where the decision holds: a value says so, and so do names of blocks."""
    one, other = ends
    if one.value is not None or other.value is not None:
        return {end: int(bool(end.value)) for end in ends}
    named = [bool(_WHEN_TRUE.match(end.block)) for end in ends]
    if named[0] == named[1]:
        return {end: int(end == when_last_holds) for end in ends}
    return {end: int(holds) for end, holds in zip(ends, named, strict=True)}
