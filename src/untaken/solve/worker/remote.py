"""A solver in a process of its own, which is killed when it does not answer in time.

A solver's own time limits are not looked at while it preprocesses and bit-blasts: a chain of 64-bit divisions held
bitwuzla for more than five seconds past a limit of one. Nodes are sent once; the process starts with the first
query and again after it was killed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from multiprocessing.connection import Pipe
from pathlib import Path

import untaken
from untaken.model.effort import Effort
from untaken.model.expression import Op
from untaken.solve.answers import Answer, DisagreementError, Unknown
from untaken.solve.graph import Graph, nodes_of
from untaken.solve.limits import CALLS_IN_A_STEP, QueryLimits
from untaken.solve.query import Query
from untaken.solve.worker.wire import Ready, Reply, Request

PACKAGES = str(Path(untaken.__file__).parents[1])
GRACE = 1.0  # seconds that the process gets on top, to stop by itself and to answer
START = 30.0  # seconds that a process may take to start


class SolverProcess:
    """One running process, and what it has been told."""

    def __init__(self, backend: str, limits: QueryLimits, niceness: int = 0) -> None:
        self._connection, theirs = Pipe()
        settings = (backend, limits.steps, limits.seconds, limits.memory, niceness)
        arguments = [str(theirs.fileno()), *map(str, settings)]
        paths = [PACKAGES, *filter(None, [os.environ.get("PYTHONPATH")])]
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "untaken.solve.worker.process", *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            )
        self.sent: set[int] = set()
        self.ready = isinstance(self._received(START), Ready)

    def ask(self, request: Request, seconds: float) -> Reply | None:
        """The answer, or None if there was none in time."""
        try:
            self._connection.send(request)
        except OSError:
            return None
        reply = self._received(seconds)
        return reply if isinstance(reply, Reply) else None

    def kill(self) -> None:
        """Ends the process and waits for it, so that none is left behind."""
        self._process.kill()
        self._process.wait()
        self._connection.close()

    def _received(self, seconds: float) -> object:
        """The next message; None if the process has ended, or none came in time."""
        try:
            return self._connection.recv() if self._connection.poll(seconds) else None
        except (EOFError, OSError):
            return None


class RemoteSolver:
    """Answers unknown when the process had to be killed or died, by lack of memory say."""

    def __init__(self, backend: str, graph: Graph, limits: QueryLimits, effort: Effort | None = None) -> None:
        self._backend = backend
        self._effort = Effort() if effort is None else effort
        self._graph = graph
        self._limits = limits
        self._worker: SolverProcess | None = None

    def solve(self, query: Query) -> Answer:
        if self._worker is None:
            self._worker = SolverProcess(self._backend, self._limits)
            if not self._worker.ready:
                self.close()
                return Unknown("the solver's process could not be started")
        try:
            request = request_for(self._graph, query, self._worker.sent, self._effort.left)
            reply = self._worker.ask(request, self._limits.seconds + GRACE)
        except BaseException:  # a Ctrl-C in between would leave half an answer in the connection
            self.close()
            raise
        if reply is None:
            self.close()
            self._effort.spend(self._limits.steps // CALLS_IN_A_STEP)
            return Unknown(f"the solver's process did not answer within {self._limits.seconds:g} s")
        self._effort.spend(reply.steps)
        if isinstance(reply.answer, DisagreementError):
            raise reply.answer
        return reply.answer

    def close(self) -> None:
        if self._worker is not None:
            self._worker.kill()
            self._worker = None


def request_for(graph: Graph, query: Query, sent: set[int], steps: int) -> Request:
    """What a process is to be told, of which so many nodes were sent already."""
    new = graph.below(nodes_of(query.assertions), sent)
    sent.update(new)
    nodes = [(index, graph.node(index)) for index in new]
    tables = {node.b: graph.table(node.b) for _, node in nodes if node.op is Op.READ}
    return Request(
        [(index, int(node.op), node.width, node.a, node.b, node.c) for index, node in nodes],
        {offset: (table.width, table.values, table.entries) for offset, table in tables.items()},
        list(query.assertions),
        steps,
    )
