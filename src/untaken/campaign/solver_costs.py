"""Which lines of the program the solver's time goes to, and what makes their conditions hard: for the closing words.

These are seconds, for people to read. What the search decides by is counted in steps (search/place_records.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from untaken.model.expression import Op
from untaken.model.program import BranchId, ProgramMap
from untaken.solve.answers import Answer, Sat
from untaken.solve.graph import FLOATS, Graph
from untaken.solve.query import Query

MOST_LINES = 5
MOST_BEFORE = 256  # decisions before a condition that are looked into: paths may have many thousands
_SHARE = 0.01  # of all seconds: what a side must have taken for its conditions to be looked at, once


class HardOperation(Enum):
    """What makes a condition hard, the hardest first."""

    FLOAT = "floating point"
    DIVISION = "division"
    MULTIPLICATION = "multiplication"
    READ = "symbolic read"
    OTHER = "comparisons"


_OF = {
    **dict.fromkeys(FLOATS, HardOperation.FLOAT),
    **dict.fromkeys((Op.UDIV, Op.SDIV, Op.UREM, Op.SREM), HardOperation.DIVISION),
    Op.MUL: HardOperation.MULTIPLICATION,
    Op.READ: HardOperation.READ,
}
_HARDEST_FIRST = tuple(HardOperation)


@dataclass(frozen=True, slots=True)
class CostlyLine:
    """A line, and what the questions about its conditions took."""

    at: str
    function: str
    operation: HardOperation
    seconds: float
    questions: int
    answered: int  # with an input

    def as_json(self) -> dict[str, str | float]:
        return {
            "at": self.at,
            "function": self.function,
            "operation": self.operation.value,
            "seconds": round(self.seconds, 3),
            "questions": self.questions,
            "answered": self.answered,
        }


@dataclass(slots=True)
class _Cost:
    """Of one side of a condition."""

    seconds: float = 0.0
    questions: int = 0
    answered: int = 0
    operation: HardOperation = HardOperation.OTHER
    looked_at: bool = False


class SolverCosts:
    """Of all questions of a campaign since it was started or went on."""

    def __init__(self) -> None:
        self._of_side: dict[int, _Cost] = {}
        self._seconds = 0.0  # of all

    def note(self, side: int, seconds: float, answer: Answer) -> bool:
        """A question about a side of a condition was answered. Whether that is costly by now: then what makes it hard
        is to be told."""
        cost = self._of_side.get(side)
        if cost is None:
            cost = self._of_side[side] = _Cost()
        self._seconds += seconds
        cost.seconds += seconds
        cost.questions += 1
        cost.answered += isinstance(answer, Sat)
        return not cost.looked_at and cost.seconds > _SHARE * self._seconds

    def tell(self, side: int, operation: HardOperation) -> None:
        """What makes the conditions of a side hard."""
        cost = self._of_side[side]
        cost.looked_at, cost.operation = True, operation

    def lines(self, program: ProgramMap) -> tuple[CostlyLine, ...]:
        """The five that took most time, the longest first."""
        gathered: dict[tuple[str, str], _Cost] = {}
        for side, cost in self._of_side.items():
            branch = program.branches.get(BranchId(side))
            if branch is not None and branch.location.line:
                place = f"{branch.location.file}:{branch.location.line}", program.functions[branch.function].name
                _add(gathered.setdefault(place, _Cost()), cost)
        found = [
            CostlyLine(at, function, cost.operation, cost.seconds, cost.questions, cost.answered)
            for (at, function), cost in gathered.items()
        ]
        return tuple(sorted(found, key=lambda line: (-line.seconds, line.at))[:MOST_LINES])


def hardest_operation(graph: Graph, query: Query) -> HardOperation:
    """Of the condition itself; where that is plain, of what was decided shortly before it about the same input."""
    *before, goal = query.nodes[-MOST_BEFORE - 1 :].tolist()
    found = _hardest(graph, [goal])
    if found is not HardOperation.OTHER:
        return found
    bits = graph.inputs(goal)
    return _hardest(graph, [node for node in dict.fromkeys(before) if graph.inputs(node) & bits])


def _hardest(graph: Graph, nodes: list[int]) -> HardOperation:
    found = {_OF.get(graph.node(index).op, HardOperation.OTHER) for index in graph.below(nodes)}
    return next((operation for operation in _HARDEST_FIRST if operation in found), HardOperation.OTHER)


def _add(total: _Cost, cost: _Cost) -> None:
    total.seconds += cost.seconds
    total.questions += cost.questions
    total.answered += cost.answered
    total.operation = min(total.operation, cost.operation, key=_HARDEST_FIRST.index)
