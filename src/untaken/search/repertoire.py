"""What a program was found to understand (hybrid search): inputs that covered something, to be given again elsewhere.

Few random inputs mean anything to a program with a language of its own. What a search found in one state does, and in
another state it may do something new; trying that costs no symbolic work.
"""

from __future__ import annotations

from random import Random

from untaken.model.path import ExitKind, Path


class Repertoire:
    """Phrases: the inputs of runs from snapshots that were the first to cover a branch."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._phrases: list[bytes] = []

    def add(self, path: Path) -> None:
        """Remember the inputs of this run, unless they ended the program."""
        if phrase := phrase_of(path):
            self._phrases.append(phrase)

    def medley(self, most: int) -> bytes:
        """Up to so many phrases, one after the other."""
        if not self._phrases:
            return b""
        return b"".join(self._rng.choices(self._phrases, k=self._rng.randint(0, most)))


def phrase_of(path: Path) -> bytes:
    """What a run from a snapshot took in until it was stopped; nothing if it ended by itself."""
    if path.exit.kind is not ExitKind.INPUTS:
        return b""
    return path.input[: path.input_used].ljust(path.input_used, b"\0")
