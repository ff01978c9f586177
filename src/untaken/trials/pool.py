"""Where campaigns run: on the cores of this machine, or on a cluster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

from untaken.execute.target import Target
from untaken.trials.plan import Job
from untaken.trials.workers import LocalPool


class Pool(Protocol):
    """Runs the campaigns of one program."""

    def run(self, jobs: Sequence[Job]) -> Iterator[Job]:
        """Runs all, several at a time; gives each out when its result lies in its place."""
        ...


@contextmanager
def open_pool(target: Target, cores: int, ray: str | None) -> Iterator[Pool]:
    """This machine's cores, or the cluster with that address."""
    if ray is None:
        yield LocalPool(target, cores)
        return
    from untaken.trials.cluster import ray_pool

    with ray_pool(target, ray) as pool:
        yield pool
