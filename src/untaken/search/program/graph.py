"""The combined control flow and static call graph of the CREST paper (section 4.1), as arrays.

Nodes are blocks and branches. An edge into a branch weighs 1, every other 0. A call is an edge from its block to
the callee's entry; there are no edges back, so a static path enters a call for good or skips it. Calls through
pointers have no static edge; `add_call` adds those that were seen to happen (CREST leaves them out).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from untaken.model.program import NO_BRANCH, Block, BranchId, Function, ProgramMap

Ints = NDArray[np.intp]
Flags = NDArray[np.bool_]
NOWHERE = -1


class StaticGraph:
    """Nodes are numbered: all blocks, function by function, then all branches by id."""

    def __init__(self, program: ProgramMap) -> None:
        self._first_block = np.cumsum([0] + [len(function.blocks) for function in program.functions])
        self._sources: list[int] = []
        self._targets: list[int] = []
        self.size = int(self._first_block[-1])
        self.version = 0
        self.node_of: Ints = np.full(program.id_count, NOWHERE, np.intp)  # of a branch, or of a function by entry id
        self._number_branches(program)
        self.entries = self._first_block[:-1].tolist()  # the nodes of all functions' entries
        for function in program.functions:
            self.node_of[function.entry_id] = self._first_block[function.index]
            for number, block in enumerate(function.blocks):
                self._add_block(program, function, number, block)

    def block(self, function: int, number: int) -> int:
        """The node of a block."""
        return int(self._first_block[function]) + number

    def after(self, node: int) -> list[int]:
        """The nodes that a node leads to."""
        return _row(self.successors, node)

    def before(self, node: int) -> list[int]:
        """What leads to a node."""
        return _row(self.predecessors, node)

    def add_call(self, block: int, entry_id: int) -> None:
        """A call that the program map does not show was seen to happen."""
        self._add_edge(block, int(self.node_of[entry_id]))
        self.version += 1
        for edges in ("predecessors", "successors", "predecessor_rows"):
            self.__dict__.pop(edges, None)

    @cached_property
    def predecessors(self) -> tuple[Ints, Ints]:
        """CSR: the predecessors of node n are `nodes[starts[n]:starts[n + 1]]`."""
        return _csr(self._targets, self._sources, self.size)

    @cached_property
    def predecessor_rows(self) -> list[list[int]]:
        """The predecessors of each node: single nodes are looked at faster so."""
        starts, nodes = (column.tolist() for column in self.predecessors)
        return [nodes[start:end] for start, end in pairwise(starts)]

    @cached_property
    def successors(self) -> tuple[Ints, Ints]:
        """All nodes that nodes lead to, in compressed rows as `predecessors`."""
        return _csr(self._sources, self._targets, self.size)

    def _number_branches(self, program: ProgramMap) -> None:
        ids = np.sort(np.fromiter(program.branches, np.intp, len(program.branches)))
        functions = [program.branches[BranchId(branch)].function for branch in ids.tolist()]
        self.entry_of_branch = np.full(program.id_count, NOWHERE, np.intp)  # the entry node of its function
        self.entry_of_branch[ids] = self._first_block[np.asarray(functions, np.intp)]
        self.node_of[ids] = np.arange(self.size, self.size + len(ids))
        self.branch_nodes = (self.size, self.size + len(ids))  # an edge into one of this range weighs 1
        self.size += len(ids)

    def _add_block(self, program: ProgramMap, function: Function, number: int, block: Block) -> None:
        node = self.block(function.index, number)
        for call in block.calls:
            callee = program.callee(function, call)
            if callee is not None:
                self._add_edge(node, int(self._first_block[callee.index]))
        for edge in block.edges:
            self._add_branch(node, edge.branch, self.block(function.index, edge.target))

    def _add_branch(self, source: int, branch: BranchId, target: int) -> None:
        if branch == NO_BRANCH:
            self._add_edge(source, target)
        else:
            node = int(self.node_of[branch])
            self._add_edge(source, node)
            self._add_edge(node, target)

    def _add_edge(self, source: int, target: int) -> None:
        self._sources.append(source)
        self._targets.append(target)


def _csr(keys: list[int], values: list[int], size: int) -> tuple[Ints, Ints]:
    by_key = np.asarray(keys, np.intp)
    order = np.argsort(by_key, kind="stable")
    starts = np.zeros(size + 1, np.intp)
    np.cumsum(np.bincount(by_key, minlength=size), out=starts[1:])
    return starts, np.asarray(values, np.intp)[order]


def _row(csr: tuple[Ints, Ints], node: int) -> list[int]:
    starts, values = csr
    row: list[int] = values[starts[node] : starts[node + 1]].tolist()
    return row


def neighbours(csr: tuple[Ints, Ints], nodes: Ints) -> Ints:
    """All neighbours of some nodes at once, with repetitions."""
    starts, values = csr
    counts = starts[nodes + 1] - starts[nodes]
    offsets = np.repeat(starts[nodes] - np.cumsum(counts) + counts, counts)
    return values[offsets + np.arange(len(offsets))]


def straight_line(function: Function, block: int) -> Iterator[int]:
    """The blocks that surely run from here until the next decision."""
    passed: set[int] = set()
    while block not in passed:
        passed.add(block)
        yield block
        edges = function.blocks[block].edges
        if len(edges) != 1:
            return
        block = edges[0].target
