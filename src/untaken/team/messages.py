"""What the owner of a campaign and its workers tell each other."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from untaken.campaign.config import Config
from untaken.campaign.folder.rows import Totals
from untaken.campaign.summary import NotFollowed
from untaken.execute.target import Target
from untaken.model.distinct import distinct
from untaken.model.input import Field
from untaken.model.path import CONSTRAINT_DTYPE, CutOff, Exit, Path
from untaken.search.budget import Ending
from untaken.search.doubts import Doubt

_FASTEST = 1  # of zlib's levels: events of loops repeat
_NO_CONSTRAINTS = np.zeros(0, CONSTRAINT_DTYPE)


@dataclass(frozen=True, slots=True)
class Orders:
    """What a worker is started with."""

    number: int  # of the worker, from 0
    life: int  # how many workers of that number came before
    config: Config
    target: Target
    known: tuple[bytes, ...]  # inputs of tests that are there already, to be run first
    reports_known: bool  # whether it tells what became of them
    seeds: tuple[bytes, ...]  # its share of the user's
    goes_on: int  # iterations of earlier runs of the campaign: what is drawn must not be drawn again
    iterations: int | None  # its share of the budget
    round_length: int | None  # iterations between two exchanges; None: news is taken when it comes
    seconds: float | None  # from now on
    pulse_seconds: float = 0.2  # between two reports without anything new
    news_seconds: float = 0.05  # between two reports with something, and two looks for news
    words: tuple[bytes, ...] = ()  # that others met
    ended: frozenset[bytes] = frozenset()  # of the known: inputs of tests that ended where their input did
    endless_inputs: int = 0  # after which runs of a program without end were cut


@dataclass(frozen=True, slots=True)
class SentRun:
    """A run that may be worth a test or a finding, with all that the owner needs to write it down."""

    iteration: int  # of this worker
    is_known: bool  # a run of what the owner gave
    input: bytes
    events: bytes  # compressed
    unseen: bytes | None  # compressed
    exit: Exit
    fields: tuple[Field, ...]
    input_used: int
    cut_off: CutOff
    printed: bytes  # by a program that is built with sanitizers and failed

    @classmethod
    def of(cls, path: Path, iteration: int, *, is_known: bool, printed: bytes) -> SentRun:
        return cls(
            iteration=iteration,
            is_known=is_known,
            input=path.input,
            events=_packed(path.events),
            unseen=None if path.unseen is None else _packed(distinct(path.unseen)),
            exit=path.exit,
            fields=path.fields,
            input_used=path.input_used,
            cut_off=path.cut_off,
            printed=printed,
        )

    def path(self) -> Path:
        """The run without its constraints."""
        return Path(
            input=self.input,
            events=_unpacked(self.events),
            constraints=_NO_CONSTRAINTS,
            exit=self.exit,
            fields=self.fields,
            input_used=self.input_used,
            cut_off=self.cut_off,
            unseen=None if self.unseen is None else _unpacked(self.unseen),
        )


def _packed(ids: NDArray[np.uint32]) -> bytes:
    return zlib.compress(np.ascontiguousarray(ids, np.uint32).tobytes(), _FASTEST)


def _unpacked(data: bytes) -> NDArray[np.uint32]:
    return np.frombuffer(zlib.decompress(data), np.uint32)


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What a worker knows besides its runs, for the summary."""

    obstacles: Mapping[str, Any]  # see Obstacles.as_json
    cut_off: Counter[str]
    limits: NotFollowed
    pruned: Mapping[str, int]
    doubts: frozenset[Doubt]
    tried_all: bool
    endless_inputs: int


@dataclass(frozen=True, slots=True)
class Report:
    """Of one worker, since its last one; counts are since its start."""

    life: int  # of the worker, as in its orders
    totals: Totals
    covered: int  # branches that this worker knows to be covered
    input_mattered: bool
    is_done: bool  # all is covered, and no code behind an assumption is still to be reached
    runs: tuple[SentRun, ...] = ()
    words: tuple[bytes, ...] = ()  # that this worker met since its last report
    sightings: Mapping[str, int] = field(default_factory=dict)  # by place: runs that went wrong and were not sent
    knowledge: Knowledge | None = None  # only now and then: it is large
    notes: tuple[str, ...] = ()
    has_run_known: bool = True
    ends_round: bool = False  # the worker waits for news
    ending: Ending | None = None  # it is the last one


@dataclass(frozen=True, slots=True)
class ProgramReady:
    """A worker has started its program: the search can begin."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A worker cannot go on; `text` says why."""

    text: str
    is_fault: bool = False  # of untaken itself


@dataclass(frozen=True, slots=True)
class Lost:
    """A worker is gone without a word."""

    how: str


@dataclass(frozen=True, slots=True)
class Tiding:
    """A test of somebody else, run only by those to whom it is new; or a word that somebody else met."""

    input: bytes
    passed: bytes  # ids, compressed
    word: bytes = b""  # if it is one, all else is empty

    @classmethod
    def of(cls, path: Path) -> Tiding:
        return cls(path.input, _packed(distinct(path.passed)))

    def ids(self) -> NDArray[np.uint32]:
        return _unpacked(self.passed)


@dataclass(frozen=True, slots=True)
class Dispatch:
    """What the owner tells a worker."""

    tidings: tuple[Tiding, ...] = ()
    inputs: tuple[bytes, ...] = ()  # from outside: nobody knows yet what they cover
    stop: bool = False


Message = ProgramReady | Report | Failure | Lost
