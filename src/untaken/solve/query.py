"""What is asked: a prefix of a path's constraints, and last the goal, which is the negation of what was taken.

An assertion is one integer, its code: twice the node, plus one if the node must be true. Codes are stable as long
as the node table is (see model/expression.py), so caches compare queries as sets of integers. A negative code says
that an input byte keeps its value; searches close to the old input use it.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from untaken.model.computed_once import computed_once
from untaken.model.path import PINNING, Path

NO_PINS: frozenset[int] = frozenset()
_CODE = np.dtype(np.int64)
SPREAD = 2654435761  # odd, so that neighbouring goals have salts far apart
FEW = 24  # assertions
FEW_LOOKED_FOR = 4
NOT_PINNED = np.zeros(1 << 8, np.bool_)
NOT_PINNED.flags.writeable = False
IS_PINNING = bytes(kind in PINNING for kind in range(256))
Rows = NDArray[np.intp] | NDArray[np.bool_]


def keeps(index: int, value: int) -> int:
    """The code of: input byte `index` is `value`."""
    return ~(index << 8 | value)


def kept(code: int) -> tuple[int, int]:
    """Byte and value of a negative code."""
    return ~code >> 8, ~code & 0xFF


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

    @computed_once
    def nodes(self) -> NDArray[np.int64]:
        """What the assertions are about."""
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

    def has_pins_among(self, codes: frozenset[int]) -> bool:
        """Whether any of these codes is one of the pins."""
        return not self.pins.isdisjoint(codes)

    @computed_once
    def salt(self) -> int:
        """Differs between goals: by it one of many values is chosen, but never by chance.

        It does not depend on the old input: searches go on better from a value that stays the same. (On `tree`, 4,000
        iterations of random-branch cover 702 branches so, and 615 if the value changes with the input.)
        """
        return self.goal * SPREAD

    @computed_once
    def length(self) -> int:
        """How many assertions there are, repetitions included."""
        return len(self.codes)

    @computed_once
    def identity(self) -> Hashable:
        """The same of queries that ask the same of all inputs, in the same order."""
        return self.codes.tobytes(), self.pinned.tobytes()

    @computed_once
    def assumed(self) -> Hashable:
        """The same of queries that ask their goals under the same assertions."""
        return self.codes[:-1].tobytes(), self.pinned.tobytes()

    @computed_once
    def key(self) -> frozenset[int]:
        """What the answer depends on."""
        return frozenset(self.assertions)

    def columns(self, rows: Rows) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Codes and pins of these rows, which must include the last."""
        return self.codes[rows], self.pinned[rows]

    def select(self, rows: Rows) -> Query:
        """The query with only these rows, which must include the last."""
        return Query(*self.columns(rows), self.hint)

    def prepared(self) -> Query:
        """The same, with all that can be known of its assertions: for one that is kept."""
        self.goal, self.assertions, self.pins, self.salt, self.identity, self.length  # noqa: B018 - computed once
        return self

    def with_hint(self, hint: bytes) -> Query:
        """The same question with another old input; what is known of its assertions is known of this one's."""
        other = object.__new__(type(self))
        known = vars(other)
        known.update(vars(self))
        known["hint"] = hint
        return other

    def without_pins(self) -> Query:
        """The goal stays, whatever it is."""
        kept = ~self.pinned
        kept[-1] = True
        return self.select(kept)

    def goal_alone(self) -> Query:
        """The negated condition without the path that leads to it."""
        return Query(self.codes[-1:], self.pinned[-1:], self.hint)

    def conditions(self, start: int) -> tuple[int, ...]:
        """The codes before the goal from a row on, without pins: whose addresses they name is not known elsewhere."""
        return tuple(self.codes[start:-1][~self.pinned[start:-1]].tolist())

    def under(self, more: tuple[int, ...]) -> Query:
        """The same goal, asked under these assertions, too."""
        codes = np.concatenate((self.codes[:-1], np.array(more, _CODE), self.codes[-1:]))
        pinned = np.concatenate((self.pinned[:-1], np.zeros(len(more), np.bool_), self.pinned[-1:]))
        return Query(codes, pinned, self.hint)


class FlipQuery(Query):
    """The query of a flip. Most are answered from a few of their assertions, so `codes` and `pinned` are made when they
    are first asked for."""

    flips: Flips
    side: int  # the id of the one that the path took

    def __getattr__(self, name: str) -> Any:
        if name == "codes":
            codes = self.flips.codes[: len(self.nodes)].copy()
            codes[-1] ^= 1
            vars(self)[name] = codes
        elif name == "pinned":
            vars(self)[name] = self.flips.pinned[: len(self.nodes)]
        return object.__getattribute__(self, name)

    def columns(self, rows: Rows) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        codes = self.nodes[rows]
        codes += codes
        codes += self.flips.taken[: len(self.nodes)][rows]
        codes[-1] ^= 1
        if self.flips.has_pins:
            return codes, self.pinned[rows]
        return codes, _not_pinned(len(codes))

    def few(self, rows: NDArray[np.intp]) -> tuple[int, ...]:
        """A few rows, which include the last, as FewAssertions takes them."""
        pins, sides = self.flips.pin_bytes, self.flips.path.sides
        columns = zip(self.nodes[rows].tolist(), rows.tolist(), strict=True)
        return tuple([4 * node + 2 * sides[row] + pins[row] for node, row in columns])

    def has_pins_among(self, codes: frozenset[int]) -> bool:
        """Looks for a few of them only."""
        if not self.flips.has_pins:
            return False
        if len(codes) > FEW_LOOKED_FOR:
            return super().has_pins_among(codes)
        return any(code >= 0 and self._is_pin(code) for code in codes)

    def _is_pin(self, code: int) -> bool:
        """Whether all that say so before the goal are pins."""
        kinds, sides = self.flips.path.kinds, self.flips.path.sides
        rows = (self.nodes[:-1] == code >> 1).nonzero()[0].tolist()
        found = {kinds[row] for row in rows if sides[row] == code & 1}
        return bool(found) and found.issubset(PINNING)


class FewAssertions(Query):
    """A query of so few assertions that numpy takes longer than Python: its columns are made when they are first asked
    for. `identity` has what was decided at each row: twice the code, plus one of a pin."""

    identity: tuple[int, ...]

    @classmethod
    def of_rows(cls, told: tuple[int, ...]) -> FewAssertions:
        """The last row is the goal, and its other side is asked for."""
        query = object.__new__(cls)
        codes = [each >> 1 for each in told]
        goal = codes.pop() ^ 1
        distinct = dict.fromkeys(codes)
        distinct.pop(goal, None)
        known = vars(query)
        known["identity"], known["hint"], known["goal"] = told, b"", goal
        known["assertions"] = (*distinct, goal)
        known["pins"] = _pins_of(told[:-1])
        known["salt"], known["length"] = goal * SPREAD, len(told)
        return query

    def __getattr__(self, name: str) -> Any:
        if name == "codes":
            codes = np.array(self.identity, _CODE) >> 1
            codes[-1] ^= 1
            vars(self)[name] = codes
        elif name == "pinned":
            vars(self)[name] = (np.array(self.identity, _CODE) & 1).astype(np.bool_)
        return object.__getattribute__(self, name)

    @computed_once
    def assumed(self) -> Hashable:
        return self.identity[:-1]


def _pins_of(told: tuple[int, ...]) -> frozenset[int]:
    pinned = {each >> 1 for each in told if each & 1}
    return frozenset(pinned.difference(each >> 1 for each in told if not each & 1)) if pinned else NO_PINS


class Flips:
    """The queries of one path: what they have in common is made once, however many of its decisions are flipped."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.taken = path.constraints["taken"]
        self.has_pins = path.has_pins
        self._nodes: NDArray[np.int64] = path.constraints["node"].astype(_CODE)

    @computed_once
    def codes(self) -> NDArray[np.int64]:
        """Of what the path decided."""
        codes = self._nodes + self._nodes
        codes += self.taken
        return codes

    @computed_once
    def pinned(self) -> NDArray[np.bool_]:
        """Which of them are pins."""
        return self.path.is_pin if self.has_pins else _not_pinned(len(self._nodes))

    @computed_once
    def pin_bytes(self) -> bytes:
        """The same, a byte each: one of them is found far faster so."""
        return self.path.kinds.translate(IS_PINNING)

    def at(self, index: int) -> FlipQuery:
        """All that the path decided before constraint `index`, and the other side of that one."""
        node, side, _, _, taken, _ = self.path.constraint(index)
        query = object.__new__(FlipQuery)  # what FlipQuery(...) would do, at a third of the price
        known = vars(query)
        known["flips"], known["hint"] = self, self.path.input
        known["goal"], known["side"], known["nodes"] = 2 * node + 1 - taken, side, self._nodes[: index + 1]
        if not self.has_pins:
            known["pins"] = NO_PINS
        return query


def _not_pinned(count: int) -> NDArray[np.bool_]:
    return NOT_PINNED[:count] if count <= len(NOT_PINNED) else np.zeros(count, np.bool_)
