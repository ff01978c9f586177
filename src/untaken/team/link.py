"""A worker's line to the owner of its campaign."""

from __future__ import annotations

from multiprocessing.connection import Connection
from typing import Protocol

from untaken.interrupts import undisturbed
from untaken.team.messages import Dispatch, Message


class OwnerGone(BaseException):
    """Nobody is there any more who would write anything down. No error, so whatever handles errors lets it through."""


class Link(Protocol):
    """Both ways; OwnerGone if there is nobody at the other end."""

    def send(self, message: Message) -> None: ...

    def receive(self, seconds: float | None) -> Dispatch | None:
        """What the owner says, within so many seconds; None: however long it takes."""
        ...


class PipeLink:
    """To an owner on the same machine."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def send(self, message: Message) -> None:
        try:
            with undisturbed():  # half a message would be the end of all others
                self._connection.send(message)
        except OSError:
            raise OwnerGone from None

    def receive(self, seconds: float | None) -> Dispatch | None:
        try:
            if not self._connection.poll(seconds):
                return None
            with undisturbed():
                news: Dispatch = self._connection.recv()
                return news
        except (OSError, EOFError):
            raise OwnerGone from None
