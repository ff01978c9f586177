"""The process that solves heavy queries: receives requests and sends replies, until the other end is closed.

Started by remote.py as `python -m untaken.solve.worker.process CONNECTION BACKEND STEPS SECONDS MEMORY NICENESS`, where
the connection is the number of an open file. It may be killed at any time.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
from contextlib import suppress
from multiprocessing.connection import Connection

from untaken.model.effort import Effort
from untaken.solve.answers import Answer, DisagreementError
from untaken.solve.backends.registry import make_backend
from untaken.solve.graph import Graph
from untaken.solve.limits import QueryLimits
from untaken.solve.query import Query
from untaken.solve.solver import Solver
from untaken.solve.values.truth import TruthTables
from untaken.solve.worker.wire import Ready, ReceivedExpressions, Reply, Request

PR_SET_PDEATHSIG = 1


def main(arguments: list[str]) -> None:
    """Answers until there is nothing more to receive."""
    descriptor, backend, steps, seconds, memory, niceness = arguments
    _die_with_parent()
    os.nice(int(niceness))
    resource.setrlimit(resource.RLIMIT_AS, (int(memory), int(memory)))
    limits = QueryLimits(steps=int(steps), seconds=float(seconds))
    with Connection(int(descriptor)) as connection, suppress(EOFError):
        serve(connection, backend, limits)


def serve(connection: Connection, backend: str, limits: QueryLimits) -> None:
    """One reply for each request; EOFError when the other end is closed."""
    expressions, effort = ReceivedExpressions(), Effort()
    graph = Graph(expressions)
    solver = make_backend(backend, graph, TruthTables(graph), limits, heavy=True, effort=effort)
    connection.send(Ready())
    while True:
        request: Request = connection.recv()
        expressions.receive(request)
        before = effort.spent
        effort.allow(request.steps)
        answer = _answer(solver, Query.of(request.codes))
        connection.send(Reply(answer, effort.spent - before))


def _answer(solver: Solver, query: Query) -> Answer | DisagreementError:
    """An exception would end this process, and be taken for a lack of memory."""
    try:
        return solver.solve(query)
    except DisagreementError as error:
        return error


def _die_with_parent() -> None:
    """Ctrl-C is for the parent to handle; but if it is killed, no orphan goes on computing."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


if __name__ == "__main__":
    main(sys.argv[1:])
