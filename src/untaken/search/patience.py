"""How long a strategy may ask in vain before it is started again, so that no campaign hangs."""

from __future__ import annotations

_MOST_ATTEMPTS_WITHOUT_RUN = 1_000_000  # a strategy of ours never asks so often
_MOST_PRUNED_WITHOUT_RUN = 2_000


class Patience:
    """Counts attempts since the program last ran."""

    def __init__(self) -> None:
        self._runs = self._attempts = self._pruned = 0

    def is_over(self, runs: int, pruned: int) -> bool:
        """One more attempt was made. There were so many runs and pruned flips in all."""
        if runs != self._runs:
            self._runs, self._attempts, self._pruned = runs, 0, pruned
            return False
        self._attempts += 1
        return self._attempts > _MOST_ATTEMPTS_WITHOUT_RUN or pruned - self._pruned > _MOST_PRUNED_WITHOUT_RUN
