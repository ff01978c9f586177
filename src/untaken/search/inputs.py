"""Where the inputs come from that no solver made: the first one, the user's seeds, and random ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from untaken.model.input import Field, FieldKind
from untaken.search.knowledge.witnesses import Witness

# Values at which C programs like to decide: ends of ranges, digits, blanks, brackets, quotes.
_TELLING = b"\x00\x01\x7f\x80\xff 0123456789aAzZ\n\t-+*/\\\"'()[]{}<>.,;:=&|%#@!?_$^~"
_LONGEST = 1 << 20  # programs that ask for more ask for ever, or have written over how much they asked for
_STARTING_BYTES = 64  # before it is known how many a program asks for
_INTEGERS = (FieldKind.SIGNED, FieldKind.UNSIGNED)
_MOST_INTEGERS = 1 << 10  # of one input
_NEGATIVE = 0.25  # of the integers that may be
_BESIDE = 0.25  # how often the start is the way to a branch whose other side is uncovered


class RandomInputs:
    """Draws random inputs as long as any run has asked for so far."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.length = 0
        self._integers: tuple[Field, ...] = ()  # those that the run with the longest input asked for

    def saw(self, used: int, fields: Sequence[Field] = ()) -> None:
        """A run asked for so many bytes of input, and for these fields."""
        used = min(used, _LONGEST)
        if used > self.length:
            self.length = used
            self._integers = tuple(field for field in fields[:_MOST_INTEGERS] if field.kind in _INTEGERS)

    def uniform(self) -> bytes:
        """An input in which each byte is uniformly random."""
        return self.rng.randbytes(self.length)

    def structured(self) -> bytes:
        """A random prefix of telling or printable bytes, zeros after it: nearer to what parsers expect. Integers are of
        all sizes, small ones as often as large ones: programs count up to them."""
        rng = self.rng
        alphabet = _TELLING if rng.random() < 0.5 else bytes(range(32, 127))
        text = bytes(rng.choices(alphabet, k=rng.randint(0, self.length))).ljust(self.length, b"\0")
        return self._with_integers(text) if self._integers else text

    def _with_integers(self, text: bytes) -> bytes:
        changed = bytearray(text)
        for field in self._integers:
            value = self.rng.getrandbits(self.rng.randrange(8 * field.size))
            signed = field.kind is FieldKind.SIGNED and self.rng.random() < _NEGATIVE
            whole = (-value if signed else value) % (1 << 8 * field.size)
            changed[field.offset : field.offset + field.size] = whole.to_bytes(field.size, "little")
        return bytes(changed)

    def mixed(self, structured: float) -> bytes:
        """One or the other; `structured` is the share of those."""
        return self.structured() if self.rng.random() < structured else self.uniform()


class Starts:
    """Inputs to begin with, in order: the seeds that proved useful, or else a first one, which reads as zeros;
    then, at each restart, a uniformly random one."""

    def __init__(self, inputs: RandomInputs, first: bytes = b"") -> None:
        self._inputs = inputs
        self._waiting: list[bytes] = [first]

    def use(self, seeds: Sequence[bytes]) -> None:
        """Begin with these instead of the empty input."""
        self._waiting = list(seeds)

    def add(self, input: bytes) -> None:
        """One more to begin with, before random ones."""
        self._waiting.append(input)

    def next(self) -> bytes:
        """The input for the next start."""
        return self._waiting.pop(0) if self._waiting else self._inputs.uniform()


class StartsElsewhere(Starts):
    """For one of several searches side by side: only the first of them begins with the input that reads as zeros."""

    def __init__(self, inputs: RandomInputs, first: bytes = b"") -> None:
        super().__init__(inputs, first)
        self._least = max(len(first), _STARTING_BYTES)
        self.use(())

    def next(self) -> bytes:
        """The input for the next start; as long as it takes before any run has told how long inputs are."""
        if self._waiting or self._inputs.length:
            return super().next()
        return self._inputs.rng.randbytes(self._least)


class FoundStarts:
    """Begins where something was found, the later the likelier; or on the earliest way to a branch whose other side
    is uncovered; once in four times anywhere. If there is a `first` input, once there."""

    def __init__(
        self, inputs: RandomInputs, found: Sequence[bytes], beside: Callable[[], Sequence[Witness]] = tuple
    ) -> None:
        self._inputs = inputs
        self._found = found
        self._beside = beside
        self.first: bytes | None = None

    def next(self) -> bytes:
        """The input for the next start."""
        if self.first is not None:
            first, self.first = self.first, None
            return first
        rng, found = self._inputs.rng, self._found
        if not found or rng.random() < 0.25:
            return self._inputs.uniform()
        if rng.random() < _BESIDE and (ways := self._beside()):
            return rng.choice(ways).input
        # The larger of two uniform draws: linear preference for the recent.
        return found[max(rng.randrange(len(found)), rng.randrange(len(found)))]
