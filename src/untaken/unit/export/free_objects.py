"""Whether a test is one that a caller could write: its objects made by the project, or plain data."""

from __future__ import annotations

from functools import reduce
from operator import or_

from untaken.unit.export.values import Address, Chosen, DrawnValue, Given, MadeBy, Same
from untaken.unit.shape import (
    ERRNO,
    Buffer,
    Callback,
    Fields,
    Made,
    MadeValue,
    MakerCall,
    Null,
    Objects,
    Real,
    Related,
    Scalar,
    ScalarBlock,
    Shape,
    Text,
    UnitPlan,
    Zero,
)

LARGE = 1 << 20


def fills_freely(plan: UnitPlan, given: Given) -> bool:
    """Whether the driver filled structs that have pointers in them, did not know what a void pointer must lead to, or
    left out what it cannot build; gave an enum a value that has no name, or a parameter one that the function takes for
    granted not to get; called a static function first; or answered for functions of which it knows only the types."""
    variables = (*plan.parameters, *plan.globals)
    answered = any(each.result is not None or each.outputs for calls in given.calls.values() for each in calls)
    hidden = given.before is not None and not given.before.exported
    doubtful = answered or hidden or given.broken or any(variable.name != ERRNO for variable in plan.globals)
    return doubtful or any(_is_free(each.shape, given.variables[each.name]) for each in variables)


def asks_for_much(given: Given) -> bool:
    """Whether a number is so large that what takes so long, or so much memory, does what it was asked for."""
    return any(map(_has_large, given.variables.values()))


def _has_large(value: DrawnValue) -> bool:
    match value:
        case int():
            return abs(value) >= LARGE
        case Chosen(value=inner):
            return _has_large(inner)
        case Address(content=tuple() as items) | (tuple() as items):
            return any(map(_has_large, items))
        case MadeBy(arguments=arguments, then=then):
            return any(map(_has_large, (*arguments, *(each for _, more in then for each in more))))
        case _:
            return False


def _is_no_enumerator(shape: Scalar, number: int) -> bool:
    """Whether an enum has a value without a name, that is no sum of flags either. Those in a row are no flags."""
    values = {value for _, value in shape.enumerators}
    if not values or number in values:
        return False
    in_a_row = max(values) - min(values) < len(values)
    flags = reduce(or_, (value for value in values if value > 0), 0)
    return in_a_row or number < 0 or bool(number & ~flags)


def _is_free(shape: Shape, value: DrawnValue) -> bool:
    match shape, value:
        case Scalar(), int():
            return _is_no_enumerator(shape, value)
        case ((Made() | MadeValue()), MadeBy()):
            return (
                value.maker >= len(shape.makers)
                or _takes_free(shape.makers[value.maker], value.arguments)
                or (
                    isinstance(shape, Made)
                    and any(_changes_freely(shape.setters[number], more) for number, more in value.then)
                )
            )
        case Related(), Same(member=member):
            return not member  # the same object twice
        case Related(otherwise=otherwise), _:
            return _is_free(otherwise, value)
        case Null(meant=meant), _:
            return not meant
        case Zero(), _:
            return True
        case Buffer(counted=False), Address():
            return True
        case Objects(element=Made() | Objects() | Text() | Buffer() | Callback(), ended=False), Address(
            content=(None,)
        ):
            return True  # a pointer to a pointer to nothing
        case Objects(element=Fields(members=members)), Address():
            return any(not isinstance(member, Scalar | Real | ScalarBlock) for _, member in members)
        case Objects(element=element), Address(content=tuple() as items):
            return any(_is_free(element, item) for item in items)
        case Fields(members=members), tuple():
            return any(_is_free(member, item) for (_, member), item in zip(members, value, strict=True))
        case _:
            return False


def _changes_freely(call: MakerCall, arguments: tuple[DrawnValue, ...]) -> bool:
    return call.is_assignment or _takes_free(call, arguments)


def _takes_free(call: MakerCall, arguments: tuple[DrawnValue, ...]) -> bool:
    return any(_is_free(each.shape, value) for each, value in zip(call.parameters, arguments, strict=True))
