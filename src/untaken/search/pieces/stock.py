"""The stock of pieces: texts that the program took for each kind of thing, and the inputs that they come from.

Of all texts that made the program do the same inside the call, or the round, the shortest is kept. So the stock of a
kind has one of each sort, however often runs repeat themselves.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b
from random import Random

import numpy as np

from untaken.model.input import Field
from untaken.model.path import Path
from untaken.search.pieces.spans import Span, SpanFinder

_MOST_PIECES = 48  # of a kind
_MOST_BASES = 300
_LONGEST = 256  # piece
_OFTEN = 100  # runs that were taken apart, after which one more of those that cover nothing is passed over each time
_COVERING = 0.6  # how often a base is one that was first to pass something


@dataclass(frozen=True, slots=True)
class Base:
    """An input that was taken apart."""

    input: bytes
    fields: tuple[Field, ...]
    spans: list[Span]
    kinds: dict[int, list[Span]] = field(init=False)
    torn: list[Span] = field(init=False)  # those at which the program gave up

    def __post_init__(self) -> None:
        kinds: dict[int, list[Span]] = {}
        for span in self.spans:
            kinds.setdefault(span.kind, []).append(span)
        object.__setattr__(self, "kinds", kinds)
        object.__setattr__(self, "torn", [span for span in self.spans if not span.complete])

    def text(self, span: Span) -> bytes:
        """The bytes of the input that a span is about."""
        return self.input[span.start : span.end].ljust(span.end - span.start, b"\0")


class Stock:
    """Pieces by kind, and bases to put them into."""

    def __init__(self, finder: SpanFinder, rng: Random, id_count: int) -> None:
        self.finder = finder
        self._rng = rng
        self._id_count = id_count
        self._seen: set[bytes] = set()  # which ids runs passed
        self._taken = 0  # runs that were taken apart
        self._passed_over = 0  # since one of those that covered nothing was
        self._pieces: dict[int, dict[int, bytes]] = {}
        self._covering: list[Base] = []  # they were first to pass something
        self._others: list[Base] = []

    def saw(self, path: Path) -> None:
        """A run happened. If none before it passed the same branches, it is one to go on from.

        In a large program hardly two runs pass the same. The more of them are known, the more that covered nothing are
        passed over: their pieces are known, and they would only take the place of others.
        """
        if path.snapshot or not len(path):
            return
        self._passed_over += 1
        if not path.new_ids and self._passed_over <= self._taken // _OFTEN:
            return
        passed = np.zeros(self._id_count, np.bool_)
        passed[path.events] = True
        key = blake2b(np.packbits(passed).tobytes(), digest_size=8).digest()
        if key not in self._seen:
            self._seen.add(key)
            self._taken += 1
            self._passed_over = 0
            self.take(path)

    def base(self) -> Base | None:
        """One to make another input of, the later the likelier; None if no run was taken apart."""
        rng = self._rng
        bases = self._covering if not self._others or rng.random() < _COVERING else self._others
        return bases[max(rng.randrange(len(bases)), rng.randrange(len(bases)))] if bases else None

    def has(self, kind: int) -> bool:
        """Whether there is a piece of that kind."""
        return kind in self._pieces

    def piece(self, kind: int) -> bytes:
        """Any piece of that kind."""
        return self._rng.choice(list(self._pieces[kind].values()))

    def take(self, path: Path) -> None:
        """Takes the input of a run apart."""
        base = Base(path.input, path.fields, list(self.finder.spans(path)))
        for span in base.spans:
            if span.complete:
                self._add(span, base.text(span))
        if any(self.has(kind) for kind in base.kinds):
            bases = self._covering if path.new_ids else self._others
            bases.append(base)
            if len(bases) > _MOST_BASES:
                del bases[self._rng.randrange(_MOST_BASES)]

    def _add(self, span: Span, text: bytes) -> None:
        if len(text) > _LONGEST:
            return
        known = self._pieces.setdefault(span.kind, {})
        if span.behaviour in known:
            if len(text) < len(known[span.behaviour]):
                known[span.behaviour] = text
            return
        if len(known) >= _MOST_PIECES:
            other = self._rng.choice(list(known))
            if len(known[other]) < len(text):
                return
            del known[other]
        known[span.behaviour] = text
