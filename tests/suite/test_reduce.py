"""What is left of a test is good, and no part of it can be left out."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as some

from untaken.suite.reduce import Pieces, shortest, smallest_cover, with_simpler


@settings(max_examples=60, deadline=None)
@given(some.lists(some.binary(min_size=1, max_size=2), max_size=40), some.data())
def test_what_is_needed_stays_and_nothing_else(given_pieces: list[bytes], data: some.DataObject) -> None:
    pieces = tuple(bytes([place]) + piece for place, piece in enumerate(given_pieces))
    needed = set(data.draw(some.sets(some.sampled_from(pieces)))) if pieces else set()

    def good(candidate: Pieces[bytes]) -> bool:
        return needed <= set(candidate)

    assert shortest(pieces, good) == tuple(piece for piece in pieces if piece in needed)


def test_the_simplest_value_that_will_do_is_taken() -> None:
    assert with_simpler(b"abc", 1, [b"\0", b"x", b"y"], lambda data: data[1] != 0) == b"axc"
    assert with_simpler(b"abc", 1, [b"\0"], lambda data: False) is None
    assert with_simpler(b"abc", 1, [b"b"], lambda data: False) == b"abc"  # nothing changes, nothing is asked


@given(some.lists(some.frozensets(some.integers(0, 12)), min_size=1, max_size=8))
def test_a_cover_covers_all(sets: list[frozenset[int]]) -> None:
    chosen = smallest_cover(sets)
    assert chosen and chosen == sorted(chosen)
    assert frozenset().union(*(sets[place] for place in chosen)) == frozenset().union(*sets)
