"""The process that solves heavy queries: reads requests from stdin, writes replies to stdout, until stdin ends.

Started by remote.py as `python -m untaken.solve.worker.process BACKEND STEPS SECONDS MEMORY`. It may be killed at any
time.
"""

from __future__ import annotations

import ctypes
import resource
import signal
import sys

from untaken.model.effort import Effort
from untaken.solve.backends.registry import make_backend
from untaken.solve.graph import Graph
from untaken.solve.limits import QueryLimits
from untaken.solve.query import Query
from untaken.solve.values.truth import TruthTables
from untaken.solve.worker.wire import READY, ReceivedExpressions, Reply, Request, framed, received

PR_SET_PDEATHSIG = 1


def main(arguments: list[str]) -> None:
    """Answers until there is nothing more to read."""
    backend, steps, seconds, memory = arguments
    _die_with_parent()
    resource.setrlimit(resource.RLIMIT_AS, (int(memory), int(memory)))
    expressions = ReceivedExpressions()
    graph = Graph(expressions)
    effort = Effort()
    limits = QueryLimits(steps=int(steps), seconds=float(seconds))
    solver = make_backend(backend, graph, TruthTables(graph), limits, heavy=True, effort=effort)
    sys.stdout.buffer.write(READY)
    sys.stdout.buffer.flush()
    while isinstance(request := received(sys.stdin.buffer), Request):
        expressions.receive(request)
        before = effort.spent
        effort.allow(request.steps)
        answer = solver.solve(Query.of(request.codes))
        sys.stdout.buffer.write(framed(Reply(answer, effort.spent - before)))
        sys.stdout.buffer.flush()


def _die_with_parent() -> None:
    """Ctrl-C is for the parent to handle; but if it is killed, no orphan goes on computing."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


if __name__ == "__main__":
    main(sys.argv[1:])
