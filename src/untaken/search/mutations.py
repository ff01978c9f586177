"""Random changes of inputs, as fuzzers make them: bits, bytes, numbers and blocks, several at once.

Kin: AFL's "havoc" stage, whose list of changes this follows. A change is made within one field of the input, so that a
stream that gets longer or shorter has its new length, and what comes after it stays where it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Literal

from untaken.model.input import Field, FieldKind
from untaken.search.splice import ended, filled, spliced

_MOST_FIELDS = 4  # that are changed in one input
_MOST_CHANGES = 4  # of a field, as a power of two
_LARGEST_STEP = 35  # that is added to a number, or taken from it
_LONGEST_BLOCK = 32
_SHORTER = 0.5  # how often a full stream that lost something ends sooner, instead of having zeros at its end
_TELLING = (0, 1, -1, 16, 32, 64, 100, 127, -128, 255, 256, 512, 1000, 1024, 4096, 32767, -32768, 65535, 1 << 31)
_Order = Literal["little", "big"]  # of the bytes of a number
_ORDERS: tuple[_Order, ...] = ("little", "big")


class Mutations:
    """Changes inputs; `words` may be put into them, and blocks of `others`."""

    def __init__(self, rng: Random, others: Sequence[bytes]) -> None:
        self._rng = rng
        self.words: Sequence[bytes] = ()
        self._others = others
        self._in_place = (self._flip, self._randomise, self._step, self._tell, self._copy)
        self._any = (*self._in_place, self._delete, self._insert, self._repeat, self._take, self._put_word)

    def of(self, input: bytes, fields: Sequence[Field]) -> bytes:
        """The input with some of its fields changed."""
        rng = self._rng
        changeable = [number for number, part in enumerate(fields) if part.kind is not FieldKind.LENGTH and part.size]
        if not changeable:
            return bytes(self._changed(bytearray(input), self._any))
        for number in rng.choices(changeable, k=rng.randint(1, min(_MOST_FIELDS, len(changeable)))):
            part = fields[number]
            end = part.offset + filled(input, fields, number)
            text = bytearray(input[part.offset : end].ljust(end - part.offset, b"\0"))
            is_number = part.kind in (FieldKind.SIGNED, FieldKind.UNSIGNED)
            new = self._changed(text, self._in_place if is_number else self._any)
            input = spliced(input, fields, slice(part.offset, end), bytes(new))
            if part.offset + len(new) < end and rng.random() < _SHORTER:
                input = ended(input, fields, part.offset + len(new))
        return input

    def _changed(self, text: bytearray, changes: Sequence[Callable[[bytearray], None]]) -> bytearray:
        rng = self._rng
        for _ in range(1 << rng.randrange(_MOST_CHANGES)):
            if text:
                rng.choice(changes)(text)
            else:
                self._insert(text)
        return text

    # ---- one change each

    def _flip(self, text: bytearray) -> None:
        bit = self._rng.randrange(8 * len(text))
        text[bit >> 3] ^= 1 << (bit & 7)

    def _randomise(self, text: bytearray) -> None:
        text[self._rng.randrange(len(text))] = self._rng.randrange(256)

    def _step(self, text: bytearray) -> None:
        """A number of one, two or four bytes, in any order of bytes, becomes a little larger or smaller."""
        place, order = self._number(text), self._rng.choice(_ORDERS)
        value = int.from_bytes(text[place], order) + self._rng.randint(-_LARGEST_STEP, _LARGEST_STEP)
        _write(text, place, value, order)

    def _tell(self, text: bytearray) -> None:
        """A number becomes one at which programs like to decide."""
        _write(text, self._number(text), self._rng.choice(_TELLING), self._rng.choice(_ORDERS))

    def _number(self, text: bytearray) -> slice:
        size = self._rng.choice((1, 2, 4))
        start = self._rng.randrange(max(1, len(text) - size + 1))
        return slice(start, min(len(text), start + size))

    def _copy(self, text: bytearray) -> None:
        """One block is written over another."""
        block = text[self._block(text)]
        start = self._rng.randrange(len(text) - len(block) + 1)
        text[start : start + len(block)] = block

    def _delete(self, text: bytearray) -> None:
        del text[self._block(text)]

    def _repeat(self, text: bytearray) -> None:
        """One block is put in once more, elsewhere."""
        block = text[self._block(text)]
        start = self._rng.randrange(len(text) + 1)
        text[start:start] = block

    def _insert(self, text: bytearray) -> None:
        """Random bytes, or one of them several times."""
        rng = self._rng
        size = rng.randint(1, _LONGEST_BLOCK)
        start = rng.randrange(len(text) + 1)
        text[start:start] = rng.randbytes(size) if rng.random() < 0.5 else rng.randbytes(1) * size

    def _take(self, text: bytearray) -> None:
        """A block of another input, in the place of as much."""
        if self._others:
            other = self._rng.choice(self._others)
            block = other[self._block(other)] if other else b""
            start = self._rng.randrange(len(text))
            text[start : start + len(block)] = block

    def _put_word(self, text: bytearray) -> None:
        if self.words:
            word, start = self._rng.choice(self.words), self._rng.randrange(len(text) + 1)
            end = start + len(word) if self._rng.random() < 0.5 else start
            text[start:end] = word

    def _block(self, text: bytes | bytearray) -> slice:
        size = self._rng.randint(1, min(_LONGEST_BLOCK, len(text)))
        start = self._rng.randrange(len(text) - size + 1)
        return slice(start, start + size)


def _write(text: bytearray, place: slice, value: int, order: _Order) -> None:
    size = place.stop - place.start
    text[place] = (value % (1 << 8 * size)).to_bytes(size, order)
