"""Whether a test is one that a caller could write: its objects made by the project, or plain data."""

from __future__ import annotations

from untaken.unit.export.values import Address, DrawnValue, Given, MadeBy
from untaken.unit.shape import Fields, Made, MadeValue, Null, Objects, Real, Scalar, ScalarBlock, Shape, UnitPlan, Zero


def fills_freely(plan: UnitPlan, given: Given) -> bool:
    """Whether the driver filled structs that have pointers in them, or left out what it cannot build."""
    variables = (*plan.parameters, *plan.globals)
    return bool(plan.globals) or any(_is_free(each.shape, given.variables[each.name]) for each in variables)


def _is_free(shape: Shape, value: DrawnValue) -> bool:
    match shape, value:
        case ((Made(makers=makers) | MadeValue(makers=makers)), MadeBy(maker=maker)):
            return maker >= len(makers)
        case Null() | Zero(), _:
            return True
        case Objects(element=Fields(members=members)), Address():
            return any(not isinstance(member, Scalar | Real | ScalarBlock) for _, member in members)
        case Fields(members=members), tuple():
            return any(_is_free(member, item) for (_, member), item in zip(members, value, strict=True))
        case _:
            return False
