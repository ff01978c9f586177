"""The campaigns of a project's functions: slices of time, several at once, more for what has more to gain."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path

from untaken.campaign.campaign import run_campaign
from untaken.campaign.config import Config
from untaken.campaign.watcher import Watcher
from untaken.errors import UntakenError
from untaken.execute.target import Target
from untaken.interrupts import undisturbed
from untaken.pool.processes import end_processes, pipe, start_process
from untaken.search.budget import Ending
from untaken.suite.findings import Finding
from untaken.unit.project.results import FunctionResult, ShownFault
from untaken.unit.shape import UnitPlan
from untaken.unit.target import write_plan

LEAST_SLICE = 1.0  # seconds
LARGEST_SLICE = 60.0
FIRST_SHARE = 0.4  # of the time, for a first look at every function
GROWTH = 2.0  # of a slice, from one to the next
FRUITLESS = 0.3  # what is hoped of a function after a slice that covered nothing new
UNFINISHED = (Ending.SECONDS.value, Ending.STOPPED.value, Ending.RUNNING.value)


@dataclass(frozen=True, slots=True)
class FunctionJob:
    """The campaign of one function, with its driver."""

    source: str  # name of the file within the project
    plan: UnitPlan
    target: Target
    config: Config

    @property
    def out(self) -> Path:
        return self.config.out


@dataclass(slots=True)
class FunctionProgress:
    """How far a function has come, and what is hoped of it."""

    job: FunctionJob
    result: FunctionResult | None = None
    slice: float = LEAST_SLICE
    hope: float = 1.0
    spent: float = 0.0

    @property
    def is_done(self) -> bool:
        return self.result is not None and self.result.ended_by not in UNFINISHED

    @property
    def promise(self) -> float:
        """Branches that another slice may bring, for the time that it takes."""
        missing = self.result.total - self.result.covered if self.result is not None else 1
        return missing * self.hope / self.slice

    def note(self, result: FunctionResult, seconds: float) -> None:
        before = self.result.covered if self.result is not None else 0
        self.hope = 1.0 if self.result is None or result.covered > before else self.hope * FRUITLESS
        self.result = result
        self.spent += seconds
        self.slice = min(LARGEST_SLICE, self.slice * GROWTH)


@dataclass(frozen=True, slots=True)
class _Slice:
    standing: FunctionProgress
    process: BaseProcess
    answer: Connection
    begun: float


@dataclass(frozen=True, slots=True)
class Schedule:
    """`seconds` is for all functions together; None: each has its own limit of executions, and one slice."""

    seconds: float | None
    workers: int

    def run(self, functions: Sequence[FunctionProgress], told: Callable[[FunctionProgress], None]) -> None:
        """Until all are done or the time is over; `told` hears of each slice that ended."""
        begun = time.monotonic()
        waiting = [each for each in functions if not each.is_done]
        if self.seconds is not None:
            share = FIRST_SHARE * self.seconds * self.workers / max(1, len(waiting))
            for each in waiting:
                each.slice = max(each.slice, min(LARGEST_SLICE, max(LEAST_SLICE, share)))
        with _Slices() as running:
            while waiting or running:
                while waiting and len(running) < self.workers and (left := self._left(begun)) > LEAST_SLICE / 2:
                    chosen = _most_promising(waiting)
                    waiting.remove(chosen)
                    with undisturbed():
                        running.append(_start(chosen, None if self.seconds is None else min(chosen.slice, left)))
                if not running:
                    return
                for ended in _ended(running):
                    running.remove(ended)
                    ended.standing.note(_result(ended), time.monotonic() - ended.begun)
                    told(ended.standing)
                    if not ended.standing.is_done and self.seconds is not None:
                        waiting.append(ended.standing)

    def _left(self, begun: float) -> float:
        return float("inf") if self.seconds is None else self.seconds - (time.monotonic() - begun)


class _Slices(list[_Slice]):
    """The slices under way; those that still are when it ends are ended."""

    def __enter__(self) -> _Slices:
        return self

    def __exit__(self, *error: object) -> None:
        end_processes([each.process for each in self])


def _most_promising(waiting: Sequence[FunctionProgress]) -> FunctionProgress:
    """Those that were never looked at come first, in their order."""
    fresh = next((each for each in waiting if each.result is None), None)
    return fresh or max(waiting, key=lambda each: each.promise)


def _start(standing: FunctionProgress, seconds: float | None) -> _Slice:
    ours, theirs = pipe(duplex=False)
    job = standing.job if seconds is None else replace(standing.job, config=replace(standing.job.config, time=seconds))
    process = start_process(work, (job, theirs))
    theirs.close()
    return _Slice(standing, process, ours, time.monotonic())


def _ended(running: Sequence[_Slice]) -> Iterator[_Slice]:
    ready = wait([each.answer for each in running])
    return iter([each for each in running if each.answer in ready])


def _result(ended: _Slice) -> FunctionResult:
    job = ended.standing.job
    try:
        answer = ended.answer.recv()
    except EOFError:
        answer = "its process ended without an answer"
    finally:
        ended.answer.close()
        ended.process.join()
    if isinstance(answer, FunctionResult):
        return answer
    return FunctionResult(job.source, job.plan.function, str(job.out), problem=str(answer), ended_by=Ending.FAULT.value)


def work(job: FunctionJob, answer: Connection) -> None:
    """In the process of a slice."""
    try:
        answer.send(explore_function(job))
    except UntakenError as error:
        answer.send(str(error))
    except KeyboardInterrupt:
        raise SystemExit(130) from None


def explore_function(job: FunctionJob) -> FunctionResult:
    """A slice of a function's campaign: goes on where the last one ended."""
    write_plan(job.plan, job.out)
    summary = run_campaign(job.config, job.target, Watcher())
    own = next((each for each in summary.functions if each.name == job.plan.function), None)
    return FunctionResult(
        source=job.source,
        function=job.plan.function,
        out=str(job.out),
        covered=own.covered if own is not None else 0,
        total=own.total if own is not None else 0,
        tests=summary.tests,
        iterations=summary.totals.iterations,
        seconds=summary.totals.seconds,
        ended_by=summary.ended_by,
        faults=tuple(_fault(finding) for finding in summary.findings),
        conditions=None if summary.independence is None else summary.goal.total,
        shown=0 if summary.independence is None else summary.goal.covered,
    )


def _fault(finding: Finding) -> ShownFault:
    frames = tuple(f"{frame.function} ({frame.place})" for frame in finding.frames)
    return ShownFault(finding.name, finding.kind, finding.what, finding.confirmation.cause, finding.location, frames)
