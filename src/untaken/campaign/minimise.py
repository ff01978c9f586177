"""`--minimise`: shortens tests by delta debugging over their inputs.

What can be left out are single inputs: what one call of an input function took, or one byte of stdin or of a file. A
shorter test counts if it still covers all branches that the test was first to cover, or shows the same finding at the
same place, which is confirmed again. Runs end where their input does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from untaken.campaign.findings.sightings import Sightings
from untaken.execute.session import Session
from untaken.interrupts import undisturbed
from untaken.model.input import Source, SourceKind
from untaken.model.input_codec import declared_size, encoded_stream
from untaken.model.path import Path
from untaken.search.independence.effect_numbers import EffectNumbers
from untaken.suite.corpus import Corpus, described_exit
from untaken.suite.delivery import asked_for, delivered
from untaken.suite.findings import Finding, length_of
from untaken.suite.reduce import shortest
from untaken.suite.tests import SavedTest, Suite, read_suite

MOST_RUNS = 2_000  # for one test


@dataclass(frozen=True, slots=True)
class Streams:
    """An input taken apart: a row of pieces for each stream, and one for the input functions."""

    sources: tuple[Source, ...]
    arguments: bytes  # as they are: they come before all else
    rows: tuple[tuple[bytes, ...], ...]

    def joined(self) -> bytes:
        """The input that these arguments and streams make up."""
        parts = [self.arguments]
        streams = [source for source in self.sources if source.kind is not SourceKind.ARGUMENT]
        for source, row in zip(streams, self.rows, strict=False):
            parts.append(encoded_stream(b"".join(row), source.size))
        return b"".join(parts) + b"".join(self.rows[-1])

    def with_row(self, number: int, row: tuple[bytes, ...]) -> Streams:
        rows = (*self.rows[:number], row, *self.rows[number + 1 :])
        return Streams(self.sources, self.arguments, rows)


def taken_apart(test: SavedTest, sources: Sequence[Source]) -> Streams:
    """Arguments are declared before the streams."""
    given = delivered(test.input, sources)
    contents = ([] if given.stdin is None else [given.stdin]) + list(given.files.values())
    start = declared_size(sources)
    ends = [field.offset + field.size for field in asked_for(test.fields, sources)]
    cuts = [start, *ends, max([len(test.input), *ends])]
    asked = tuple(test.input[one:other] for one, other in pairwise(cuts) if one < other)
    arguments = sum(source.size for source in sources if source.kind is SourceKind.ARGUMENT)
    rows = (*(tuple(bytes([byte]) for byte in content) for content in contents), asked)
    return Streams(tuple(sources), test.input[:arguments], rows)


class Minimiser:
    """Shortens the tests and findings in a campaign's folder."""

    def __init__(
        self,
        session: Session,
        corpus: Corpus,
        sightings: Sightings,
        rewritten: Callable[[int, Path], None],
        effects: EffectNumbers | None = None,
    ) -> None:
        """`rewritten` is told of each test that was shortened; `effects`: what tests show of conditions is kept."""
        self._session = session
        self._rewritten = rewritten
        self._effects = effects
        self._corpus = corpus
        self._sightings = sightings
        self._triage = sightings.triage
        self._runs = 0
        self._before = self._after = 0

    @property
    def sizes(self) -> tuple[int, int]:
        """How many bytes of input the tests took that were looked at, and how many they take now."""
        return self._before, self._after

    def run(self) -> None:
        """Shortens one after the other. It may be interrupted between any two runs of the program."""
        suite = read_suite(self._corpus.folder)
        for test in suite.tests:
            whole = self._session.replay(test.input)
            shorter = self._confirmed(test, whole, self._shorten(suite, test, whole))
            with undisturbed():
                self._before += length_of(whole)[0]
                self._after += length_of(shorter)[0]
                if shorter is not whole:
                    self._write(test, shorter)

    def _shorten(self, suite: Suite, test: SavedTest, whole: Path) -> Path:
        """The run of the shortest input found, which may be the whole one."""
        shows = self._criterion(test, whole)
        if not shows(whole):
            return whole  # needs more than its input: it goes on past its end, say
        best = whole
        streams = taken_apart(test, suite.declared)
        self._runs = 0
        for number in range(len(streams.rows)):

            def good(row: tuple[bytes, ...], number: int = number, streams: Streams = streams) -> bool:
                nonlocal best
                path = self._tried(streams.with_row(number, row).joined())
                if path is None or not shows(path):
                    return False
                best = path
                return True

            streams = streams.with_row(number, shortest(streams.rows[number], good))
        return best if length_of(best) < length_of(whole) else whole

    def _confirmed(self, test: SavedTest, whole: Path, shorter: Path) -> Path:
        """What shows a finding must show it in a run of its own, too."""
        finding = self._finding(test.name) if test.place is not None and shorter is not whole else None
        return shorter if finding is None or self._sightings.is_shown(finding, shorter) else whole

    def _tried(self, input: bytes) -> Path | None:
        self._runs += 1
        return self._session.replay(input) if self._runs <= MOST_RUNS else None

    def _criterion(self, test: SavedTest, whole: Path) -> Callable[[Path], bool]:
        if test.fails_assumption:  # as far as before, and no further
            passed, exit = set(whole.events.tolist()), whole.exit
            return lambda path: path.exit == exit and passed <= set(path.events.tolist())
        wanted, shown = set(test.covers), self._shown(whole)
        place = self._place(whole) if test.place is not None or not wanted else None
        return lambda path: (
            wanted <= set(path.events.tolist())
            and shown <= self._shown(path)
            and (place is None or self._place(path) == place)
        )

    def _shown(self, path: Path) -> frozenset[int]:
        return frozenset() if self._effects is None else self._effects.shown(path.events)

    def _place(self, path: Path) -> str | None:
        output = self._session.output if self._session.settings.capture else b""
        trouble = self._triage.trouble(path.exit, output) or self._triage.reached_error(path)
        return None if trouble is None else self._triage.place(trouble, path)

    def _write(self, test: SavedTest, path: Path) -> None:
        if test.place is None:
            self._corpus.rewrite_test(int(test.name), path)
            self._rewritten(int(test.name), path)
            return
        finding = self._finding(test.name)
        if finding is not None:
            finding.length = length_of(path)
            about = {**finding.as_json(), "bytes": finding.length[0], "exit": described_exit(path.exit)}
            self._corpus.write_finding(finding.name, path, about, confirmed=finding.confirmed)

    def _finding(self, name: str) -> Finding | None:
        return next((finding for finding in self._triage.findings.values() if finding.name == name), None)
