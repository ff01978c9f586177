"""Did a run go where the solver's answer should have led it?"""

from __future__ import annotations

import numpy as np

from untaken.model.path import ConstraintKind, ExitKind, Path

_BRANCH, _OTHERS = ConstraintKind.BRANCH, (ConstraintKind.LIBRARY, ConstraintKind.BOUND)
# Of a constraint as four words, what has to be the same: not the node, and the rest follows from the events.
_TELLING = np.array([0, 0xFFFFFFFF, 0, 0xFFFF], np.uint32)  # id; kind and taken


def held(path: Path, index: int, new: Path) -> bool:
    """True if `new` passes the same branches and constraints as `path` before constraint `index`, and there goes
    the other way.

    Events are compared too, so that a concrete branch that changed its mind counts as a divergence.
    """
    node, branch, position, kind, taken, _ = path.constraint(index)
    if len(new.constraints) <= index:
        return kind in _OTHERS and _died_of_it(path, index, new)
    new_node, new_branch, new_position, new_kind, new_taken, _ = new.constraint(index)
    # A library's decision may have many outcomes (where a line ends, say): each is a condition of its own.
    turned = branch ^ 1 == new_branch if kind == _BRANCH else (node, taken) != (new_node, new_taken)
    if not turned or kind != new_kind or position != new_position:
        return False
    return _same_until(path, position, index, new)


def _same_until(path: Path, position: int, index: int, new: Path) -> bool:
    """In all events before that position, and all constraints before that one."""
    same_events, same_constraints = new.begins_as(path, position, index)
    return same_events and (same_constraints or _alike(path, new, index))


def _died_of_it(path: Path, index: int, new: Path) -> bool:
    """Whether the run ended there: a division by zero is decided before it is told, as is all since the last event."""
    told = len(new.constraints)
    untold = path.constraints["position"][told : index + 1]
    if new.exit.kind is not ExitKind.SIGNAL or not (untold == untold[-1]).all():
        return False
    return _same_until(path, int(untold[0]), told, new)


def _alike(path: Path, new: Path, count: int) -> bool:
    """Whether only the nodes of constraints differ: a pin names the value that it had, and the table of expressions may
    have been renewed between the runs."""
    old, now = (np.frombuffer(each.constraint_bytes, np.uint32, 4 * count) for each in (path, new))
    return not ((old ^ now).reshape(count, 4) & _TELLING).any()
