"""Finds out which conditional jumps make up one decision of the source: the conditions of `a && b || c`.

C evaluates && and || from left to right and only as far as needed, so clang makes a decision a graph of jumps: each
condition leads to another one, or to one of two outcomes. The names of clang's blocks say where a later operand begins
(`land.lhs.true`, `lor.rhs`); a value such as `x = a && b` is joined by a phi, which says what it is on each way there.
A jump on such a value, or on its negation, decides nothing new: it is no condition.

An operand may hold decisions of its own: in `a && f(b || c)` these are `b || c` and the whole. Such an inner decision
comes together again before the operand is decided. A way of it never leads where the operand before it leads else.
Where a whole operand is a `?:`, as in `a && (b ? c : d)`, its ways do: then its parts are conditions of the decision.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence

from untaken.build.instrument.decision_ways import DecisionWays, End, LaterOperand, SketchCondition, Way
from untaken.build.instrument.flow_shapes import post_dominators
from untaken.build.instrument.function_shape import graph_of
from untaken.build.ir.instructions import ConditionalBranch, Jump
from untaken.build.ir.reader import FunctionBody

_ARM = re.compile(r"%cond\.(true|false)")  # of ?:
_ARMS_JOIN = re.compile(r"%cond\.end")  # where a ?: is a value, and no part of a decision
_WHEN_TRUE = re.compile(r"%(if\.then|cond\.true|(for|while|do)\.body)")
_FIRST_CONDITION = 2  # where a way leads: 0 and 1 are outcomes, and this is the first condition


# For each condition its pair, and where it leads if it holds, and if not: an outcome, or a condition.
FoundDecision = list[tuple[int, int, int]]


def decisions_of(function: FunctionBody, conditions: Sequence[SketchCondition]) -> list[FoundDecision]:
    """All decisions of several conditions. One that is not understood leads nowhere: its ways are all 0.

    A jump that only repeats what was decided is given as a condition with no choice: both its ways are 1."""
    finder = _DecisionFinder(function, conditions)
    try:
        return list(finder.found()) if finder.has_several else []
    except RecursionError:  # an operand is a chain of hundreds of ?:
        return [[(condition.pair, 0, 0)] for condition in conditions]


class _DecisionFinder:
    def __init__(self, function: FunctionBody, conditions: Sequence[SketchCondition]) -> None:
        self._function = function
        self._follow = DecisionWays(function)
        self._blocks = self._follow.blocks
        self._repeating = [each for each in conditions if self._follow.repeats(each)]
        self._conditions = [each for each in conditions if each not in self._repeating]
        self._places = {condition: place for place, condition in enumerate(self._conditions)}
        self._at = {condition.block: condition for condition in self._conditions}
        self._ways = {each: (self._follow.way(each, True), self._follow.way(each, False)) for each in self._conditions}
        self._other_ways: dict[str, set[Way]] = defaultdict(set)  # by a later operand: where those before it lead else
        for ways in self._ways.values():
            for way, other in (ways, ways[::-1]):
                if isinstance(way, LaterOperand):
                    self._other_ways[way.start].add(other)
        self._known: dict[str, SketchCondition | None] = {}
        self._open_arms: set[str] = set()  # of ?: that are whole operands: ways lead through them
        self._parents: dict[int, int] | None = None

    @property
    def has_several(self) -> bool:
        return bool(self._other_ways)

    def found(self) -> Iterator[FoundDecision]:
        for start in reversed(list(self._other_ways)):  # the last operand first: each asks for those behind it
            self._condition_of(start)
        self._open_first_operands()
        later = {self._condition_of(start) for start in list(self._other_ways)}
        taken: set[int] = set()
        for condition in self._conditions:
            if condition not in later and any(isinstance(way, LaterOperand) for way in self._ways_of(condition)):
                yield _of_its_own(self._decision(condition), taken)
        yield from ([(condition.pair, 1, 1)] for condition in self._repeating)

    # ---- where ways lead

    def _ways_of(self, condition: SketchCondition) -> tuple[Way, Way]:
        """Through the arms of ?: that are open."""
        on_true, on_false = self._ways[condition]
        return self._through(on_true), self._through(on_false)

    def _through(self, way: Way) -> Way:
        if not isinstance(way, End) or way.block not in self._open_arms:
            return way
        end = self._blocks[way.block].terminator
        if isinstance(end, Jump) and way.block not in self._at:
            return self._follow.onward(way.block, end.target, None)
        if isinstance(end, ConditionalBranch) and not end.condition.is_local:
            target = end.true_target if end.condition.text == "true" else end.false_target
            return self._follow.onward(way.block, target, None)
        return LaterOperand(way.block)

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
            if condition is None or self._decides(condition, start):
                return condition
            block = self._rejoined(condition.block)
            if block is not None and _ARM.match(start) and _ARMS_JOIN.match(block):
                return None
        return None

    def _decides(self, condition: SketchCondition, start: str) -> bool:
        """Whether it is a condition of the decision that the operand is of, and not of one inside the operand."""
        others = self._other_ways[start]
        if self._leads_to_one(condition, others):
            return True
        arms = {way.block for way in self._leads_to(condition) if isinstance(way, End) and _ARM.match(way.block)}
        self._open(arms, start)
        if arms and self._leads_to_one(condition, others) and all(map(self._is_clear, arms)):
            return True
        self._close(arms)
        return False

    def _is_clear(self, arm: str) -> bool:
        """Whether it is known where an arm of ?: leads."""
        way = self._through(End(arm))
        return not isinstance(way, LaterOperand) or self._condition_of(way.start) is not None

    def _open_first_operands(self) -> None:
        """A ?: that is the first operand, as in `(a ? b : c) && d`: both its arms lead to the same condition."""
        for condition in reversed(self._conditions):
            arms = {way.block for way in self._ways[condition] if isinstance(way, End) and _ARM.match(way.block)}
            heads = {arm: self._first_from(arm) for arm in arms - self._open_arms}
            members = [set(self._members(head)) for head in heads.values() if head is not None]
            if len(members) == 2 and members[0] & members[1]:
                self._open_arms |= arms
                self._known |= heads
                self._other_ways |= {arm: set() for arm in arms}

    def _open(self, arms: set[str], start: str) -> None:
        self._open_arms |= arms
        for arm in sorted(arms):
            self._other_ways[arm] |= self._other_ways[start]

    def _close(self, arms: set[str]) -> None:
        self._open_arms -= arms
        for arm in arms:
            del self._other_ways[arm]
            self._known.pop(arm, None)

    def _first_from(self, block: str) -> SketchCondition | None:
        seen = set()
        while block not in self._at and block not in seen:
            seen.add(block)
            end = self._blocks[block].terminator
            if not isinstance(end, Jump) or (_ARM.match(block) and _ARMS_JOIN.match(end.target)):
                return None
            block = end.target
        return self._at.get(block)

    def _leads_to(self, condition: SketchCondition) -> set[Way]:
        return {way for member in self._members(condition) for way in self._ways_of(member)}

    def _leads_to_one(self, condition: SketchCondition, wanted: set[Way]) -> bool:
        """Whether one of these ways is among them: mostly it is found at once."""
        return any(not wanted.isdisjoint(self._ways_of(member)) for member in self._members(condition))

    def _members(self, condition: SketchCondition) -> Iterator[SketchCondition]:
        """All conditions that it may lead to, itself first and the nearest next."""
        found = {condition}
        work = deque([condition])
        while work:
            member = work.popleft()
            yield member
            for way in self._ways_of(member):
                following = self._condition_of(way.start) if isinstance(way, LaterOperand) else None
                if following is not None and following not in found:
                    found.add(following)
                    work.append(following)

    def _rejoined(self, block: str) -> str | None:
        """Where all ways from a block come together again."""
        names = list(self._blocks)
        if self._parents is None:
            self._parents = post_dominators(graph_of(self._function))
        place = self._parents.get(names.index(block), len(names))
        return names[place] if place < len(names) else None

    # ---- whole decisions

    def _decision(self, first: SketchCondition) -> FoundDecision:
        members = sorted(self._members(first), key=self._places.__getitem__)
        ways = [way for member in members for way in self._ways_of(member)]
        ends = list(dict.fromkeys(way for way in ways if isinstance(way, End)))
        blind = any(isinstance(way, LaterOperand) and self._condition_of(way.start) is None for way in ways)
        if blind or len(ends) != 2:
            return _not_understood(members)
        outcomes = _outcomes(ends, self._ways_of(members[-1])[0])
        numbers = {member: number + _FIRST_CONDITION for number, member in enumerate(members)}

        def number_of(way: Way) -> int:
            following = self._condition_of(way.start) if isinstance(way, LaterOperand) else None
            return outcomes[way] if following is None else numbers[following]

        found = [
            (each.pair, number_of(on_true), number_of(on_false))
            for each in members
            for on_true, on_false in [self._ways_of(each)]
        ]
        return found if _leads_ahead(found) else _not_understood(members)


def _of_its_own(found: FoundDecision, taken: set[int]) -> FoundDecision:
    """One that has a condition of another one is not understood, and has only what is left."""
    own = [each for each in found if each[0] not in taken]
    taken |= {pair for pair, _, _ in found}
    return found if len(own) == len(found) else [(pair, 0, 0) for pair, _, _ in own]


def _not_understood(members: Sequence[SketchCondition]) -> FoundDecision:
    return [(member.pair, 0, 0) for member in members]


def _leads_ahead(found: FoundDecision) -> bool:
    """No condition leads back to itself or to one before it."""
    return all(
        way < _FIRST_CONDITION or way > number + _FIRST_CONDITION
        for number, (_, *ways) in enumerate(found)
        for way in ways
    )


def _outcomes(ends: Sequence[End], when_last_holds: Way) -> dict[Way, int]:
    """Which of two ends is the one where the decision holds: a value says so, and so do names of blocks."""
    one, other = ends
    if one.value is not None or other.value is not None:
        return {end: int(bool(end.value)) for end in ends}
    named = [bool(_WHEN_TRUE.match(end.block)) for end in ends]
    if named[0] == named[1]:
        return {end: int(end == when_last_holds) for end in ends}
    return {end: int(holds) for end, holds in zip(ends, named, strict=True)}
