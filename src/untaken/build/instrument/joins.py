"""Where paths through a function join: the labels of phis, and the new names of the blocks that were split.

Both are known only when the whole function is written, so they are filled in at its end.
"""

from __future__ import annotations

import re

from untaken.build.instrument.labels import LabelTable
from untaken.build.instrument.memory import hot_label
from untaken.build.ir.instructions import Phi
from untaken.build.ir.syntax import Value

_PREDECESSOR = re.compile(r', (%(?:"[^"]*"|[-\w$.]+)) \]')


class Joins:
    """The phis of one function, and the last piece of each of its blocks."""

    def __init__(self, labels: LabelTable) -> None:
        self._labels = labels
        self._tails: dict[str, str] = {}
        self._phis: list[tuple[int, Phi]] = []  # where in the output its labels go

    def add(self, phi: Phi, position: int) -> None:
        """A phi whose labels go to this line of the output."""
        self._phis.append((position, phi))

    def left(self, block: str, piece: str) -> None:
        """A block is complete; it is left through this piece of it."""
        self._tails[block] = piece

    def completed(self, lines: list[str], frame: tuple[int, list[str]]) -> list[str]:
        """The lines of the body with labels of phis, new names of predecessors, and the frame where it goes."""
        extra = {position: self._phi_labels(phi) for position, phi in self._phis}
        position, slots = frame
        extra[position] = slots
        finished: list[str] = []
        for position, line in enumerate(lines):
            finished += extra.get(position, ())
            finished.append(line)
        for index, line in enumerate(finished):
            if " = phi " in line and "%$." not in line.split(" = ")[0]:
                finished[index] = self._renamed_predecessors(line)
        return finished

    def _phi_labels(self, phi: Phi) -> list[str]:
        lines = []
        for leaf, label in enumerate(self._labels.of(Value(phi.type, phi.result))):
            if label:
                parts = [
                    f"[ {hot_label(self._labels.of(value)[leaf])}, {self._tails[source]} ]"
                    for value, source in phi.incoming
                ]
                lines.append(f"  %$.l{label} = phi i32 {', '.join(parts)}")
        return lines

    def _renamed_predecessors(self, line: str) -> str:
        """A block that was split is left through its last piece."""
        head, _, tail = line.partition(" = phi ")
        return f"{head} = phi " + _PREDECESSOR.sub(lambda match: f", {self._tails.get(match[1], match[1])} ]", tail)
