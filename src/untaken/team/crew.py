"""The workers of a campaign as their owner sees them, wherever they run."""

from __future__ import annotations

from typing import Protocol

from untaken.team.messages import Dispatch, Message, Orders


class Crew(Protocol):
    """Leaving it ends all workers."""

    def start(self, orders: Orders) -> None:
        """One more worker; of its number there is no other any more."""
        ...

    def hear(self, seconds: float) -> list[tuple[int, Message]]:
        """What workers said, by number; waits so long for the first word."""
        ...

    def tell(self, number: int, news: Dispatch) -> None:
        """A worker that is gone does not hear it."""
        ...

    def stop(self) -> None:
        """All are to end at once, with a last report."""
        ...

    def close(self) -> None:
        """Nothing is left of them."""
        ...
