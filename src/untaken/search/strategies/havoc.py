"""Havoc, after AFL: inputs that covered something are changed at random, thousands a second, and nothing is solved.

What a solver cannot help with is decided by chance: counts that must add up before the program goes on, tables that are
filled by the input and looked up much later, conditions that no constraint reaches. One change in a thousand may do,
and to run the program without expressions and without reading its path costs a fraction of what a flip does. So many
inputs are run at once, and of them only those are looked at that pass what none has passed. From there the strategies
that solve go on.

As in AFL later finds are preferred, since what they reach was not looked at for long.
"""

from __future__ import annotations

from untaken.search.attempts import Count, Steps
from untaken.search.declaration import declares
from untaken.search.mutations import Mutations
from untaken.search.view import SearchView

_FEW = 2  # inputs of the first burst: a short campaign has no executions to spare
_GROWTH = 100  # executions after which there is one more


@declares(flips=False, asks_for_words=True)
def havoc(search: SearchView, *, burst: Count = 32) -> Steps:
    """Changes inputs that covered something at random, and looks only at what is new.

    In the course of the campaign up to `burst` of them are run at once.
    """
    search.words.wanted = True
    yield search.initial()
    corpus, rng = search.corpus, search.rng
    mutations = Mutations(rng, corpus.inputs)
    while corpus.inputs:
        mutations.words = list(search.words.texts)
        size = min(burst, _FEW + search.tally.iterations // _GROWTH)
        bases = [max(rng.randrange(len(corpus.inputs)), rng.randrange(len(corpus.inputs))) for _ in range(size)]
        yield search.burst([mutations.of(corpus.inputs[base], corpus.fields[base]) for base in bases])
    return None
