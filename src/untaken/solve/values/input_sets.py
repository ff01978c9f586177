"""Which input bytes each node depends on, as sets of bits.

A set of bytes that are far into the input is kept from its first word on, so it takes no more memory than it has to. A
run that compares a hundred thousand integers asks for a hundred thousand sets at once: those are found in one pass over
the node table, since operands come before the nodes that use them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from untaken.model.expression import ARITY, WIDE, ExpressionTable, Node, Op

WORD = 64  # input bytes
FAR = 1 << 12  # input bytes: a set of some beyond is kept from its first word on
MANY = 256  # nodes, from which on a pass over the table pays
SPARSE = 16  # unless more than so many nodes lie between one that is asked for and the next
# Members by themselves: to look one up in its class takes ten times as long as to compare it.
INPUT, CONST, READ = Op.INPUT, Op.CONST, Op.READ

Window = tuple[int, int]  # the number of a set's first word, and the set from there on


class InputSets:
    """Memory over one generation of the node table."""

    def __init__(self, node: Callable[[int], Node], children: Callable[[int], tuple[int, ...]]) -> None:
        self._node = node
        self._children = children
        self._near: dict[int, int] = {}
        self._far: dict[int, Window] = {}  # of other nodes, which depend on bytes that are far
        self._passed = 0  # nodes from the first on
        self.bytes = 0  # that all sets take

    def of(self, index: int) -> int:
        """The input bytes that a node depends on."""
        found = self._near.get(index)
        if found is None:
            first, window = self.window(index)
            found = window << first * WORD
        return found

    def window(self, index: int) -> Window:
        """The same set from its first word on."""
        if index not in self._near and index not in self._far:
            self._find(index)
        found = self._far.get(index)
        return (0, self._near[index]) if found is None else found

    def prepare(self, nodes: NDArray[np.int64], table: ExpressionTable) -> None:
        """These nodes, in order, will be asked for."""
        if len(nodes) < MANY or (start := self._start_of_pass(nodes)) is None:
            return
        first, end = start, int(nodes[-1]) + 1
        self._passed = end if first == self._passed else self._passed
        columns = table.columns()[first:end]
        ops = (columns["op"] & ~np.uint8(WIDE)).tolist()
        for index, op, a, b in zip(range(first, end), ops, columns["a"].tolist(), columns["b"].tolist(), strict=True):
            if op and index not in self._near and index not in self._far:
                self._pass(index, op, a, b)

    def _start_of_pass(self, nodes: NDArray[np.int64]) -> int | None:
        """Where the last pass ended, so that what the nodes are made of is known before them; or the first of them, if
        far more nodes came in between; None if they are too far apart."""
        most = SPARSE * len(nodes)
        starts = (self._passed, int(nodes[0]))
        return next((start for start in starts if 0 <= int(nodes[-1]) - start <= most), None)

    def _pass(self, index: int, op: int, a: int, b: int) -> None:
        """The usual kinds of nodes at once; others, and those with operands that are not known, one by one."""
        if op == INPUT:
            self._add_input(index, a)
            return
        if op == CONST:
            self._near[index] = 0
            return
        near, arity = self._near, ARITY[op]
        operands = (a, b) if arity == 2 else (a,)
        if arity == 2 and a in near and b in near:
            near[index] = joined = near[a] | near[b]
            self.bytes += joined.bit_length() >> 3
        elif arity == 2 and (joined_far := self._in_one_word(a, b)) is not None:
            self._far[index] = joined_far
            self.bytes += WORD >> 3
        elif arity in (1, 2) and op != READ and all(each in near or each in self._far for each in operands):
            self._join(index, operands)
        else:
            self._find(index)

    def _in_one_word(self, a: int, b: int) -> Window | None:
        """What two operands depend on, if that is known to be far, and of one word."""
        one, other = self._far.get(a), self._far.get(b)
        if one is None or other is None or one[0] != other[0]:
            return None
        return one[0], one[1] | other[1]

    def _find(self, index: int) -> None:
        """Mostly little is new below a node, so nothing is sorted: a node waits on the stack for its operands."""
        near, stack = self._near, [index]
        while stack:
            each = stack[-1]
            children = self._children(each)
            missing = [child for child in children if child not in near and child not in self._far]
            if missing:
                stack += missing
                continue
            stack.pop()
            node = self._node(each)
            if node.op is INPUT:
                self._add_input(each, node.a)
            else:
                self._join(each, children)

    def _add_input(self, index: int, byte: int) -> None:
        if byte < FAR:
            self._near[index] = 1 << byte
            self.bytes += byte >> 3
        else:
            self._far[index] = byte // WORD, 1 << byte % WORD
            self.bytes += WORD >> 3

    def _join(self, index: int, children: tuple[int, ...]) -> None:
        """What a node depends on, from what its operands do."""
        bits, windows = 0, []
        for child in children:
            found = self._near.get(child)
            if found is None:
                windows.append(self._far[child])
            else:
                bits |= found
        if not windows:
            self._near[index] = joined = bits
        else:
            self._far[index] = _, joined = _union([*windows, (0, bits)] if bits else windows)
        self.bytes += joined.bit_length() >> 3


def _union(windows: list[Window]) -> Window:
    first, joined = windows[0]
    for number, window in windows[1:]:
        if number < first:
            first, joined = number, joined << (first - number) * WORD
        joined |= window << (number - first) * WORD
    return first, joined
