"""Causes, our own: before a condition that the input does not decide, what it decided last is decided otherwise.

What a function returned, of which kind the last token is, whether a name was found: no flip speaks of such a condition.
What it asks for was mostly decided just before: by a comparison, or by the first character of the token. That may be
covered both ways, on other paths, so that nobody flips it here. The decisions that runs made last before such a
condition are known (search/knowledge/causes.py); each is flipped once for each condition.
"""

from __future__ import annotations

from untaken.model.path import Path
from untaken.search.attempts import Outcome, Part, Steps, Verdict
from untaken.search.knowledge.causes import LateDecision
from untaken.search.view import SearchView


def causes(search: SearchView) -> Steps:
    """Flips the last decisions before conditions that do not depend on the input by data.

    Where none is known, it tries random inputs.
    """
    known = search.analyses.causes
    yield search.initial()
    while True:
        cause = known.next()
        if cause is None:
            yield search.run(search.inputs.mixed(0.5))
        else:
            yield from _decide_otherwise(search, cause)


def _decide_otherwise(search: SearchView, cause: LateDecision) -> Part[None]:
    """Flips it; where the path rules that out, its condition is met by itself: what came before may well follow."""
    path: Path = yield search.run(cause.input)
    if cause.decision >= len(path) or path.constraint(cause.decision)[1] != cause.side:
        return  # programs do not always do the same
    outcome: Outcome = yield search.force(path, cause.decision)
    if outcome.verdict is Verdict.INFEASIBLE:
        yield search.guess(path, cause.decision)
