"""Features 1 to 12: what a branch is in the source. Computed once for a program.

A decision inside a library function is no branch of the source: it is told by the event before it, takes from there
the function, the loop and the nesting, and counts as one on the result of an external function.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from untaken.model.program import Branch, BranchKind, Operand, ProgramMap

StaticFeature = Callable[[ProgramMap, Branch], bool]


def in_main(program: ProgramMap, branch: Branch) -> bool:
    """The branch is in the function `main`."""
    return program.functions[branch.function].name == "main"


def loop_true(program: ProgramMap, branch: Branch) -> bool:
    """The true branch of a loop: it goes on."""
    return branch.kind is BranchKind.LOOP and branch.side


def loop_false(program: ProgramMap, branch: Branch) -> bool:
    """The false branch of a loop: it ends."""
    return branch.kind is BranchKind.LOOP and not branch.side


def nested(program: ProgramMap, branch: Branch) -> bool:
    """The branch is inside another conditional."""
    return branch.nested


def external_call(program: ProgramMap, branch: Branch) -> bool:
    """Compares the result of an external function."""
    return Operand.EXTERNAL_CALL in branch.operands


def integer_constant(program: ProgramMap, branch: Branch) -> bool:
    """Compares with an integer constant."""
    return Operand.INTEGER_CONSTANT in branch.operands


def character_constant(program: ProgramMap, branch: Branch) -> bool:
    """Compares with a constant that may be a character: 0 to 127."""
    return Operand.CHARACTER_CONSTANT in branch.operands


def pointer_access(program: ProgramMap, branch: Branch) -> bool:
    """Compares what is read through a pointer."""
    return Operand.POINTER_ACCESS in branch.operands


def local_variable(program: ProgramMap, branch: Branch) -> bool:
    """The branch compares a local variable."""
    return Operand.LOCAL_VARIABLE in branch.operands


def in_loop(program: ProgramMap, branch: Branch) -> bool:
    """Inside the body of a loop."""
    return branch.in_loop


def case_true(program: ProgramMap, branch: Branch) -> bool:
    """The true branch of a `case`."""
    return branch.kind is BranchKind.CASE and branch.side


def case_false(program: ProgramMap, branch: Branch) -> bool:
    """The false branch of a `case`."""
    return branch.kind is BranchKind.CASE and not branch.side


def static_table(program: ProgramMap, features: tuple[StaticFeature, ...]) -> NDArray[np.bool_]:
    """One row a feature, one column a place: branches by id, then decisions of libraries by the event before them."""
    table = np.zeros((len(features), 2 * program.id_count), np.bool_)
    columns: dict[tuple[object, ...], list[bool]] = {}  # branches that are alike have the same features
    for branch in program:
        library = replace(branch, kind=BranchKind.IF, operands=frozenset({Operand.EXTERNAL_CALL}))
        for place, described in ((branch.id, branch), (program.id_count + branch.id, library)):
            kind = _likeness(described)
            if kind not in columns:
                columns[kind] = [feature(program, described) for feature in features]
            table[:, place] = columns[kind]
    return table


def _likeness(branch: Branch) -> tuple[object, ...]:
    return branch.function, branch.kind, branch.side, branch.in_loop, branch.nested, branch.operands
