"""Delta debugging: what is left is good, and no part of it can be left out."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as some

from untaken.campaign.minimise import Pieces, shortest


@settings(max_examples=60, deadline=None)
@given(some.lists(some.binary(min_size=1, max_size=2), max_size=40), some.data())
def test_what_is_needed_stays_and_nothing_else(given_pieces: list[bytes], data: some.DataObject) -> None:
    pieces = tuple(bytes([place]) + piece for place, piece in enumerate(given_pieces))
    needed = set(data.draw(some.sets(some.sampled_from(pieces)))) if pieces else set()

    def good(candidate: Pieces) -> bool:
        return needed <= set(candidate)

    assert shortest(pieces, good) == tuple(piece for piece in pieces if piece in needed)
