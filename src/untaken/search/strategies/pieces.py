"""Pieces, our own: inputs made of pieces of inputs that the program took, without a grammar.

A parser that is written by hand shows its grammar as it runs: a call of a function, or a round of a loop, takes one
stretch of the input, and another stretch that the same function took may stand in its place (search/pieces/spans.py).
So pieces of all runs are kept, and put together anew: exchanged for others of their kind, also of the same input (a
name that was given a value stands where another is looked up), put in beside them where there may be several, left out;
and put in where the program gave up in the middle of one (search/pieces/variants.py).

What no run has shown yet is asked for in between: at the place where a run came furthest, what else would have been
taken there (search/pieces/alternatives.py). Runs that came of that go on with theirs first, so that a word is followed
by its bracket, and that by what may be in it.

Kin: AUTOGRAM and Mimid mine a grammar from such runs and fuzz with it. Here nothing is made of the pieces but inputs.
"""

from __future__ import annotations

from untaken.model.path import Path
from untaken.search.attempts import Count, Outcome, Part, Steps, Verdict
from untaken.search.pieces.alternatives import Alternatives, OpenPath
from untaken.search.pieces.variants import Variants
from untaken.search.view import SearchView

_MOST_PATHS = 50  # whose alternatives wait


def pieces(search: SearchView, *, tries: Count = 2) -> Steps:
    """Makes inputs of pieces of other inputs, where the program took them for the same thing.

    In between, decisions about a place of the input are made otherwise, each up to `tries` times.
    """
    analyses = search.analyses
    alternatives = Alternatives(analyses.stock.finder, analyses.frames, tries)
    variants = Variants(analyses.stock, search.rng)
    path: Path = yield search.initial()
    open_paths = [alternatives.of(path)]
    while True:
        yield from _decide_otherwise(search, alternatives, open_paths)
        made = variants.next()
        path = yield search.run(search.inputs.mixed(0.5) if made is None else made.input)
        open_paths.append(alternatives.of(path))
        del open_paths[:-_MOST_PATHS]


def _decide_otherwise(search: SearchView, alternatives: Alternatives, open_paths: list[OpenPath]) -> Part[None]:
    """Takes one alternative, of the newest path that has any left."""
    while open_paths:
        path = open_paths[-1].path
        index = alternatives.next(open_paths[-1])
        if index is not None:
            outcome: Outcome = yield search.force(path, index)
            found = outcome.path
            if outcome.verdict is Verdict.INFEASIBLE:
                found = yield search.guess(path, index)  # what came before may well follow
            if found is not None:
                search.analyses.stock.take(found)
                open_paths.append(alternatives.of(found))
            return
        open_paths.pop()
