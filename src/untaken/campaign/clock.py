"""The time of a campaign: when its search began, how long it may go on, until when findings are confirmed."""

from __future__ import annotations

import time

GRACE_SECONDS = 0.1  # after the limit: what is about to end by itself need not be torn off
CONFIRMING_SECONDS = 0.6  # after the limit, for what was found right before it
MINIMISING = 0.1  # of the time, if tests are to be shortened
CLOSING_A_BRANCH = 15e-6  # seconds that summary and report take for each branch of the program
MOST_CLOSING = 0.1  # of the time, that is kept for them


class CampaignClock:
    """Runs from when it is made, or told to `begin`, to `stop`. `limit` is what the user gave the campaign, in seconds;
    None: no limit."""

    def __init__(self, limit: float | None, *, minimise: bool, branches: int) -> None:
        """A large program of so many `branches` takes a while to be summed up in the end."""
        self.limit = limit
        self._closing = CLOSING_A_BRANCH * branches
        self._minimise = minimise
        self._begun = time.monotonic()
        self._ended: float | None = None

    def begin(self) -> None:
        """The search begins only now: what it needs had to be started."""
        self._begun = time.monotonic()

    def stop(self) -> None:
        """Ends the time of the search: what comes after it does not count."""
        self._ended = time.monotonic()

    @property
    def seconds(self) -> float:
        """Of the search, so far or in all."""
        return (self._ended or time.monotonic()) - self._begun

    @property
    def work_limit(self) -> float | None:
        """Of the time that is given, all but what summing up takes."""
        return None if self.limit is None else self.limit - min(self._closing, MOST_CLOSING * self.limit)

    @property
    def search_limit(self) -> float | None:
        """Of that, what the search may have: the rest is for shortening tests."""
        limit = self.work_limit
        return limit * (1 - MINIMISING) if limit is not None and self._minimise else limit

    def left(self, limit: float | None) -> float | None:
        """How long until what is under way is torn off, so many seconds after the beginning."""
        return None if limit is None else self._begun + limit + GRACE_SECONDS - time.monotonic()

    def last_moment(self, *, stopped: bool) -> float | None:
        """Until when findings may still be confirmed, once the search is over; None: however long that takes."""
        now = time.monotonic()
        if stopped:
            return now + CONFIRMING_SECONDS
        return None if self.limit is None else max(now, self._begun + self.limit) + CONFIRMING_SECONDS
