"""What a number is for, where its name or its use tells: an index, or a descriptor of a file."""

from __future__ import annotations

import re
from dataclasses import replace

from untaken.unit.shape import Objects, Scalar, Shape

DESCRIPTOR = re.compile(r"(^|_)(fd|fildes|filedes|descriptor|sock|socket|sockfd)(_|\d|$)", re.IGNORECASE)


def as_index(shape: Shape) -> Shape:
    """A number that is used as an index; nothing else can be one."""
    plain = isinstance(shape, Scalar) and shape.bits is None and shape.draw not in ("bool", "char")
    return replace(shape, index=True) if isinstance(shape, Scalar) and plain and not shape.enumerators else shape


def with_indices(shape: Shape) -> Shape:
    """What a pointer leads to, whose elements are used as an index."""
    return replace(shape, element=as_index(shape.element)) if isinstance(shape, Objects) else shape


def as_descriptor(name: str, shape: Shape) -> Shape:
    """A number that is called as descriptors of files are may be that of standard input."""
    if isinstance(shape, Scalar) and shape.draw == "int" and DESCRIPTOR.search(name):
        return replace(shape, descriptor=True)
    return shape
