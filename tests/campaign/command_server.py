"""Commands in processes that are forked from one that has loaded them all: the tests start hundreds, and loading takes
longer than most of them run.

    python -m tests.campaign.command_server SOCKET

Each request is a `Request` as JSON, with the files for standard input, output and error; the answer is the number of
the process, and when it has ended, its status.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import signal
import socket
import subprocess
import sys
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib import import_module
from pathlib import Path
from typing import IO, Any

LARGEST = 1 << 20
FILES = 3
ROOT = Path(__file__).parents[2]  # a test may have gone elsewhere when the first command comes


@dataclass(frozen=True, slots=True)
class Request:
    """A command: which one of `cli/start.py`, and what it is started with."""

    words: Sequence[str]
    environment: Mapping[str, str]
    folder: str
    entry: str = "untaken"


@dataclass(slots=True)
class CommandServer:
    """The process that commands are forked from, started when it is first needed."""

    _connection: socket.socket | None = field(default=None)
    _owner: int = 0  # a worker of the tests that was forked has none

    def run(self, request: Request, files: Sequence[IO[bytes]]) -> int:
        """Runs a command to its end; its exit code, or minus the signal that ended it."""
        connection = self._connected()
        data = json.dumps({**asdict(request), "words": list(request.words), "environment": dict(request.environment)})
        socket.send_fds(connection, [data.encode()], [file.fileno() for file in files])
        process = int(connection.recv(LARGEST))
        try:
            return os.waitstatus_to_exitcode(int(connection.recv(LARGEST)))
        except TimeoutError:
            os.kill(process, signal.SIGKILL)
            connection.recv(LARGEST)
            raise

    def _connected(self) -> socket.socket:
        if self._connection is None or self._owner != os.getpid():
            self._connection, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            self._owner = os.getpid()
            words = [sys.executable, "-m", "tests.campaign.command_server", str(other.fileno())]
            subprocess.Popen(words, pass_fds=[other.fileno()], stdin=subprocess.DEVNULL, cwd=ROOT)
            other.close()
        return self._connection

    def limit(self, seconds: float) -> None:
        """How long a command may take; then it is ended, and TimeoutError says so."""
        self._connected().settimeout(seconds)


def serve(connection: socket.socket) -> None:
    """Until whoever asks is gone."""
    from untaken.cli.main import COMMANDS

    for module, _ in COMMANDS.values():
        import_module(f"untaken.cli.{module}")
    gc.freeze()
    while True:
        request, files, _, _ = socket.recv_fds(connection, LARGEST, FILES)
        if not request:
            return
        process = os.fork()
        if process == 0:
            connection.close()
            become_command(json.loads(request), files)
        for file in files:
            os.close(file)
        connection.send(str(process).encode())
        connection.send(str(os.waitpid(process, 0)[1]).encode())


def become_command(request: Mapping[str, Any], files: Sequence[int]) -> None:
    """As if Python had just been started with it."""
    code = 1
    try:
        for number, file in enumerate(files):
            os.dup2(file, number)
        os.closerange(FILES, max(files) + 1)
        os.chdir(request["folder"])
        os.environ.clear()
        os.environ.update(request["environment"])
        sys.argv = [request["entry"], *request["words"]]
        from untaken.cli import start

        code = getattr(start, request["entry"])()
        atexit._run_exitfuncs()
        sys.stdout.flush()
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
