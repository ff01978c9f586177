"""Runs that need not be made again, and whether one took a path of its own.

Strategies side by side come back to the same questions, from other starts and after each new beginning. The same
question has the same answer, and the same input the same path. So if a strategy wants that, what the program did on an
input is remembered as long as memory lasts, and told without a run. Programs that do not always do the same get another
chance: after some answers from memory in a row the program is run. So a strategy that asks for nothing else still comes
to its end.

Other inputs may take a path that is known, too. Such a run brings nothing, and who asks for many of them is at its end
(search/strategies/auto.py).
"""

from __future__ import annotations

from hashlib import blake2b

from untaken.model.path import ExitKind, Path
from untaken.search.knowledge.path_cache import RecentPaths

_BYTES = 32 << 20
_MOST_IN_A_ROW = 20
_MOST_PATHS = 1_000_000  # that are told apart; then they are forgotten
_ENDED = frozenset((ExitKind.CODE, ExitKind.SIGNAL, ExitKind.ASSUME, ExitKind.ERROR))


class KnownRuns:
    """The runs from the program's start: what each input did, and which paths there were."""

    def __init__(self) -> None:
        self.wanted = False  # whether runs are remembered
        self._by_input: RecentPaths[bytes] = RecentPaths(_BYTES)
        self._in_a_row = 0
        self._paths: set[int] = set()

    def path_of(self, input: bytes) -> Path | None:
        """What the program did on this input; None: it has to be run."""
        path = self._by_input.get(input) if self._in_a_row < _MOST_IN_A_ROW else None
        self._in_a_row = 0 if path is None else self._in_a_row + 1
        return path

    def add(self, input: bytes, path: Path) -> bool:
        """A run was made on this input; whether no other is known to have taken its path.

        One that was stopped is not remembered: it may go on for longer the next time.
        """
        if not self.wanted:
            return True
        if path.exit.kind in _ENDED and not path.cut_off and not path.lost:
            self._by_input.put(input, path)
        key = int.from_bytes(blake2b(path.constraint_bytes, digest_size=8).digest(), "little")
        if key in self._paths:
            return False
        if len(self._paths) >= _MOST_PATHS:
            self._paths.clear()
        self._paths.add(key)
        return True
