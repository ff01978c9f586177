"""What a number is for, where its name or its use tells: an index, or a descriptor of a file."""

from __future__ import annotations

import re
from dataclasses import replace

from untaken.unit.shape import Objects, Scalar, Shape, Text
from untaken.unit.usual_arguments import Usual

MOST_USUAL = 8
DESCRIPTOR = re.compile(r"(^|_)(fd|fildes|filedes|descriptor|sock|socket|sockfd)(_|\d|$)", re.IGNORECASE)


def as_index(shape: Shape) -> Shape:
    """A number that is used as an index; nothing else can be one."""
    plain = isinstance(shape, Scalar) and shape.bits is None and shape.draw not in ("bool", "char")
    return replace(shape, index=True) if isinstance(shape, Scalar) and plain and not shape.enumerators else shape


def with_indices(shape: Shape) -> Shape:
    """What a pointer leads to, whose elements are used as an index."""
    return replace(shape, element=as_index(shape.element)) if isinstance(shape, Objects) else shape


def as_usual(shape: Shape, usual: Usual) -> Shape:
    """A number or text as callers pass it; of numbers also some that have names."""
    match shape:
        case Scalar(most=None, bits=None, descriptor=False, index=False) if shape.draw not in ("bool", "char"):
            fitting = tuple(number for number in usual.numbers if _fits(number, shape))
            named = tuple(number for _, number in (*shape.named, *shape.enumerators) if _fits(number, shape))
            numbers = tuple(dict.fromkeys((*fitting, *named)))[:MOST_USUAL]
            return replace(shape, usual=numbers, always=bool(fitting) and usual.always)
        case Text(words=words) if usual.texts:
            return replace(shape, words=tuple(dict.fromkeys((*usual.texts, *words))), always=usual.always)
    return shape


def _fits(number: int, shape: Scalar) -> bool:
    """Constants of printed IR have signs."""
    signed = not shape.draw.startswith("u")
    return -(1 << (8 * shape.size - 1)) <= number < 1 << (8 * shape.size - 1) if signed else number >= 0


def as_descriptor(name: str, shape: Shape) -> Shape:
    """A number that is called as descriptors of files are may be that of standard input."""
    if isinstance(shape, Scalar) and shape.draw == "int" and DESCRIPTOR.search(name):
        return replace(shape, descriptor=True)
    return shape
