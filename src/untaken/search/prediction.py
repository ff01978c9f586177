"""Did a run go where the solver's answer should have led it?"""

from __future__ import annotations

import numpy as np

from untaken.model.path import ConstraintKind, Path


def held(path: Path, index: int, new: Path) -> bool:
    """True if `new` passes the same branches and constraints as `path` before constraint `index`, and there goes
    the other way.

    Events are compared too, so that a concrete branch that changed its mind counts as a divergence. Nodes are not:
    the table of expressions may have been renewed between the two runs.
    """
    return len(new) > index and _same_prefix(path, index, new) and _other_side(path, index, new)


def _same_prefix(path: Path, index: int, new: Path) -> bool:
    old, now = path.constraints[:index], new.constraints[:index]
    position = int(path.constraints["position"][index])
    return (
        int(new.constraints["position"][index]) == position
        and np.array_equal(path.events[:position], new.events[:position])
        and all(np.array_equal(old[column], now[column]) for column in ("id", "taken", "kind"))
    )


def _other_side(path: Path, index: int, new: Path) -> bool:
    old, now = path.constraints[index], new.constraints[index]
    if old["kind"] != now["kind"]:
        return False
    if old["kind"] == ConstraintKind.BRANCH:
        return bool(old["id"] ^ 1 == now["id"])
    return bool(old["taken"] != now["taken"])
