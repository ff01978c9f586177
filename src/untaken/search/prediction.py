"""Did a run go where the solver's answer should have led it?"""

from __future__ import annotations

import numpy as np

from untaken.model.path import ConstraintKind, Path

_BRANCH = ConstraintKind.BRANCH
_COLUMNS = ("id", "taken", "kind")


def held(path: Path, index: int, new: Path) -> bool:
    """True if `new` passes the same branches and constraints as `path` before constraint `index`, and there goes
    the other way.

    Events are compared too, so that a concrete branch that changed its mind counts as a divergence.
    """
    if len(new.constraints) <= index:
        return False
    node, branch, position, kind, taken, _ = path.constraints[index].item()
    new_node, new_branch, new_position, new_kind, new_taken, _ = new.constraints[index].item()
    # A library's decision may have many outcomes (where a line ends, say): each is a condition of its own.
    turned = branch ^ 1 == new_branch if kind == _BRANCH else (node, taken) != (new_node, new_taken)
    return (
        turned
        and kind == new_kind
        and position == new_position
        and path.events[:position].tobytes() == new.events[:position].tobytes()
        and _same_constraints(path, new, index)
    )


def _same_constraints(path: Path, new: Path, count: int) -> bool:
    """Nodes may differ, since the table of expressions may have been renewed between the runs; mostly they do not,
    and then all bytes are equal."""
    old, now = path.constraints[:count], new.constraints[:count]
    return old.tobytes() == now.tobytes() or all(np.array_equal(old[column], now[column]) for column in _COLUMNS)
