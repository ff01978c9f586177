"""What goes wrong while exploring, until it is a finding: each distinct place is confirmed once, and written down.

What was only seen lies in unconfirmed/, what was confirmed in crashes/. A place that was not confirmed is tried again
with other inputs, the 2nd, 4th, 8th time it is seen: the first one may have gone wrong for another reason. Of a
confirmed finding the shortest input is wanted: the shortest that was seen is confirmed in the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from untaken.campaign.findings.confirm import NO_TIME, Confirmer
from untaken.campaign.folder.store import Store
from untaken.interrupts import undisturbed
from untaken.model.path import ExitKind, Path
from untaken.suite.corpus import Corpus, described_exit
from untaken.suite.failed_allocations import with_failed_allocations
from untaken.suite.fields import follows_child
from untaken.suite.findings import Confirmation, Finding, Triage, Trouble, length_of

_ENDED = ExitKind.CODE


@dataclass(slots=True)
class Sighting:
    """A run that went wrong and is to be confirmed."""

    place: str
    finding: Finding
    path: Path
    tested: bool = False  # whether it is a test already


class Sightings:
    """Told of every run that went wrong."""

    def __init__(self, triage: Triage, corpus: Corpus, store: Store, confirmer: Confirmer) -> None:
        self.triage = triage
        self._corpus = corpus
        self._store = store
        self._confirmer = confirmer
        self._due: dict[str, Sighting] = {}  # by place
        self._shorter: dict[str, Path] = {}

    @property
    def confirmed(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.triage.findings.values() if finding.confirmed)

    @property
    def unconfirmed(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.triage.findings.values() if not finding.confirmed)

    @property
    def any_due(self) -> bool:
        return bool(self._due)

    def saw(self, trouble: Trouble, path: Path, iteration: int, name: str | None = None) -> Sighting | None:
        """Writes a new place down. What is returned is to be confirmed; None if there is nothing new about it."""
        place = self.triage.place(trouble, path)
        known = self.triage.findings.get(place)
        if known is None:
            taken = any(finding.name == name for finding in self.triage.findings.values())
            known = self.triage.add(trouble, path, iteration, None if taken else name)
            self._write(place, known, path)
        else:
            known.times += 1
            if known.confirmed:
                self._note_shorter(place, known, path)
                return None
            if place in self._due or not _worth_another_try(known):
                return None
        found = self._due[place] = Sighting(place, known, path)
        return found

    def settled(self, deadline: float | None = None) -> Iterator[Sighting]:
        """Confirms what is due, and yields what is decided. With a deadline it is the last chance."""
        for place, sighting in list(self._due.items()):
            found = self._confirmer.confirm(sighting.finding, sighting.path, deadline)
            if found is not None:
                with undisturbed():
                    sighting.finding.confirmation = with_circumstances(found, sighting.path)
                    if found.holds:
                        sighting.finding.length = length_of(sighting.path)
                    self._write(place, sighting.finding, sighting.path)
                    del self._due[place]
                yield sighting

    def settle_shorter(self, deadline: float | None = None) -> None:
        """In the end: the shortest input of each finding."""
        for place, path in self._shorter.items():
            finding = self.triage.findings[place]
            if self.is_shown(finding, path, deadline):
                with undisturbed():
                    finding.length = length_of(path)
                    finding.confirmation = with_circumstances(finding.confirmation, path)
                    self._write(place, finding, path)
        self._shorter.clear()

    def is_shown(self, finding: Finding, path: Path, deadline: float | None = None) -> bool:
        """Whether another input of a confirmed finding shows it, too."""
        found = self._confirmer.confirm(finding, path, deadline)
        return bool((found or NO_TIME).holds)

    def _note_shorter(self, place: str, known: Finding, path: Path) -> None:
        best = self._shorter.get(place)
        if length_of(path) < (known.length if best is None else length_of(best)):
            self._shorter[place] = path

    def _write(self, place: str, finding: Finding, path: Path) -> None:
        about = {**finding.as_json(), "bytes": finding.length[0], "exit": described_exit(path.exit)}
        self._corpus.write_finding(finding.name, path, about, confirmed=finding.confirmed)
        self._store.add_finding(place, finding)


def with_circumstances(found: Confirmation, path: Path) -> Confirmation:
    """With the allocations that fail in this run, in place of those that were named before."""
    return replace(found, cause=with_failed_allocations(found.cause, path.input, path.fields))


def _worth_another_try(finding: Finding) -> bool:
    if finding.confirmation in (Confirmation(), NO_TIME):
        return True  # in an earlier run there was no time
    return finding.times & (finding.times - 1) == 0


def trouble_of(path: Path, triage: Triage, printed: Callable[[], bytes] | None = None) -> Trouble | None:
    """What went wrong in a run, if anything did; `printed`: what it printed, if that may be a sanitizer's report."""
    exit = path.exit
    has_ended = exit.kind is _ENDED
    if has_ended and printed is None and not triage.has_errors:  # as most runs do
        return None
    if exit.kind is ExitKind.TIMEOUT and follows_child(path):
        return None  # children may well outlive the program
    if not triage.has_begun(path):
        return None
    if printed is not None and (not has_ended or exit.code != 0):
        return triage.trouble(exit, printed()) or triage.reached_error(path)
    trouble = None if has_ended else triage.trouble(exit)
    return trouble or triage.reached_error(path)
