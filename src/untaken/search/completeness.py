"""What a path says about all the others: whether its constraints tell which inputs take it."""

from __future__ import annotations

from untaken.model.path import ConstraintKind, ExitKind, Path

_CUT_SHORT = (ExitKind.TIMEOUT, ExitKind.MEMORY, ExitKind.INPUTS)
_ASSUMPTION = ExitKind.ASSUME
# numpy takes plain numbers far faster than members of an enumeration.
_PIN, _LIBRARY = int(ConstraintKind.PIN), int(ConstraintKind.LIBRARY)


def is_whole(path: Path) -> bool:
    """True if the constraints say everything about which inputs take this path, and about which do not.

    A library's decision does not: it may come out in more than two ways (where a line ends, say), and taking it the
    other way once is not taking it all other ways.
    """
    return bool(
        not path.cut_off and not any(path.concretised) and path.exit.kind not in _CUT_SHORT and not _undecided(path)
    )


def _undecided(path: Path) -> bool:
    kinds = path.constraints["kind"][:-1] if path.exit.kind is _ASSUMPTION else path.constraints["kind"]
    return bool(((kinds == _PIN) | (kinds == _LIBRARY)).any())
