"""Inputs made of a base and of pieces of the stock."""

from __future__ import annotations

from random import Random

from untaken.model.burst import BurstStart
from untaken.search.pieces.spans import Span
from untaken.search.pieces.stock import Base, Stock
from untaken.search.splice import cleared, ended, spliced

# How often:
_MEND = 0.4  # what the program gave up at is completed, if there is such
_ANOTHER = 0.5  # one more piece is exchanged
_SAME_INPUT = 0.3  # for one of the same input
_PUT_IN = 0.5  # a round is put in before another, instead of in its place
_LEAVE_OUT = 0.1  # a round is left out
_CUT = 0.3  # what follows is cut off
_END = 0.3  # by ending the stream, instead of by zeros


class Variants:
    """Makes inputs, each from a base with some pieces exchanged, put in beside others of their kind, or left out."""

    def __init__(self, stock: Stock, rng: Random) -> None:
        self._stock = stock
        self._rng = rng

    def next(self) -> BurstStart | None:
        """Another input, with the fields of its base; None as long as no run was taken apart."""
        base = self._stock.base()
        return None if base is None else BurstStart(self._changed(base), base.fields, is_new=True)

    def _changed(self, base: Base) -> bytes:
        """Changes go from the end to the beginning: none moves what is still to be changed."""
        chosen = self._chosen(base)
        input = self._cut(base, max(span.end for span in chosen))
        border = chosen[0].end
        for span in chosen:
            if span.end <= border:
                stretch, text = self._change(base, span)
                input, border = spliced(input, base.fields, stretch, text), span.start
        return input

    def _cut(self, base: Base, end: int) -> bytes:
        if self._rng.random() >= _CUT:
            return base.input
        cut = ended if self._rng.random() < _END else cleared
        return cut(base.input, base.fields, end)

    def _chosen(self, base: Base) -> list[Span]:
        """What to change, the last one first: one, two, or more; each kind is as likely as any."""
        rng = self._rng
        torn = [span for span in base.torn if self._stock.has(span.kind)]
        if torn and rng.random() < _MEND:
            return [rng.choice(torn)]
        known = [kind for kind in base.kinds if self._stock.has(kind)]
        chosen = [rng.choice(base.kinds[rng.choice(known)])]
        while rng.random() < _ANOTHER:
            chosen.append(rng.choice(base.kinds[rng.choice(known)]))
        return sorted(chosen, key=lambda span: span.start, reverse=True)

    def _change(self, base: Base, span: Span) -> tuple[slice, bytes]:
        rng = self._rng
        if span.repeats and rng.random() < _LEAVE_OUT:
            return slice(span.start, span.end), b""
        text = self._other(base, span)
        end = span.start if span.repeats and rng.random() < _PUT_IN else span.end
        return slice(span.start, end), text

    def _other(self, base: Base, span: Span) -> bytes:
        """Another text of the same kind."""
        if self._rng.random() >= _SAME_INPUT:
            return self._stock.piece(span.kind)
        return base.text(self._rng.choice(base.kinds[span.kind]))
