"""Gives the program the words that it compares its input with; random testing where it asks for none.

No paper's: fuzzers call it a dictionary, or input-to-state correspondence. Here labels tell which input bytes a word
was compared with, so that it is put in there and nowhere else.
"""

from __future__ import annotations

from untaken.search.attempts import Steps
from untaken.search.declaration import declares
from untaken.search.view import SearchView


@declares(flips=False, asks_for_words=True)
def words(search: SearchView, *, random: float = 0.25) -> Steps:
    """Puts words that the program compares with its input there; random inputs between, a share of `random`."""
    search.words.wanted = True
    yield search.initial()
    while True:
        wanted = None if search.rng.random() < random else search.words.next(search.rng)
        yield search.run(search.inputs.mixed(0.5) if wanted is None else wanted)
