"""What hybrid search gives a program again: phrases, their variations, and where searches begin."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest

from untaken.model.path import CONSTRAINT_DTYPE, Exit, ExitKind, Path
from untaken.search.strategies.hybrid.repertoire import Phrase, Repertoire, phrase_until, taken_by
from untaken.search.strategies.hybrid.variations import Units, varied

NONE_COVERED = np.zeros(100, np.bool_)
# Three input statements, of two bytes each; four events after each of them.
ASKED = ((2, 4), (4, 8))
EVENTS = np.arange(20, 32, dtype=np.uint32)


def path(input: bytes, used: int, kind: ExitKind = ExitKind.INPUTS, asked: tuple[tuple[int, int], ...] = ASKED) -> Path:
    return Path(input, EVENTS, np.zeros(0, CONSTRAINT_DTYPE), Exit(kind), input_used=used, asked=asked)


def phrase(*units: bytes) -> Phrase:
    return Phrase(units, EVENTS)


def repertoire(*found: Units) -> Repertoire:
    made = Repertoire(Random(5))
    for units in found:
        made.add(phrase(*units))
    return made


def test_a_phrase_is_what_the_run_took_in() -> None:
    assert taken_by(path(b"abcdefgh", 6)) == b"abcdef"
    assert taken_by(path(b"ab", 4, asked=())) == b"ab\0\0", "past its end the input reads as zeros"
    assert taken_by(path(b"quit", 4, ExitKind.CODE)) == b"", "what ends the program leads nowhere"


@pytest.mark.parametrize(
    ("events", "units", "passed"),
    [(1, (b"ab",), 4), (4, (b"ab",), 4), (5, (b"ab", b"cd"), 8), (9, (b"ab", b"cd", b"ef"), 12)],
)
def test_a_phrase_ends_where_the_program_asks_for_more(events: int, units: Units, passed: int) -> None:
    made = phrase_until(path(b"abcdef", 6), events)
    assert made is not None and made.units == units
    assert made.passed.tolist() == EVENTS[:passed].tolist()


def test_what_comes_before_the_end_of_the_program_is_a_phrase() -> None:
    ended = path(b"abquit", 6, ExitKind.CODE)
    before = phrase_until(ended, 2)
    assert before is not None and before.units == (b"ab",)
    assert phrase_until(ended, 10) is None


def test_a_phrase_is_understood_where_it_passes_much_the_same() -> None:
    known = Phrase((b"x",), EVENTS[:10])
    assert known.is_understood(path(b"", 0))
    assert not Phrase((b"x",), EVENTS[:10] + np.uint32(6)).is_understood(path(b"", 0))


def test_a_medley_is_made_of_phrases_and_repeats_with_the_seed() -> None:
    assert Repertoire(Random(5)).medley(9) == b""
    found = ((b"<", b"a", b"b", b">"), (b"<", b"c", b">"))
    first, second = repertoire(*found), repertoire(*found)
    made = [first.medley(30) for _ in range(200)]
    assert made == [second.medley(30) for _ in range(200)]
    assert b"" in made, "uniformly random inputs have their turn, too"
    assert any(b"<ab><c>" in medley for medley in made), "some are whole"
    assert any(b"aaaa" in medley for medley in made), "some are varied"


def test_a_search_begins_beside_what_is_uncovered() -> None:
    made = repertoire((b"a",), (b"b",))
    assert made.start(NONE_COVERED) is None, "nothing is known to be near"
    for goal, units in ((10, b"near"), (12, b"far")):
        made.note(phrase(units), [goal])
    chosen = [made.start(NONE_COVERED) for _ in range(100)]
    assert {start[1].units for start in chosen if start} == {(b"near",), (b"far",)}
    covered = NONE_COVERED.copy()
    covered[12] = True
    assert {start[1].units for start in (made.start(covered) for _ in range(20)) if start} == {(b"near",)}
    assert made.knows(10) and not made.knows(12)
    covered[10] = True
    assert made.start(covered) is None


def test_what_was_tried_often_is_tried_less() -> None:
    made = repertoire((b"a",))
    made.note(phrase(b"old"), [10])
    for _ in range(300):
        made.start(NONE_COVERED)
    made.note(phrase(b"new"), [12])
    counts = Counter(start[1].units[0] for start in (made.start(NONE_COVERED) for _ in range(40)) if start)
    assert counts[b"new"] > 4 * counts[b"old"]


def test_what_was_left_unfinished_is_gone_on_with_once() -> None:
    made = repertoire((b"a",))
    made.leave(phrase(b"un", b"finished"))
    made.note(phrase(b"x"), [10])
    inputs = [start[0] for start in (made.start(NONE_COVERED) for _ in range(50)) if start]
    assert inputs.count(b"unfinished") == 1


def test_variations_repeat_put_in_leave_out_exchange_and_alter() -> None:
    rng = Random(1)
    others = [(b"11", b"22", b"33")]
    made = {varied(rng, (b"aa", b"bb"), others, 8) for _ in range(3000)}
    expected: list[Units] = [
        (b"aa", b"bb"),
        (b"aa", b"aa", b"bb"),
        (b"aa", *[b"bb"] * 8),
        (b"aa", b"22", b"33", b"bb"),
        (b"aa", b"bb", b"11", b"22", b"33"),
        (b"aa", b"33"),
        (b"bb",),
    ]
    assert all(one in made for one in expected)
    assert any(len(one) == 2 and one[1] == b"bb" and one[0] != b"aa" and one[0][1:] == b"a" for one in made), "altered"
    assert all(unit for one in made for unit in one)


def test_no_variation_is_longer_than_it_may_be() -> None:
    rng = Random(2)
    for most in (2, 8, 128):
        longest = max(len(varied(rng, (b"a",), [(b"b",)], most)) for _ in range(2000))
        assert most <= longest <= (most + 2) * most**2
