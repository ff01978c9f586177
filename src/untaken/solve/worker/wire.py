"""What goes over the pipe to the worker process: length-prefixed records, and a node table made of them."""

from __future__ import annotations

import pickle
import struct
from dataclasses import dataclass
from typing import BinaryIO

from untaken.model.expression import Node, Op, ReadTable
from untaken.solve.answers import Answer

READY = b"R"  # the worker's first byte
HEADER = struct.Struct("<Q")
NodeRow = tuple[int, int, int, int, int, int]  # index, op, width, a, b, c


@dataclass(frozen=True, slots=True)
class Request:
    """A query, and the nodes and tables of it that the worker has not seen yet."""

    nodes: list[NodeRow]
    tables: dict[int, tuple[int, tuple[int, ...], tuple[int, ...]]]
    codes: list[int]
    steps: int  # that the answer may take


@dataclass(frozen=True, slots=True)
class Reply:
    """What the worker's solver answered."""

    answer: Answer
    steps: int  # that it took


class ReceivedExpressions:
    """The part of the node table that has been sent."""

    generation = 0

    def __init__(self) -> None:
        self._nodes: dict[int, Node] = {}
        self._tables: dict[int, ReadTable] = {}

    def receive(self, request: Request) -> None:
        """Adds what is new."""
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


def framed(message: Request | Reply) -> bytes:
    """A message as it is written."""
    body = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return HEADER.pack(len(body)) + body


def received(stream: BinaryIO) -> Request | Reply | None:
    """The next message, or None at the end of the stream."""
    header = stream.read(HEADER.size)
    if len(header) < HEADER.size:
        return None
    body = stream.read(HEADER.unpack(header)[0])
    message: Request | Reply = pickle.loads(body)
    return message
