"""What it costs to score 10,000 decisions by 40 features, on real paths of a program of ours put behind one another.

`make bench` runs it. The goal is 2 ms for the features and their product with the weights; to find the places and the
contexts of context-guided search, on which five of the features rest, is counted apart, and so is what contexts cost
where all have to be looked for: of most paths they are known by the last events before each decision.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path as FilePath
from random import Random
from statistics import median

import numpy as np

sys.path.insert(0, str(FilePath(__file__).parent.parent))
from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings
from untaken.execute.target import Target, find_target
from untaken.model.input import Source, SourceKind
from untaken.model.path import Path
from untaken.search.contexts.hashes import ContextHashes, Decisions
from untaken.search.heuristics.features.dynamic import Moment
from untaken.search.heuristics.features.history import CONTEXTS, History
from untaken.search.heuristics.features.matrix import Scorer
from untaken.search.heuristics.features.table import FEATURES
from untaken.search.heuristics.heuristic_files import general_heuristic
from untaken.search.program.dominators import Dominators
from untaken.search.program.graph import StaticGraph
from untaken.search.view import new_search

PROGRAM = FilePath(__file__).parent / "programs/replace.c"
SOURCES = (Source(SourceKind.ARGUMENT, 40), Source(SourceKind.ARGUMENT, 40), Source(SourceKind.STDIN, 400))
ALPHABET = b"ab*[c-d]x.%?"
DECISIONS = 10_000
GOAL = 2.0


def long_path(target: Target) -> Path:
    """The longest of some random runs, repeated until there are enough decisions."""
    rng = Random(1)
    with Session(target.program, SessionSettings(sources=SOURCES)) as session:
        found = [session.run(bytes(rng.choices(ALPHABET, k=500))) for _ in range(300)]
    return repeated(max(found, key=lambda path: len(path.symbolic)), DECISIONS)


def repeated(path: Path, decisions: int) -> Path:
    times = -(-decisions // len(path))
    constraints = np.concatenate([path.constraints] * times)
    constraints["position"] += np.repeat(np.arange(times, dtype=np.uint32) * len(path.events), len(path))
    return replace(path, constraints=constraints[:decisions], events=np.concatenate([path.events] * times))


def milliseconds(work: Callable[[], object]) -> float:
    def once() -> float:
        start = time.perf_counter()
        work()
        return 1000 * (time.perf_counter() - start)

    return median(once() for _ in range(51))


def main() -> int:
    target = find_target([str(PROGRAM)])
    path = long_path(target)
    search = new_search(target.map, Random(0))
    search.coverage.add(path.events)
    history = History(search)
    history.ran(path)
    moment = Moment(history, path, DECISIONS // 2)
    for index in range(0, len(moment), 7):
        history.negates(moment.place(index), moment.context(index))
    scorer = Scorer(target.map, general_heuristic().vector)
    both = milliseconds(lambda: scorer.of(moment))
    kinds = milliseconds(lambda: Moment(history, path, DECISIONS // 2))
    hashes = ContextHashes(target.map.id_count, Dominators(StaticGraph(target.map)))
    decisions = Decisions.of(path, path.symbolic, target.map.id_count)
    walks = milliseconds(lambda: hashes.up_to(decisions, CONTEXTS))
    places = len(set(moment.places.tolist()))
    print(
        f"{len(moment):,} decisions at {places} places in {len(moment.contexts)} contexts, {len(path.events):,} events"
    )
    print(
        f"{len(FEATURES)} features and scores {both:.2f} ms (goal {GOAL:g}), after {kinds:.2f} ms to find the contexts"
    )
    print(f"contexts of a path of which nothing is known {walks:.2f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
