"""Runs the missing trials of a plan, several at a time, each in a process of its own.

A process for each trial, so that a campaign's memory goes with it and one that dies takes no other along; forked from
a warm server, so that this costs milliseconds. Results go through files: whatever happens, finished trials stay.
"""

from __future__ import annotations

import json
import multiprocessing
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path

from untaken.campaign.corpus import write_json
from untaken.campaign.target import Target
from untaken.compare.plan import TRIALS, Plan, TrialId
from untaken.compare.trial import Trial, read_trial, run_trial
from untaken.errors import CampaignError, UntakenError

CONDITIONS = "conditions.json"
GOODBYE_SECONDS = 10.0

Told = Callable[[TrialId, Trial], None]  # after each trial
Display = Callable[[int, int], Told]  # of so many trials that are done already, and so many to be run


@dataclass(frozen=True, slots=True)
class Worker:
    """A trial under way."""

    trial: TrialId
    process: BaseProcess
    words: Connection  # what went wrong, if anything


def run_plan(plan: Plan, target: Target, display: Display) -> list[Trial]:
    """All trials, in the plan's order; those that an earlier call finished are only read."""
    prepare(plan, target)
    trials = list(plan)
    missing = [trial for trial in trials if not plan.place(trial).exists()]
    told = display(len(trials) - len(missing), len(missing))
    with workers() as running:
        while missing or running:
            while missing and len(running) < plan.jobs:
                running.append(start(plan, target, missing.pop(0)))
            for worker in finished(running):
                running.remove(worker)
                settle(plan, worker)
                told(worker.trial, read_trial(plan.place(worker.trial)))
    return [read_trial(plan.place(trial)) for trial in trials]


def prepare(plan: Plan, target: Target) -> None:
    """Makes the folder, and sure that what it holds already was made under the same conditions."""
    place, now = plan.out / CONDITIONS, plan.conditions(target)
    try:
        (plan.out / TRIALS).mkdir(parents=True, exist_ok=True)
        before = json.loads(place.read_text()) if place.exists() else now
    except OSError as error:
        raise CampaignError(f"cannot use {plan.out}: {error.strerror}; choose another --out") from error
    except ValueError as error:
        raise CampaignError(f"{place} cannot be read ({error}): choose another --out") from error
    changed = [name for name, value in now.items() if not isinstance(before, dict) or before.get(name) != value]
    if changed:
        raise CampaignError(
            f"{plan.out} holds a comparison with another {changed[0]}: choose another --out, or delete the folder"
        )
    write_json(place, now)


@contextmanager
def workers() -> Iterator[list[Worker]]:
    """The trials under way; those that still are when it ends are ended."""
    running: list[Worker] = []
    try:
        yield running
    finally:
        for worker in running:
            worker.process.terminate()  # a campaign closes its program on this, and leaves nothing
        for worker in running:
            worker.process.join(GOODBYE_SECONDS)


def start(plan: Plan, target: Target, trial: TrialId) -> Worker:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=work, args=(plan, target, trial, theirs))
    process.start()
    theirs.close()
    return Worker(trial, process, ours)


def work(plan: Plan, target: Target, trial: TrialId, words: Connection) -> None:
    """In the process of a trial."""
    # Ctrl-C reaches the whole group of processes; who ends us is the one who started us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        run_trial(plan, target, trial)
    except UntakenError as error:
        words.send(str(error))
    except KeyboardInterrupt:  # how a campaign takes the request to terminate; the trial is just not there
        raise SystemExit(130) from None


def finished(running: list[Worker]) -> list[Worker]:
    """Waits for at least one."""
    ready = wait([worker.process.sentinel for worker in running])
    return [worker for worker in running if worker.process.sentinel in ready]


def settle(plan: Plan, worker: Worker) -> None:
    """Nothing is left of a worker but its file."""
    said = message(worker.words)
    worker.process.join()
    if not plan.place(worker.trial).exists():
        reason = said or f"its process ended with {worker.process.exitcode}"
        name = f"trial {worker.trial.number} of {worker.trial.strategy}"
        raise CampaignError(f"{name} failed: {reason}; the trials that are done are kept in {folder_of(plan)}")


def message(words: Connection) -> str | None:
    try:
        return str(words.recv()) if words.poll() else None
    except EOFError:
        return None
    finally:
        words.close()


def folder_of(plan: Plan) -> Path:
    return plan.out / TRIALS
