"""Campaigns on a Ray cluster. The program and its inputs travel with the job; workers need only untaken installed.

A worker or a whole machine that is lost costs the trial that it had: Ray gives it to another. The results are those of
the local pool, since a campaign depends on its settings and its seed only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from untaken.errors import UntakenError
from untaken.execute.target import Target
from untaken.json_records import checked
from untaken.pool.cluster import Cluster, connected
from untaken.pool.parcel import SEEDS, Parcel, parcel
from untaken.trials.plan import Job
from untaken.trials.trial import Trial, read_trial, run_trial, write_trial
from untaken.trials.workers import failure

RETRIES = 8  # of a trial whose worker is lost
AHEAD = 2  # trials handed out for each core of the cluster


def remote_trial(sent: Parcel, job: Job) -> dict[str, Any] | str:
    """On the worker: the trial as JSON, or what went wrong."""
    if sent.complaint is not None:
        return sent.complaint
    try:
        with sent.unpacked() as (target, folder):
            config = job.config if sent.seeds is None else replace(job.config, seeds=folder / SEEDS)
            own = replace(job, config=config, place=folder / "trial.json")
            run_trial(own, target)
            return read_trial(own.place).as_json() if own.done else "it was interrupted"
    except UntakenError as error:
        return str(error)


class RayPool:
    """The cores of a cluster."""

    def __init__(self, cluster: Cluster, target: Target) -> None:
        self._cluster = cluster
        self._target = target
        self._remote = cluster.task(remote_trial, cores=1, retries=RETRIES)
        self._parcels: dict[Path | None, Any] = {}

    def run(self, jobs: Sequence[Job]) -> Iterator[Job]:
        """Gives each out when its result lies in its place."""
        missing = list(jobs)
        running: dict[Any, Job] = {}
        try:
            while missing or running:
                while missing and len(running) < AHEAD * self._cluster.cores:
                    job = missing.pop(0)
                    running[self._remote(self._parcel(job.config.seeds), job)] = job
                for reference in self._cluster.finished(list(running), wait=True):
                    job = running.pop(reference)
                    self._keep(job, reference)
                    yield job
        finally:
            for reference in running:
                self._cluster.cancel(reference)

    def _parcel(self, seeds: Path | None) -> Any:
        if seeds not in self._parcels:
            self._parcels[seeds] = self._cluster.put(parcel(self._target, seeds))
        return self._parcels[seeds]

    def _keep(self, job: Job, reference: Any) -> None:
        try:
            found = self._cluster.get(reference)
        except self._cluster.errors as error:
            found = f"the cluster lost it {RETRIES + 1} times ({type(error).__name__})"
        if isinstance(found, str):
            raise failure(job, found)
        write_trial(job.place, checked(found, Trial))


@contextmanager
def ray_pool(target: Target, address: str) -> Iterator[RayPool]:
    """Connected for as long as it is open."""
    with connected(address) as cluster:
        yield RayPool(cluster, target)
