"""What a path says about all the others: whether its constraints tell which inputs take it."""

from __future__ import annotations

from untaken.model.path import ConstraintKind, ExitKind, Path
from untaken.search.doubts import OF_GAPS, Doubt

_CUT_SHORT = {
    ExitKind.TIMEOUT: Doubt.LATE,
    ExitKind.MEMORY: Doubt.MEMORY,
    ExitKind.INPUTS: Doubt.INPUTS,
    ExitKind.LENGTH: Doubt.LENGTH,
}
_ASSUMPTION = ExitKind.ASSUME
_USUAL_END = ExitKind.CODE
_PIN, _LIBRARY = int(ConstraintKind.PIN), int(ConstraintKind.LIBRARY)  # plain numbers are found faster
_PINNED, _DECIDED = Doubt.PINNED, Doubt.LIBRARY  # to find a member by its name takes longer


def add_doubts(path: Path, doubts: set[Doubt]) -> None:
    """Add the reasons why the constraints do not say all about which inputs take this path, and which do not.

    A library's decision does not: it may come out in more than two ways (where a line ends, say), and taking it the
    other way once is not taking it all other ways.
    """
    if path.cut_off:
        doubts.add(Doubt.CUT_OFF)
    if any(path.concretised):
        doubts.add(Doubt.CONCRETE)
    if path.exit.kind is not _USUAL_END and path.exit.kind in _CUT_SHORT:
        doubts.add(_CUT_SHORT[path.exit.kind])
    if path.lost:
        doubts.add(Doubt.LOST)
    if path.threads > 1:
        doubts.add(Doubt.THREADS)
    if path.gaps:
        doubts.update(doubt for gap, doubt in OF_GAPS.items() if gap & path.gaps)
    kinds = path.kinds[:-1] if path.exit.kind is _ASSUMPTION else path.kinds
    if _PIN in kinds:
        doubts.add(_PINNED)
    if _LIBRARY in kinds:
        doubts.add(_DECIDED)
