"""How large a shape is: in bytes, in parts; and whether its bits may have any value."""

from __future__ import annotations

from untaken.unit.shape import ArrayShape, Fields, Objects, Scalar, ScalarBlock, Shape


def is_plain(shape: Shape) -> bool:
    """Bits that may have any value, so that each member of a union can be read from another."""
    match shape:
        case Scalar(draw=draw, strict=strict):
            return draw != "bool" and not strict
        case ScalarBlock():
            return True
        case ArrayShape(element=element):
            return is_plain(element)
        case Fields(members=members):
            return all(is_plain(member) for _, member in members)
        case _:
            return False


def size_of(shape: Shape) -> int:
    """Bytes that are drawn for a plain shape."""
    match shape:
        case Scalar(size=size):
            return size
        case ScalarBlock(element, count) | ArrayShape(element, count):
            return count * size_of(element)
        case Fields(members=members):
            return sum(size_of(member) for _, member in members)
        case _:
            return 0


def nodes_of(shape: Shape) -> int:
    """How many parts a shape has."""
    match shape:
        case ArrayShape(element, count):
            return 1 + count * nodes_of(element)
        case Objects(element=element, count=count):
            return 1 + (count or 1) * nodes_of(element)
        case Fields(members=members):
            return 1 + sum(nodes_of(member) for _, member in members)
        case _:
            return 1
