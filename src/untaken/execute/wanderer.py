"""A program that wanders on random inputs, and waits as a snapshot where it covers nothing new (hybrid search).

It has a fork server of its own beside the session's, on the same shared memory: expressions, coverage and counts are
one, and ordinary runs go on from the program's start while a snapshot waits. The two never run at the same time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from untaken.errors import ExecutionError
from untaken.execute.layout import (
    COMMAND_DROP,
    COMMAND_RESUME,
    COMMAND_RUN,
    DOUBTED_FILES,
    DOUBTED_PIPES,
    REFUSED_CHILDREN,
    REFUSED_THREADS,
    RUN_PRINTABLE,
    RUN_WANDER,
    SNAPSHOT,
    STEPPED,
)
from untaken.execute.memory import REQUEST, REQUEST_OFFSET
from untaken.execute.server import Server, ServerGone, StartFailed
from untaken.execute.session import GRACE_SECONDS, Session, exit_of_server
from untaken.model.input import SourceKind
from untaken.model.path import DamagedTrace, Exit, ExitKind, Path
from untaken.model.stretch import Stretch

REASONS = {
    REFUSED_THREADS: "the program has several threads at a snapshot: it is tested with random inputs only",
    REFUSED_CHILDREN: "the program has child processes at a snapshot: it is tested with random inputs only",
    DOUBTED_FILES: "the program has files open for writing at a snapshot: what one search step writes, the next finds",
    DOUBTED_PIPES: "the program has pipes or sockets open at a snapshot: what one search step reads, the next misses",
}


@dataclass(frozen=True, slots=True)
class WanderManner:
    """How to wander: the seed of the random inputs, after how many without a new branch to wait, and how many more
    inputs the run may have."""

    seed: int
    saturation: int
    limit: int


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """Where the program waits. `rest` was drawn already and not yet read: of stdin, say."""

    number: int
    prefix: bytes
    rest: bytes


class Wanderer:
    """Starts, resumes and drops runs that wander, and runs the program from where one waits."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._memory = session.memory
        self._lost = Exit(ExitKind.SIGNAL)
        self._server: Server | None = None
        self._snapshot: _Snapshot | None = None
        self._numbers = 0
        sources = session.settings.sources
        self._has_streams = any(source.kind is not SourceKind.ARGUMENT for source in sources)

    @property
    def notes(self) -> tuple[str, ...]:
        """What kept snapshots from being taken, or from being exact."""
        refused = self._memory.get("refused")
        return tuple(text for bit, text in REASONS.items() if refused & bit)

    def start(self, manner: WanderManner) -> Stretch:
        """A random stretch from the program's start; an earlier snapshot is dropped."""
        self.drop()
        return self._wander(COMMAND_RUN, b"", b"", manner)

    def resume(self, snapshot: int, suffix: bytes, manner: WanderManner) -> Stretch:
        """On from the snapshot, with these inputs first; if it is lost, from the program's start."""
        waiting = self._snapshot
        if waiting is None or waiting.number != snapshot:
            return self.start(manner)
        self._snapshot = None
        return self._wander(COMMAND_RESUME, waiting.prefix, merged(suffix, waiting.rest), manner)

    def run(self, snapshot: int, suffix: bytes, limit: int) -> Path:
        """From the snapshot, with expressions, until it asked for `limit` inputs."""
        waiting = self._snapshot
        if waiting is None or waiting.number != snapshot:
            return self._nothing(snapshot, suffix)
        given = merged(suffix, waiting.rest)
        self._write(waiting.prefix, given)
        self._request(len(waiting.prefix) + len(given), self._session.wanted_flags, WanderManner(0, 0, limit))
        if self._ask(COMMAND_RUN, snapshot=True) != STEPPED:
            self._close()
            return self._nothing(snapshot, suffix)
        try:
            path = self._session.read_path(given)
        except DamagedTrace:
            return self._damaged(snapshot, suffix)
        used = self._used_since(waiting, path)
        vars(path).update(snapshot=snapshot, input_used=used, fields=(), asked=self._asked_since(waiting))
        return path

    def _asked_since(self, waiting: _Snapshot) -> tuple[tuple[int, int], ...]:
        asked = self._memory.header["asked"][0, : self._memory.get("asked_count")].tolist()
        return tuple((position - len(waiting.prefix), events) for position, events in asked)

    def _used_since(self, waiting: _Snapshot, path: Path) -> int:
        """Of a stream all was taken at the start: where the run had to stop says how far it was read."""
        stopped = path.exit.kind is ExitKind.INPUTS
        end = self._memory.get("stop_position") if stopped else path.input_used
        return max(0, end - len(waiting.prefix))

    def whole_input(self, path: Path) -> bytes:
        """The input that takes the program from its start to where this run from the snapshot ended."""
        assert self._snapshot is not None
        used = max(path.input_used, len(self._snapshot.rest))
        return self._snapshot.prefix + path.input[:used].ljust(used, b"\0")

    def drop(self) -> None:
        """Ends the run that waits, if one does."""
        if self._snapshot is not None and self._server is not None:
            self._snapshot = None
            if self._ask(COMMAND_DROP, snapshot=True) in (b"", SNAPSHOT, STEPPED):
                self._close()
        self._clean_scratch()

    def close(self) -> None:
        """Ends the server, and with it all snapshots."""
        self._close()

    # ---- one stretch

    def _wander(self, command: bytes, prefix: bytes, given: bytes, manner: WanderManner) -> Stretch:
        self._write(prefix, given)
        flags = RUN_WANDER | (RUN_PRINTABLE if self._session.settings.printable else 0)
        self._request(len(prefix) + len(given), flags, manner)
        answer = self._ask(command, snapshot=command == COMMAND_RESUME)
        if not answer:
            return Stretch(prefix + given, len(prefix) + len(given), 0, 0, self._lost)
        self._session.counters.runs += 1
        drawn = prefix + self._drawn(len(prefix))
        return self._waiting(drawn) if answer == SNAPSHOT else self._ended(drawn)

    def _drawn(self, start: int) -> bytes:
        """What is in the input from `start` on; of an input that was asked for past all limits, what there is."""
        used = min(self._memory.get("input_used"), len(self._memory.input))
        return bytes(self._memory.input[start:used])

    def _waiting(self, drawn: bytes) -> Stretch:
        position = self._memory.get("stop_position")
        self._numbers += 1
        self._snapshot = _Snapshot(self._numbers, drawn[:position], drawn[position:])
        return Stretch(drawn, self._memory.get("news_position"), self._memory.get("input_statements"), self._numbers)

    def _ended(self, drawn: bytes) -> Stretch:
        exit = self._session.read_exit()
        news = len(drawn) if self._memory.get("new_ids") else 0
        self._clean_scratch()
        return Stretch(drawn, news, self._memory.get("input_statements"), 0, exit)

    def _damaged(self, snapshot: int, suffix: bytes) -> Path:
        """The run has written over what all runs share."""
        self._close()
        self._session.begin_afresh()
        return self._nothing(snapshot, suffix)

    def _nothing(self, snapshot: int, suffix: bytes) -> Path:
        """The snapshot is gone: nothing can be said of this run."""
        return replace(self._session.empty_path(suffix, Exit(ExitKind.INPUTS)), snapshot=snapshot)

    # ---- the server

    def _clean_scratch(self) -> None:
        if self._server is not None and not self._server.clean_scratch():
            self._close()

    def _write(self, prefix: bytes, given: bytes) -> None:
        """Streams are laid out anew for each run, so that all of the input is needed there."""
        start = len(prefix)
        if self._has_streams:
            self._memory.input[:start] = prefix
        self._memory.input[start : start + len(given)] = given

    def _request(self, size: int, flags: int, manner: WanderManner) -> None:
        timeout = max(1, round(self._session.settings.timeout * 1000))
        numbers = (size, timeout, flags, manner.limit, manner.seed, manner.saturation, 0)
        REQUEST.pack_into(self._memory.map, REQUEST_OFFSET, *numbers)
        self._session.forget_output()

    def _ask(self, command: bytes, *, snapshot: bool) -> bytes:
        """The answer; empty if the server is gone, and then `_lost` says how."""
        try:
            if self._server is None:
                self._server = self._started()
            return self._server.ask(command, self._session.settings.timeout + GRACE_SECONDS, snapshot=snapshot)
        except ServerGone as gone:
            self._lost = exit_of_server(gone)
            self._session.counters.restarts += 1
            self._close()
            return b""

    def _started(self) -> Server:
        """One that does not start, though the session's did, counts as a run that crashed: the campaign goes on."""
        try:
            return self._session.start_server()
        except ExecutionError as error:
            if not isinstance(error.__cause__, StartFailed):
                raise
            raise ServerGone(error.__cause__.status) from error

    def _close(self) -> None:
        self._snapshot = None
        if self._server is not None:
            self._server.close()
            self._server = None


def merged(given: bytes, rest: bytes) -> bytes:
    """What is given, and after it what was there already."""
    return given + rest[len(given) :]
