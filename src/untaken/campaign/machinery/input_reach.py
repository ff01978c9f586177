"""How far into the input a run had looked at each of its decisions: what earliest witnesses are measured by.

This is asked of every run, also of those with tens of thousands of decisions that nobody solves for. Their expressions
are found in one pass over the node table, since operands come before the nodes that use them.
"""

from __future__ import annotations

from array import array

import numpy as np
from numpy.typing import NDArray

from untaken.model.expression import ARITY, WIDE, ExpressionTable, Node, Op, operands
from untaken.model.path import DamagedTrace, Path

_UNKNOWN = -1
_NOT_TOLD = np.iinfo(np.intp).max  # of a run whose expressions were cleared: no other is held to be worse
_INPUT, _CONST, _READ = Op.INPUT, Op.CONST, Op.READ
MANY = 256  # nodes, from which on a pass over the table pays
SPARSE = 16  # unless more than so many nodes lie between one that is asked for and the next


class InputReach:
    """Remembers, for each expression that decided something, the last input byte in it."""

    def __init__(self, expressions: ExpressionTable) -> None:
        self._expressions = expressions
        self._forget()

    def _forget(self) -> None:
        self._generation = self._expressions.generation
        self._known = array("i", [0])  # by node
        self._labels: dict[int, tuple[int, ...]] = {}  # of a table, by its offset: what its reach depends on
        self._asked: Path | None = None
        self._found: NDArray[np.intp] = np.zeros(0, np.intp)

    def __call__(self, path: Path) -> NDArray[np.intp]:
        """For each constraint, how many bytes of the input the run had looked at with it."""
        if self._generation != self._expressions.generation:
            self._forget()
        if path is not self._asked:  # of the decisions of one run it is asked one after the other
            nodes = path.constraints["node"]
            known = path.generation == self._generation
            self._asked, self._found = path, self._measured(nodes) if known else np.full(len(nodes), _NOT_TOLD)
        return self._found

    def _measured(self, nodes: NDArray[np.uint32]) -> NDArray[np.intp]:
        """Nothing is told of expressions that the program has written over: flips deal with that."""
        try:
            return self._measure(nodes)
        except (DamagedTrace, IndexError, OverflowError):
            return np.full(len(nodes), _NOT_TOLD)

    def _measure(self, nodes: NDArray[np.uint32]) -> NDArray[np.intp]:
        self._grow(int(nodes.max(initial=0)) + 1)
        reached = np.frombuffer(self._known, np.int32)[nodes]
        unknown = np.unique(nodes[reached == _UNKNOWN])
        if len(unknown):
            self._find_all(unknown)
            reached = np.frombuffer(self._known, np.int32)[nodes]
        return np.maximum.accumulate(reached).astype(np.intp)

    def _grow(self, count: int) -> None:
        if count > len(self._known):
            self._known.extend(array("i", [_UNKNOWN]) * (count - len(self._known)))

    def _find_all(self, nodes: NDArray[np.uint32]) -> None:
        first, last = int(nodes[0]), int(nodes[-1])
        if len(nodes) >= MANY and last - first <= SPARSE * len(nodes):
            self._pass(first, last + 1)
        for node in nodes.tolist():
            if self._known[node] == _UNKNOWN:
                self._find(node)

    def _pass(self, first: int, end: int) -> None:
        """The usual kinds of nodes at once; others, and those whose operands lie before, one by one."""
        known, columns = self._known, self._expressions.columns()[first:end]
        ops = (columns["op"] & ~np.uint8(WIDE)).tolist()
        for index, op, a, b in zip(range(first, end), ops, columns["a"].tolist(), columns["b"].tolist(), strict=True):
            if op == _INPUT:
                known[index] = a + 1
            elif op == _CONST:
                known[index] = 0
            elif op and op != _READ and ARITY[op] < 3:
                one, other = known[a], known[b] if ARITY[op] == 2 else 0
                known[index] = _UNKNOWN if one < 0 or other < 0 else max(one, other)
            if op and known[index] == _UNKNOWN:
                self._find(index)

    def _find(self, index: int) -> None:
        """Mostly little is new below a node: it waits on the stack for its operands."""
        known, stack = self._known, [index]
        while stack:
            node = self._expressions.node(stack[-1])
            children = self._children(node)
            missing = [child for child in children if known[child] == _UNKNOWN]
            if missing:
                stack += missing
                continue
            of_itself = node.a + 1 if node.op is _INPUT else 0
            known[stack.pop()] = max((known[child] for child in children), default=of_itself)
            if node.op is _READ:  # the next time one label of the table will do
                self._labels[node.b] = tuple(sorted(self._labels[node.b], key=known.__getitem__)[-1:])

    def _children(self, node: Node) -> tuple[int, ...]:
        if node.op is not _READ:
            return operands(node)
        if node.b not in self._labels:
            self._labels[node.b] = tuple(label for label in self._expressions.table(node.b).entries if label)
        return operands(node) + self._labels[node.b]
