"""A solver in a process of its own, which is killed when it does not answer in time.

A solver's own time limits are not looked at while it preprocesses and bit-blasts: a chain of 64-bit divisions held
bitwuzla for more than five seconds past a limit of one. Nodes are sent once; the process starts with the first
query and again after it was killed.
"""

from __future__ import annotations

import os
import pickle
import select
import subprocess
import sys
import time
from pathlib import Path

import untaken
from untaken.model.effort import Effort
from untaken.model.expression import Op
from untaken.solve.answers import Answer, Unknown
from untaken.solve.graph import Graph, nodes_of
from untaken.solve.limits import QueryLimits
from untaken.solve.query import Query
from untaken.solve.worker.wire import HEADER, READY, Reply, Request, framed

PACKAGES = str(Path(untaken.__file__).parents[1])
GRACE = 1.0  # seconds that the process gets on top, to stop by itself and to answer
START = 30.0  # seconds that a process may take to start


class SolverProcess:
    """One running process, and what it has been told."""

    def __init__(self, backend: str, limits: QueryLimits) -> None:
        arguments = [backend, str(limits.steps), str(limits.seconds), str(limits.memory)]
        paths = [PACKAGES, *filter(None, [os.environ.get("PYTHONPATH")])]
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "untaken.solve.worker.process", *arguments],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        )
        self.sent: set[int] = set()
        self.ready = self._read(len(READY), time.monotonic() + START) == READY

    def ask(self, request: Request, seconds: float) -> Reply | None:
        """The answer, or None if there was none in time."""
        deadline = time.monotonic() + seconds
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(framed(request))
        except BrokenPipeError:
            return None
        header = self._read(HEADER.size, deadline)
        body = header and self._read(HEADER.unpack(header)[0], deadline)
        if not body:
            return None
        reply = pickle.loads(body)
        assert isinstance(reply, Reply)
        return reply

    def kill(self) -> None:
        """Ends the process and waits for it, so that none is left behind."""
        self._process.kill()
        with self._process:
            pass

    def _read(self, size: int, deadline: float) -> bytes | None:
        assert self._process.stdout is not None
        stream = self._process.stdout.fileno()
        data = b""
        while len(data) < size:
            ready, _, _ = select.select([stream], [], [], max(0.0, deadline - time.monotonic()))
            part = os.read(stream, size - len(data)) if ready else b""
            if not part:
                return None
            data += part
        return data


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
            reply = self._worker.ask(self._request(query, self._worker.sent), self._limits.seconds + GRACE)
        except BaseException:  # a Ctrl-C in between would leave half an answer in the pipe
            self.close()
            raise
        if reply is None:
            self.close()
            self._effort.spend(self._limits.steps)
            return Unknown(f"the solver's process did not answer within {self._limits.seconds:g} s")
        self._effort.spend(reply.steps)
        return reply.answer

    def close(self) -> None:
        if self._worker is not None:
            self._worker.kill()
            self._worker = None

    def _request(self, query: Query, sent: set[int]) -> Request:
        new = self._graph.below(nodes_of(query.assertions), sent)
        sent.update(new)
        nodes = [(index, self._graph.node(index)) for index in new]
        tables = {node.b: self._graph.table(node.b) for _, node in nodes if node.op is Op.READ}
        return Request(
            [(index, int(node.op), node.width, node.a, node.b, node.c) for index, node in nodes],
            {offset: (table.width, table.values, table.entries) for offset, table in tables.items()},
            list(query.assertions),
            self._limits.allowed(self._effort),
        )
