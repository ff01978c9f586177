"""Random testing: the program is run on random inputs and nothing is solved. What every other search must beat."""

from __future__ import annotations

from untaken.search.attempts import Steps
from untaken.search.declaration import declares
from untaken.search.view import SearchView


@declares(flips=False)
def random_input(search: SearchView, *, structured: float = 0.0) -> Steps:
    """Runs random inputs, each byte uniform; solves nothing.

    `structured` is the share of inputs that are made of bytes that programs like to compare with.
    """
    yield search.initial()
    while True:
        yield search.run(search.inputs.mixed(structured))
