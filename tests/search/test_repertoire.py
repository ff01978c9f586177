"""What hybrid search gives a program again."""

from __future__ import annotations

from random import Random

import numpy as np

from untaken.model.path import CONSTRAINT_DTYPE, Exit, ExitKind, Path
from untaken.search.repertoire import Repertoire, phrase_of


def path(input: bytes, used: int, kind: ExitKind = ExitKind.INPUTS) -> Path:
    return Path(input, np.zeros(0, np.uint32), np.zeros(0, CONSTRAINT_DTYPE), Exit(kind), input_used=used)


def test_a_phrase_is_what_the_run_took_in() -> None:
    assert phrase_of(path(b"abcdef", 4)) == b"abcd"
    assert phrase_of(path(b"ab", 4)) == b"ab\0\0", "past its end the input reads as zeros"
    assert phrase_of(path(b"quit", 4, ExitKind.CODE)) == b"", "what ends the program leads nowhere"


def test_a_medley_is_made_of_whole_phrases_and_repeats_with_the_seed() -> None:
    def medleys() -> list[bytes]:
        repertoire = Repertoire(Random(5))
        assert repertoire.medley(9) == b""
        for phrase in (b"<ab>", b"<c>", b"<quit>"):
            repertoire.add(path(phrase, len(phrase), ExitKind.CODE if b"quit" in phrase else ExitKind.INPUTS))
        return [repertoire.medley(6) for _ in range(50)]

    made = medleys()
    assert made == medleys()
    assert {part for medley in made for part in medley.split(b">")} == {b"", b"<ab", b"<c"}
    assert {medley.count(b">") for medley in made} == set(range(7))
