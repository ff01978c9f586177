"""The client of bare_server.c: runs a plain program through a fork server that does nothing else."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

SERVER_SOURCE = Path(__file__).parent / "bare_server.c"


class BareServer:
    """A context manager around one program; `run` takes the contents of stdin.

    The server is linked into the program, or is in the library `preload`.
    """

    def __init__(self, program: Path, arguments: Sequence[str], preload: Path | None = None) -> None:
        self._stdin = os.memfd_create("stdin")
        control, self._control = os.pipe()
        self._status, status = os.pipe()
        environment = {**os.environ, "BARE_CONTROL": str(control), "BARE_STATUS": str(status)}
        if preload is not None:
            environment["LD_PRELOAD"] = str(preload)
        self._process = subprocess.Popen(
            [program, *arguments],
            stdin=self._stdin,
            stdout=subprocess.DEVNULL,
            stderr=None if preload is None else subprocess.DEVNULL,
            env=environment,
            pass_fds=(control, status),
        )
        os.close(control)
        os.close(status)
        self._await()

    def __enter__(self) -> BareServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._control)
        self._process.wait(timeout=20)
        os.close(self._status)
        os.close(self._stdin)

    def run(self, stdin: bytes) -> None:
        os.pwrite(self._stdin, stdin, 0)
        os.ftruncate(self._stdin, len(stdin))
        os.write(self._control, b"r")
        self._await()

    def _await(self) -> None:
        answer = os.read(self._status, 1)
        if answer not in (b"R", b"E"):
            raise RuntimeError(f"the plain program does not run under its bare fork server: {answer!r}")
