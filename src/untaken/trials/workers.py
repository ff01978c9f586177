"""Campaigns on this machine: several at a time, each in a process of its own.

A process for each, so that a campaign's memory goes with it and one that dies takes no other along; forked from a
warm server, so that this costs milliseconds. Results go through files: whatever happens, finished trials stay.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from untaken.errors import CampaignError, UntakenError
from untaken.execute.target import Target
from untaken.interrupts import undisturbed
from untaken.pool.processes import end_processes, pipe, start_process
from untaken.trials.plan import Job
from untaken.trials.trial import run_trial


@dataclass(frozen=True, slots=True)
class Worker:
    """A campaign under way in a process of its own."""

    job: Job
    process: BaseProcess
    words: Connection  # what went wrong, if anything


@dataclass(frozen=True, slots=True)
class LocalPool:
    """So many campaigns of a program at a time."""

    target: Target
    cores: int

    def run(self, jobs: Sequence[Job]) -> Iterator[Job]:
        """Gives each out when its result lies in its place."""
        missing = list(jobs)
        with workers() as running:
            while missing or running:
                while missing and len(running) < self.cores:
                    with undisturbed():  # the fork server and the list know of the same processes
                        running.append(start(self.target, missing.pop(0)))
                for worker in finished(running):
                    running.remove(worker)
                    settle(worker)
                    yield worker.job


@contextmanager
def workers() -> Iterator[list[Worker]]:
    """The campaigns under way; those that still are when it ends are ended."""
    running: list[Worker] = []
    try:
        yield running
    finally:
        end_processes([worker.process for worker in running])


def start(target: Target, job: Job) -> Worker:
    ours, theirs = pipe(duplex=False)
    process = start_process(work, (target, job, theirs))
    theirs.close()
    return Worker(job, process, ours)


def work(target: Target, job: Job, words: Connection) -> None:
    """In the process of a campaign."""
    try:
        run_trial(job, target)
    except UntakenError as error:
        words.send(str(error))
    except KeyboardInterrupt:  # how a campaign takes the request to terminate; the trial is just not there
        raise SystemExit(130) from None


def finished(running: list[Worker]) -> list[Worker]:
    """Waits for at least one."""
    ready = wait([worker.process.sentinel for worker in running])
    return [worker for worker in running if worker.process.sentinel in ready]


def settle(worker: Worker) -> None:
    """Nothing is left of a worker but its file."""
    said = message(worker.words)
    worker.process.join()
    if not worker.job.done:
        raise failure(worker.job, said or f"its process ended with {worker.process.exitcode}")


def failure(job: Job, reason: str) -> CampaignError:
    """What is said of a campaign that left no result."""
    name = f"trial {job.trial.number} of {job.trial.strategy}"
    return CampaignError(f"{name} failed: {reason}; the trials that are done are kept in {job.place.parent}")


def message(words: Connection) -> str | None:
    try:
        return str(words.recv()) if words.poll() else None
    except EOFError:
        return None
    finally:
        words.close()
