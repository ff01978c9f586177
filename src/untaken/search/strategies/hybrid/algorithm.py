"""Hybrid concolic testing (ICSE 2007), algorithm 2: random inputs go deep, a search from a snapshot goes wide.

    line 3      IMap = Random           search.wander: the program itself draws its inputs
    lines 4-16  until iter = theta-2    `saturation`: inputs in a row without a new branch
    line 18     snapshot(M)             the program waits where it is
    line 19     Concolic(l, M)          Neighbourhood.explore: bounded searches from there
    line 20     M = restore(); goto 3   it goes on from the snapshot, with the input found first

A goal is a branch; theta-1 and the end at a bug are the campaign's (--coverage, --first-finding). The search inside is
bounded twice: each of its runs ends after so many inputs, and it gives up after so many attempts. Where we differ:

- An input that was found but ends the program is kept as a test, and the run goes on without it: it is deep already.
- Where nothing is found, the run goes on along one of the paths that were tried: their inputs mean something to the
  program, which few random ones do.
- Before uniformly random inputs the program is given some that earlier searches found, and variations of them: see
  `Repertoire`. Nothing is cheaper than that, so a search begins only after some such stretches in a row without a new
  branch, and a run that begins again begins with them.
- A run ends after `longest` inputs, since many a reactive program never ends.

With `paper` there is none of that: see paper.py.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from untaken.model.stretch import Stretch
from untaken.search.attempts import Count, Steps, Wander
from untaken.search.declaration import Options, declares
from untaken.search.strategies.bfs import bfs
from untaken.search.strategies.cfg import cfg
from untaken.search.strategies.cgs import cgs
from untaken.search.strategies.dfs import dfs
from untaken.search.strategies.generational import generational
from untaken.search.strategies.hybrid.freshness import Freshness
from untaken.search.strategies.hybrid.neighbourhood import Neighbourhood
from untaken.search.strategies.hybrid.paper import Parameters, algorithm_2
from untaken.search.strategies.hybrid.phrases import Phrases
from untaken.search.strategies.hybrid.repertoire import Repertoire, taken_by
from untaken.search.strategies.random_branch import random_branch
from untaken.search.strategies.uniform import uniform
from untaken.search.view import SearchView

SATURATION = 1_000
INPUTS_PER_SEARCH = 4
_STRETCHES = 5  # on random inputs and in a row without a new branch, before the next search
_FRUITLESS = 20  # after so many in a row a search follows each, and half of the runs are on uniformly random inputs
_INSIDE: dict[str, Callable[[SearchView], Steps]] = {
    "dfs": partial(dfs, shuffle=True),
    "ordered": dfs,
    "bfs": bfs,
    "random-branch": random_branch,
    "uniform": uniform,
    "cfg": cfg,
    "cgs": cgs,
    "generational": generational,
}


def _refuses(options: Options) -> str | None:
    if options.get("inside", "dfs") not in _INSIDE:
        return f"has no search {options['inside']!r} inside; there are: {', '.join(_INSIDE)}"
    if options.get("paper") and {"inside", "longest"} & options.keys():
        return (
            "has no inside and no longest with paper: there it searches depth-first, and runs end when the program does"
        )
    return None


@declares(wanders=True, from_start=False, refuses=_refuses)
def hybrid(
    search: SearchView,
    *,
    saturation: Count = SATURATION,
    inputs_per_search: Count = INPUTS_PER_SEARCH,
    attempts: Count = 200,
    inside: str = "dfs",
    longest: Count = 5_000,
    paper: bool = False,
) -> Steps:
    """Random inputs until they find nothing new, then a bounded search from that state, and on from there.

    A search begins after `saturation` inputs without a new branch; its runs ask for so many `inputs_per_search`,
    and it ends after so many `attempts`. `inside` names its strategy. After `longest` inputs the program is started
    again. `paper` is the paper's algorithm to the letter.
    """
    if paper:
        return (yield from algorithm_2(search, Parameters(saturation, inputs_per_search, attempts)))

    def wander(snapshot: int = 0, input: bytes = b"", left: int = longest, stale: int = saturation) -> Wander:
        return Wander(search.rng.getrandbits(64), stale, left, inputs_per_search, snapshot, input)

    repertoire = Repertoire(search.rng)
    neighbourhood = Neighbourhood(_INSIDE[inside], attempts, Phrases(repertoire, Freshness(search.rng)))
    in_vain = waited = _STRETCHES  # stretches since the last new branch on random inputs, and since the last search
    while True:
        fruitful = bool(repertoire) and in_vain < _FRUITLESS
        most = saturation if fruitful or search.rng.random() < 0.5 else 0
        stretch: Stretch = yield wander(stale=1 if fruitful else saturation)
        while stretch.snapshot and stretch.statements < longest:
            given = b""
            if waited >= _STRETCHES or in_vain >= _FRUITLESS:
                found = yield from neighbourhood.explore(search.within(stretch.snapshot))
                given = b"" if found is None else taken_by(found)
                waited = 0
            given += repertoire.medley(most)
            stretch = yield wander(stretch.snapshot, given, longest - stretch.statements)
            in_vain, waited = (0, 0) if stretch.reach else (in_vain + 1, waited + 1)
