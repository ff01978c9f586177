"""When runs of a program that asks for input without end are to have more inputs.

Such runs are cut after so many inputs. What lies beyond is wanted when runs are cut and, for a while, cover nothing
new: then the limit is doubled. Each time that takes twice as many runs, for longer runs are slower. It depends on
counts only, so the same seed gives the same tests.
"""

from __future__ import annotations

from collections.abc import Callable

_PATIENCE = 128  # runs that covered nothing new, before the first time
_CUT_SHARE = 0.5  # of these runs ended at the limit, at least


class InputLimit:
    """Watches runs, and asks for more inputs in each when they seem to be needed.

    `raise_limit` says whether it did so: the user may have given a limit, or it is as high as it goes.
    """

    def __init__(self, raise_limit: Callable[[], bool]) -> None:
        self._raise_limit = raise_limit
        self._patience = _PATIENCE
        self._stale = self._cut = 0

    def saw(self, *, was_cut: bool, is_new: bool, is_done: bool) -> None:
        """A run from the program's start ended at the limit or not, and covered something new or not; `is_done`:
        nothing is left to cover."""
        if is_new:
            self._stale = self._cut = 0
        else:
            self.saw_in_vain(1, int(was_cut), is_done=is_done)

    def saw_in_vain(self, runs: int, cut: int, *, is_done: bool) -> None:
        """So many runs covered nothing new, and some of them ended at the limit."""
        if is_done:
            self._stale = self._cut = 0
            return
        self._stale += runs
        self._cut += cut
        if self._stale >= self._patience:
            self._consider()

    def _consider(self) -> None:
        if self._cut >= _CUT_SHARE * self._stale and self._raise_limit():
            self._patience *= 2
        self._stale = self._cut = 0
