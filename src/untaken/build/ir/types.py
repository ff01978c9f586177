"""LLVM types, and where their parts lie in memory on x86-64."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Type:
    """Base of all types; `size` and `alignment` are in bytes, as the x86-64 data layout has them."""

    @property
    def size(self) -> int:
        return 0

    @property
    def alignment(self) -> int:
        return 1

    @property
    def stride(self) -> int:
        """Distance of two neighbours in an array."""
        return _round_up(self.size, self.alignment)


@dataclass(frozen=True)
class Void(Type):
    def __str__(self) -> str:
        return "void"


@dataclass(frozen=True)
class Opaque(Type):
    """label, metadata, token and the like: never in memory."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Integer(Type):
    width: int

    @property
    def size(self) -> int:
        return (self.width + 7) // 8

    @property
    def alignment(self) -> int:
        return min(16, 1 << max(0, self.size - 1).bit_length()) if self.width > 8 else 1

    def __str__(self) -> str:
        return f"i{self.width}"


@dataclass(frozen=True)
class Pointer(Type):
    @property
    def size(self) -> int:
        return 8

    @property
    def alignment(self) -> int:
        return 8

    def __str__(self) -> str:
        return "ptr"


WORD_BITS = 64
_WIDEST = 128  # bits of an integer that has an expression
_FLOATS = {"half": 2, "bfloat": 2, "float": 4, "double": 8, "x86_fp80": 10, "fp128": 16, "ppc_fp128": 16}


@dataclass(frozen=True)
class Float(Type):
    name: str

    @property
    def size(self) -> int:
        return _FLOATS[self.name]

    @property
    def alignment(self) -> int:
        return 16 if self.size >= 10 else self.size

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Array(Type):
    count: int
    element: Type

    @property
    def size(self) -> int:
        return self.count * self.element.stride

    @property
    def alignment(self) -> int:
        return self.element.alignment

    def __str__(self) -> str:
        return f"[{self.count} x {self.element}]"


@dataclass(frozen=True)
class Vector(Type):
    count: int
    element: Type
    scalable: bool = False

    @property
    def size(self) -> int:
        bits = self.element.width if isinstance(self.element, Integer) else self.element.size * 8
        return (self.count * bits + 7) // 8

    @property
    def alignment(self) -> int:
        return 1 << max(0, self.size - 1).bit_length()

    def __str__(self) -> str:
        return f"<{'vscale x ' if self.scalable else ''}{self.count} x {self.element}>"


@dataclass(frozen=True)
class Struct(Type):
    elements: tuple[Type, ...]
    packed: bool = False

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        offsets, end = [], 0
        for element in self.elements:
            end = end if self.packed else _round_up(end, element.alignment)
            offsets.append(end)
            end += element.stride
        return tuple(offsets)

    @cached_property
    def _size(self) -> int:
        if not self.elements:
            return 0
        end = self.offsets[-1] + self.elements[-1].stride
        return _round_up(end, self.alignment)

    @property
    def size(self) -> int:
        return self._size

    @property
    def alignment(self) -> int:
        return 1 if self.packed else max((element.alignment for element in self.elements), default=1)

    def __str__(self) -> str:
        inside = ", ".join(map(str, self.elements))
        body = f"{{ {inside} }}" if inside else "{}"
        return f"<{body}>" if self.packed else body


@dataclass(frozen=True)
class FunctionType(Type):
    result: Type
    parameters: tuple[Type, ...]
    variadic: bool


@dataclass(frozen=True, slots=True)
class Leaf:
    """A scalar inside an aggregate: where it lies, and the indices that lead to it."""

    type: Type
    offset: int
    indices: tuple[int, ...]


def leaves(whole: Type, offset: int = 0, indices: tuple[int, ...] = ()) -> Iterator[Leaf]:
    """The scalars of a first-class value in order; a scalar is its own only leaf."""
    if isinstance(whole, Struct):
        for index, (element, at) in enumerate(zip(whole.elements, whole.offsets, strict=True)):
            yield from leaves(element, offset + at, (*indices, index))
    elif isinstance(whole, Array):
        for index in range(whole.count):
            yield from leaves(whole.element, offset + index * whole.element.stride, (*indices, index))
    else:
        yield Leaf(whole, offset, indices)


def element_at(whole: Type, indices: tuple[int, ...]) -> Type:
    """The part of an aggregate that extractvalue's indices name."""
    for index in indices:
        if isinstance(whole, Struct):
            whole = whole.elements[index]
        elif isinstance(whole, Array):
            whole = whole.element
    return whole


def label_width(scalar: Type) -> int:
    """How many bits the expression of such a value has; 0 if we give it none."""
    if isinstance(scalar, Integer) and scalar.width <= _WIDEST:
        return scalar.width
    if isinstance(scalar, Pointer):
        return 64
    if isinstance(scalar, Float) and scalar.name in ("float", "double", "x86_fp80"):
        return scalar.size * 8
    return 0


def is_wide(scalar: Type) -> bool:
    """Whether its expression has more bits than a word: then its value takes two."""
    return label_width(scalar) > WORD_BITS


def _round_up(value: int, alignment: int) -> int:
    return -(-value // alignment) * alignment
