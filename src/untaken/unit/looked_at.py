"""What tests look at: the result, and what the project's own functions say of an object."""

from __future__ import annotations

from dataclasses import replace

from untaken.unit.options import UnitOptions
from untaken.unit.probe import Module
from untaken.unit.shape import NAME, Getter, Scalar, Variable
from untaken.unit.shaping import Shaper, TooLarge
from untaken.unit.types import CVoid, RecordPlace, Signature

MOST_RESULT = 200  # parts of what a result leads to


def result_variable(module: Module, signature: Signature, options: UnitOptions) -> Variable | None:
    """None for void, and for what no test can declare."""
    table = module.types.table
    own = table.unqualified(signature.result)
    if isinstance(table.plain(own), CVoid) or table.nameless(own):
        return None
    # What is returned is looked at, not built: one pointer is followed, if what it leads to is not large.
    looked_at = replace(options, arrays={}, makers={}, reached_members=None)
    try:
        found = Shaper(table, looked_at, (), depth=1, most_nodes=MOST_RESULT).variable("result", own)
    except TooLarge:
        found = Shaper(table, looked_at, (), depth=0).variable("result", own)
    shape = found.shape
    if isinstance(shape, Scalar):
        shape = replace(shape, named=options.numbers.returned_by(options.function))
    return with_getters(Variable("result", table.declaration(own, NAME), shape), module, own, options)


def with_getters(variable: Variable, module: Module, reference: str, options: UnitOptions) -> Variable:
    """With the functions that say something of what it is, or leads to; what is tested is none of them."""
    table = module.types.table
    place = table.record_place(reference)
    if place is None:
        return variable
    found = []
    looked_at = replace(options, arrays={}, makers={})
    for pointers in range(min(1, place.pointers) + 1):
        for name in options.getters.get(RecordPlace(place.record, pointers), ()):
            signature = module.signature(name)
            if signature is not None and name != options.function:
                said = Shaper(table, looked_at, (), depth=0).variable(name, signature.result)
                found.append(Getter(name, said, pointers))
    return replace(variable, getters=tuple(found), pointers=place.pointers)
