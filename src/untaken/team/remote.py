"""Workers on a Ray cluster. The program travels with the job; messages go through a mailbox on the owner's machine.

What a worker has posted is in the mailbox before the worker goes on, so a lost worker or machine costs only what it had
not sent. A replacement shares the cores that are left.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import replace
from typing import Any

from untaken.errors import UntakenError
from untaken.execute.target import Target
from untaken.pool.cluster import Cluster, cluster_here
from untaken.pool.parcel import Parcel, parcel
from untaken.team.link import OwnerGone
from untaken.team.messages import Dispatch, Failure, Lost, Message, Orders
from untaken.team.worker import explore

LOOK_SECONDS = 0.02  # between two looks into the mailbox
PASSING_SECONDS = 0.05  # the same of a worker that does not wait: a look takes it a millisecond or more
WorkerLife = tuple[int, int]  # number and life of a worker


class Mailbox:
    """In a process of its own on the cluster."""

    def __init__(self) -> None:
        self._posted: list[tuple[WorkerLife, Message]] = []
        self._told: dict[WorkerLife, deque[Dispatch]] = {}

    def post(self, sender: WorkerLife, message: Message) -> None:
        self._posted.append((sender, message))

    def collect(self) -> list[tuple[WorkerLife, Message]]:
        posted, self._posted = self._posted, []
        return posted

    def tell(self, receiver: WorkerLife, dispatch: Dispatch) -> None:
        self._told.setdefault(receiver, deque()).append(dispatch)

    def fetch(self, receiver: WorkerLife) -> Dispatch | None:
        waiting = self._told.get(receiver)
        return waiting.popleft() if waiting else None


class MailLink:
    """A worker's line to the owner, by way of the mailbox; see `Link`."""

    def __init__(self, mailbox: Any, own: WorkerLife) -> None:
        self._cluster = cluster_here()
        self._mailbox = mailbox
        self._own = own
        self._looked = 0.0

    def send(self, message: Message) -> None:
        self._ask(self._mailbox.post.remote(self._own, message))

    def receive(self, seconds: float | None) -> Dispatch | None:
        now = time.monotonic()
        if seconds == 0.0 and now < self._looked + PASSING_SECONDS:
            return None
        self._looked = now
        until = None if seconds is None else now + seconds
        while True:
            found: Dispatch | None = self._ask(self._mailbox.fetch.remote(self._own))
            if found is not None or (until is not None and time.monotonic() >= until):
                return found
            time.sleep(LOOK_SECONDS)

    def _ask(self, reference: Any) -> Any:
        try:
            return self._cluster.get(reference)
        except self._cluster.errors:
            raise OwnerGone from None


def remote_worker(sent: Parcel, orders: Orders, mailbox: Any) -> str | None:
    """On the worker: explores; gives what keeps it from that, if anything does."""
    if sent.complaint is not None:
        return sent.complaint
    try:
        with sent.unpacked() as (target, folder):
            config = replace(orders.config, out=folder / "out")
            explore(replace(orders, target=target, config=config), MailLink(mailbox, (orders.number, orders.life)))
    except UntakenError as error:
        return str(error)
    except (OwnerGone, KeyboardInterrupt):
        pass
    return None


class RayCrew:
    """Workers on the machines of a cluster, as `crew.Crew` has them."""

    def __init__(self, cluster: Cluster, target: Target, workers: int) -> None:
        self._cluster = cluster
        self._share = min(1.0, int(10_000 * cluster.cores / workers) / 10_000)  # of a core, for each
        self._mailbox = cluster.service(Mailbox)
        self._parcel = cluster.put(parcel(target))
        self._working: dict[Any, WorkerLife] = {}  # by reference
        self._lives: dict[int, int] = {}  # of those that are not lost

    def start(self, orders: Orders) -> None:
        """A replacement does not wait for a core: the one that it would have had may be gone for good."""
        task = self._cluster.task(remote_worker, cores=0 if orders.life else self._share, retries=0)
        reference = task(self._parcel, orders, self._mailbox)
        self._working[reference] = orders.number, orders.life
        self._lives[orders.number] = orders.life

    def hear(self, seconds: float) -> list[tuple[int, Message]]:
        until = time.monotonic() + seconds
        while True:
            over = self._cluster.finished(list(self._working), wait=False)  # before the mailbox: their last words count
            heard = self._collected()
            heard += [self._farewell(reference) for reference in over]
            if heard or time.monotonic() >= until:
                return heard
            time.sleep(LOOK_SECONDS)

    def _collected(self) -> list[tuple[int, Message]]:
        posted: list[tuple[WorkerLife, Message]] = self._cluster.get(self._mailbox.collect.remote())
        return [(number, message) for (number, life), message in posted if self._lives.get(number) == life]

    def _farewell(self, reference: Any) -> tuple[int, Message]:
        number, _ = self._working.pop(reference)
        try:
            complaint = self._cluster.get(reference)
        except self._cluster.errors as error:
            said = str(error).strip().splitlines()
            return number, Lost(f"the cluster says {type(error).__name__}: {said[-1] if said else ''}")
        return number, Lost("it has ended") if complaint is None else Failure(complaint)

    def tell(self, number: int, dispatch: Dispatch) -> None:
        self._mailbox.tell.remote((number, self._lives[number]), dispatch)

    def stop(self) -> None:
        for number in self._lives:
            self.tell(number, Dispatch(stop=True))

    def close(self) -> None:
        for reference in self._working:
            self._cluster.cancel(reference)
        self._cluster.end(self._mailbox)
