"""Openings, our own: wherever a run showed a new condition over an uncovered branch, that is flipped, whoever ran it.

Most strategies flip decisions of runs that they made themselves, or that covered something. But a run that covers
nothing may have made a condition solvable that was not before: a longer number, a word where there was none, a value
that was concrete (search/knowledge/openings.py). Each such condition is tried once. While none is new, those that
are known are tried in other runs; now and then sizes of memory and places in it that no run has had
(search/knowledge/memory_bounds.py); or a word is put where the program looked for it, as `words` does, and inputs are
put together from pieces and from records, as `pieces` and `records` do: their runs may show some.

Where the path rules the other side out, what was decided before may be to blame: a checksum over the byte that is to
change, a length that counts it. Then the condition is met by itself, and the run that comes of it is mended: a
decision that went to a side which the run before never took is flipped back, some times over. A checksum is a sum of
other bytes then, and the solver only has to put it in its place; all that the run before decided from there on is asked
for as well, lest a checksum be mended by another type of record. It is the first such decision or the last, by chance.
The last is mostly where the program gave up; but if it went on with something else, only the first tells. And the first
may be what was asked for: a loop that goes round as often as the new length says. A run with a word put in is mended,
too, if it does not come to where the word was looked for: that is asked only of a text whose checksum is right. The
word stays as it is; where that rules out what is to be mended, one of the last decisions before is taken otherwise.
Words that an uncovered branch waits for come before all else.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from untaken.model.path import ConstraintKind, Path
from untaken.search.attempts import Count, Outcome, Part, Steps, Verdict
from untaken.search.knowledge.memory_bounds import Bound, MemoryBounds
from untaken.search.knowledge.openings import Opening
from untaken.search.knowledge.words import WordSighting, with_word
from untaken.search.pieces.spans import NOWHERE
from untaken.search.pieces.variants import Variants
from untaken.search.view import SearchView

_AGAIN = 0.5  # how often, while none is new, one is tried in another run that showed it
_FIRST_BOUNDS = 4  # of memory, that are tried whatever they bring
_RUNS_A_BOUND = 40  # then one in so many runs, as long as there are branches to cover
_LAST = 8  # decisions, of which one is taken otherwise if what follows cannot be
_DETOURS = 0.75  # how often
_WORDS = 0.5  # how often, if not, a word is put in
_RECORDS = 0.2  # how often, else, records are put one behind the other, instead of pieces exchanged


def openings(search: SearchView, *, mends: Count = 4) -> Steps:
    """Flips each new condition over an uncovered branch, in whichever run it showed, and mends what that breaks.

    At most `mends` decisions of such a run are flipped back.
    """
    known, bounds = search.analyses.openings, search.analyses.bounds
    variants = Variants(search.analyses.stock, search.rng)
    yield search.initial()
    while True:
        if (awaited := search.words.awaited(search.rng)) is not None:
            yield from _put_in_and_mend(search, awaited, mends)
        opening = known.next()
        if opening is None and search.rng.random() < _AGAIN:
            opening = known.again(search.rng)
        if opening is None and _is_turn_of_bounds(search, bounds):
            yield from _flip_bound(search, bounds.next())
        elif opening is not None:
            yield from _take(search, opening, mends)
        elif (sighting := search.words.sighting(search.rng)) is not None and search.rng.random() < _WORDS:
            yield from _put_in_and_mend(search, sighting, mends)
        else:
            yield search.run(_put_together(search, variants))


def _put_together(search: SearchView, variants: Variants) -> bytes:
    """An input made of what others were made of: of records one behind the other, or of pieces."""
    if search.rng.random() < _RECORDS and (made := search.analyses.records.next()) is not None:
        return made
    variant = variants.next()
    return search.inputs.mixed(0.5) if variant is None else variant.input


def _is_turn_of_bounds(search: SearchView, bounds: MemoryBounds) -> bool:
    fair = _FIRST_BOUNDS + search.tally.iterations // _RUNS_A_BOUND
    return bounds.any_left and (search.coverage.full or bounds.tried < fair)


def _flip_bound(search: SearchView, bound: Bound) -> Part[None]:
    path: Path = yield search.run(bound.input)
    if bound.constraint < len(path) and path.constraint(bound.constraint)[3] == ConstraintKind.BOUND:
        yield search.force(path, bound.constraint)


def _take(search: SearchView, opening: Opening, mends: int) -> Part[None]:
    path: Path = yield search.run(opening.input)
    if opening.decision >= len(path) or path.constraint(opening.decision)[1] ^ 1 != opening.goal:
        return  # programs do not always do the same
    outcome: Outcome = yield search.force(path, opening.decision)
    if outcome.verdict is Verdict.INFEASIBLE:
        yield from _meet_and_mend(search, path, opening, mends)


def _put_in_and_mend(search: SearchView, sighting: WordSighting, mends: int) -> Part[None]:
    """Puts a word where it was asked for, and leads the run back there if it does not ask for it any more."""
    path: Path = yield search.run(sighting.input)
    place = min(sighting.word.position, len(path.events))
    covered = search.coverage.count
    found: Path | None = yield search.run(with_word(sighting))
    for _ in range(mends):
        if not place or found is None or search.coverage.count > covered or path.events[place - 1] in found.events:
            return
        astray = _astray(search, path, found)
        if not len(astray):
            return
        found = yield from _settled(search, found, int(astray[-1]), sighting.word.stretch)


def _meet_and_mend(search: SearchView, path: Path, opening: Opening, mends: int) -> Part[None]:
    """Meets the condition whatever was decided before, and leads the run back to where the other one went."""
    found: Path | None = yield search.guess(path, opening.decision)
    keeps = range(0) if found is None else _changed(path.input, found.input)
    for _ in range(mends):
        if found is None or search.coverage.hit[opening.goal]:
            return
        astray = _astray(search, path, found)
        if not len(astray):
            return
        decision = int(astray[search.rng.choice((0, -1))])
        mended: Path | None = yield search.mend(found, decision, path, _onward(path, opening, found, decision))
        if mended is None:
            mended = yield search.settle(found, decision, keeps)
        if mended is None:
            outcome: Outcome = yield search.insist(found, decision)
            mended = outcome.path
        found = mended


def _changed(old: bytes, new: bytes) -> range:
    """From the first byte that differs to the last."""
    size = max(len(old), len(new))
    pairs = zip(old.ljust(size, b"\0"), new.ljust(size, b"\0"), strict=True)
    differing = [place for place, (before, after) in enumerate(pairs) if before != after]
    return range(differing[0], differing[-1] + 1) if differing else range(0)


def _settled(search: SearchView, found: Path, decision: int, keeps: range) -> Part[Path | None]:
    """A run that takes the other side, with some bytes as they are if that can be; or one that decided otherwise
    before, in which it may be."""
    settled: Path | None = yield search.settle(found, decision, keeps)
    if settled is not None:
        return settled
    detour = _detour(search, found, decision, keeps)
    outcome: Outcome = yield search.insist(found, decision if detour is None else detour)
    return outcome.path


def _detour(search: SearchView, found: Path, decision: int, keeps: range) -> int | None:
    """One of the last decisions before that speak of none of these bytes, since they were looked at."""
    symbolic = found.symbolic[found.symbolic < decision]
    cursor = search.analyses.cursor(found)[symbolic]
    is_kept = (cursor >= keeps.start) & (cursor < keeps.stop)
    if not is_kept.any():
        return None
    first = int(is_kept.argmax())
    before = symbolic[first:][~is_kept[first:] & (cursor[first:] != NOWHERE)][-_LAST:].tolist()
    return search.rng.choice(before) if before and search.rng.random() < _DETOURS else None


def _onward(path: Path, opening: Opening, found: Path, decision: int) -> range:
    """What the first run decided from where the other one went astray to the condition that is to be met."""
    positions = path.constraints["position"][: opening.decision + 1]
    passed = np.flatnonzero(path.events[: positions[-1]] == found.constraint(decision)[1] ^ 1)
    start = int(np.searchsorted(positions, passed[-1], side="right")) if len(passed) else opening.decision
    return range(start, opening.decision + 1)


def _astray(search: SearchView, path: Path, found: Path) -> NDArray[np.intp]:
    """Decisions for a side that the other run never took, though it came there."""
    passed = np.zeros(search.program.id_count + 2, np.bool_)
    passed[np.minimum(path.events, search.program.id_count)] = True
    passed[search.program.id_count :] = False
    ids = np.minimum(found.constraints["id"][found.symbolic].astype(np.intp), search.program.id_count)
    is_astray: NDArray[np.bool_] = ~passed[ids] & passed[ids ^ 1]
    return found.symbolic[is_astray]
