"""What is asked: a prefix of a path's constraints, and last the goal, which is the negation of what was taken.

An assertion is one integer, its code: twice the node, plus one if the node must be true. Codes are stable as long
as the node table is (see model/expression.py), so caches compare queries as sets of integers. A negative code says
that an input byte keeps its value; searches close to the old input use it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from untaken.model.computed_once import computed_once
from untaken.model.path import ConstraintKind, Path

NO_PINS: frozenset[int] = frozenset()
_PIN = int(ConstraintKind.PIN)
SPREAD = 2654435761  # odd, so that neighbouring goals have salts far apart


def keeps(index: int, value: int) -> int:
    """The code of: input byte `index` is `value`."""
    return ~(index << 8 | value)


def kept(code: int) -> tuple[int, int]:
    """Byte and value of a negative code."""
    return ~code >> 8, ~code & 0xFF


def goal_of(path: Path, index: int) -> int:
    """The code of the other side of constraint `index`."""
    node, _, _, _, taken, _ = path.constraint(index)
    return 2 * node + 1 - taken


@dataclass(frozen=True)
class Query:
    """Assertions as columns; `pinned` marks those that only say which concrete address or size was used."""

    codes: NDArray[np.int64]
    pinned: NDArray[np.bool_]
    hint: bytes

    @classmethod
    def flip(cls, path: Path, index: int) -> Query:
        """All that `path` decided before constraint `index`, and the other side of that one."""
        return Flips(path).at(index)

    @classmethod
    def of(cls, codes: list[int], hint: bytes = b"") -> Query:
        """A query of these assertions, none of which is a pin."""
        return cls(np.array(codes, np.int64), np.zeros(len(codes), np.bool_), hint)

    @property
    def nodes(self) -> NDArray[np.int64]:
        return self.codes >> 1

    @computed_once
    def goal(self) -> int:
        """The code of the last assertion."""
        return int(self.codes[-1])

    @computed_once
    def assertions(self) -> tuple[int, ...]:
        """The codes without repetitions, in order, the goal last."""
        codes = self.codes.tolist()
        goal = codes.pop()
        distinct = dict.fromkeys(codes)
        distinct.pop(goal, None)
        return (*distinct, goal)

    @computed_once
    def pins(self) -> frozenset[int]:
        """The codes of assertions before the goal that are pins, and nothing else."""
        pinned = self.pinned[:-1]
        if not np.count_nonzero(pinned):
            return NO_PINS
        codes = self.codes[:-1]
        return frozenset(codes[pinned].tolist()).difference(codes[~pinned].tolist())

    @computed_once
    def salt(self) -> int:
        """Differs between goals: by it one of many values is chosen, but never by chance.

        It does not depend on the old input: searches go on better from a value that stays the same. (On `tree`, 4,000
        iterations of random-branch cover 702 branches so, and 615 if the value changes with the input.)
        """
        return self.goal * SPREAD

    @computed_once
    def identity(self) -> tuple[bytes, bytes]:
        """The same of queries that ask the same of all inputs, in the same order."""
        return self.codes.tobytes(), self.pinned.tobytes()

    @computed_once
    def key(self) -> frozenset[int]:
        """What the answer depends on."""
        return frozenset(self.assertions)

    def select(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> Query:
        """The query with only these rows, which must include the last."""
        return Query(self.codes[rows], self.pinned[rows], self.hint)

    def prepared(self) -> Query:
        """The same, with all that can be known of its assertions: for one that is kept."""
        self.goal, self.assertions, self.pins, self.salt, self.identity  # noqa: B018 - computed once
        return self

    def with_hint(self, hint: bytes) -> Query:
        """The same question with another old input; what is known of its assertions is known of this one's."""
        other = object.__new__(Query)
        vars(other).update(vars(self), hint=hint)
        return other

    def without_pins(self) -> Query:
        """The goal stays, whatever it is."""
        kept = ~self.pinned
        kept[-1] = True
        return self.select(kept)

    def goal_alone(self) -> Query:
        """The negated condition without the path that leads to it."""
        return Query(self.codes[-1:], self.pinned[-1:], self.hint)


class Flips:
    """The queries of one path, whose assertions are made once, however many of its decisions are flipped."""

    def __init__(self, path: Path) -> None:
        self.path = path
        codes = path.constraints["node"].astype(np.int64)
        codes += codes
        codes += path.constraints["taken"]
        self._codes = codes
        self._pinned = path.constraints["kind"] == _PIN if _PIN in path.kinds else np.zeros(len(codes), np.bool_)

    def at(self, index: int) -> Query:
        """All that the path decided before constraint `index`, and the other side of that one."""
        codes = self._codes[: index + 1].copy()
        codes[-1] ^= 1
        query = object.__new__(Query)  # what Query(...) would do, at a third of the price
        vars(query).update(codes=codes, pinned=self._pinned[: index + 1], hint=self.path.input)
        return query
