"""Workers on this machine: a process each, with a pipe. Threads read and write the pipes, so that nobody waits."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import Empty, SimpleQueue
from threading import Thread

from untaken.errors import UntakenError
from untaken.interrupts import undisturbed
from untaken.pool.processes import end_processes, pipe, start_process, start_server
from untaken.team.link import Link, OwnerGone, PipeLink
from untaken.team.messages import Dispatch, Failure, Lost, Message, Orders
from untaken.team.worker import explore

Inbox = SimpleQueue[tuple[int, Message]]


@dataclass(frozen=True, slots=True)
class CrewMember:
    """A worker's process, and how to speak with it."""

    number: int
    process: BaseProcess
    connection: Connection
    outbox: SimpleQueue[Dispatch | None] = field(default_factory=SimpleQueue)


def prepare() -> None:
    """What workers need is loaded while the owner does something else: it takes longer than all else of their start."""
    start_server(work)


class LocalCrew:
    """A crew of processes on this machine; `Crew` says what a crew is."""

    def __init__(self) -> None:
        self._members: dict[int, CrewMember] = {}
        self._inbox: Inbox = SimpleQueue()

    def start(self, orders: Orders) -> None:
        ours, theirs = pipe(duplex=True)
        with undisturbed():  # the fork server and we know of the same processes
            process = start_process(work, (replace(orders, target=orders.target.without_map()), theirs))
            theirs.close()
            member = self._members[orders.number] = CrewMember(orders.number, process, ours)
        Thread(target=read, args=(member, self._inbox), daemon=True).start()
        Thread(target=write, args=(member,), daemon=True).start()

    def hear(self, seconds: float) -> list[tuple[int, Message]]:
        heard = []
        try:
            heard.append(self._inbox.get(timeout=max(0.0, seconds)))
            while True:
                heard.append(self._inbox.get_nowait())
        except Empty:
            return heard

    def tell(self, number: int, news: Dispatch) -> None:
        self._members[number].outbox.put(news)

    def stop(self) -> None:
        for member in self._members.values():
            member.process.terminate()  # heard also in the middle of a long question to the solver

    def close(self) -> None:
        end_processes([member.process for member in self._members.values()])
        for member in self._members.values():
            member.outbox.put(None)


def read(member: CrewMember, inbox: Inbox) -> None:
    """In a thread: all that a worker says, and that it is gone."""
    try:
        while True:
            inbox.put((member.number, member.connection.recv()))
    except (EOFError, OSError):
        member.process.join()
        inbox.put((member.number, Lost(f"its process ended with {member.process.exitcode}")))


def write(member: CrewMember) -> None:
    """In a thread: what a worker is told."""
    try:
        while (news := member.outbox.get()) is not None:
            member.connection.send(news)
    except OSError:
        return  # who reads from it has noticed, too


def work(orders: Orders, connection: Connection) -> None:
    """In the process of a worker."""
    answer(orders, PipeLink(connection))


def answer(orders: Orders, link: Link) -> None:
    """Explores; says so if that cannot be."""
    try:
        explore(replace(orders, target=orders.target.with_map()), link)
    except UntakenError as error:
        link.send(Failure(str(error)))
    except OwnerGone:
        pass  # nobody is left who would want to know
    except KeyboardInterrupt:  # before it had begun
        raise SystemExit(130) from None
    except Exception as error:
        link.send(Failure(f"{type(error).__name__}: {error}", is_fault=True))
