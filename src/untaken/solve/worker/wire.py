"""What goes to the worker process and back, over a `multiprocessing.connection`; and the node table made of it."""

from __future__ import annotations

from dataclasses import dataclass

from untaken.model.expression import Node, Op, ReadTable
from untaken.solve.answers import Answer, DisagreementError

NodeRow = tuple[int, int, int, int, int, int]  # index, op, width, a, b, c


@dataclass(frozen=True, slots=True)
class Request:
    """A query, and the nodes and tables of it that the worker has not seen yet."""

    nodes: list[NodeRow]
    tables: dict[int, tuple[int, tuple[int, ...], tuple[int, ...]]]
    codes: list[int]
    steps: int  # that the answer may take


@dataclass(frozen=True, slots=True)
class Ready:
    """The worker's first message: it has loaded its solver."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What the worker's solver answered; or in which way two solvers contradicted each other."""

    answer: Answer | DisagreementError
    steps: int  # that it took


class ReceivedExpressions:
    """The part of the node table that has been sent."""

    generation = 0

    def __init__(self) -> None:
        self._nodes: dict[int, Node] = {}
        self._tables: dict[int, ReadTable] = {}

    def receive(self, request: Request) -> None:
        """Adds the nodes and tables that a request brings along."""
        for index, op, width, a, b, c in request.nodes:
            self._nodes[index] = Node(Op(op), width, a, b, c)
        for offset, (width, values, entries) in request.tables.items():
            self._tables[offset] = ReadTable(width, values, entries)

    def __len__(self) -> int:
        return len(self._nodes)

    def node(self, node: int) -> Node:
        return self._nodes[node]

    def table(self, offset: int) -> ReadTable:
        return self._tables[offset]
