"""Things that a program must not reach: a file, sockets, a FIFO, a process. Whether one was reached can be told."""

from __future__ import annotations

import os
import resource
import socket
import subprocess
from contextlib import suppress
from pathlib import Path

from untaken.execute.launcher import landlock

PROGRAM = Path(__file__).with_name("reach_out.c")
TEXT = "precious\n"


class Canaries:
    """In a new folder of this user's. A context manager, which removes what is not a file."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.folder = folder
        self._file = folder / "file"
        self._file.write_text(TEXT)
        self._file.chmod(0o600)
        os.utime(self._file, (1, 1))
        self._stream = self._listening("socket", socket.SOCK_STREAM)
        self._stream.listen()
        self._datagram = self._listening("datagram", socket.SOCK_DGRAM)
        os.mkfifo(folder / "fifo")
        self._fifo = os.open(folder / "fifo", os.O_RDONLY | os.O_NONBLOCK)
        self._process = subprocess.Popen(["sleep", "600"])
        self._limits = self._limits_now()

    def _listening(self, name: str, kind: socket.SocketKind) -> socket.socket:
        made = socket.socket(socket.AF_UNIX, kind)
        made.bind(str(self.folder / name))
        made.setblocking(False)
        return made

    def _limits_now(self) -> tuple[int, int] | None:
        with suppress(OSError):
            return resource.prlimit(self._process.pid, resource.RLIMIT_NOFILE)
        return None

    def __enter__(self) -> Canaries:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.kill()
        self._process.wait()
        self._stream.close()
        self._datagram.close()
        os.close(self._fifo)

    @property
    def words(self) -> list[str]:
        """What the program is told of them."""
        return [str(self.folder), str(self._process.pid)]

    def reached(self, *, by_signals: bool = True) -> list[str]:
        """Which of them were."""
        found = [] if self._file_is_whole() else ["the file"]
        found += ["the folder"] if (self.folder / "made").exists() else []
        with suppress(BlockingIOError):
            self._stream.accept()
            found.append("the socket")
        with suppress(BlockingIOError):
            self._datagram.recv(1)
            found.append("the datagram socket")
        with suppress(BlockingIOError):
            found += ["the FIFO"] if os.read(self._fifo, 1) else []
        found += ["the process"] if by_signals and self._process.poll() is not None else []
        found += ["its limits"] if self._process.poll() is None and self._limits_now() != self._limits else []
        return found

    def _file_is_whole(self) -> bool:
        with suppress(OSError):
            status = self._file.stat()
            return (self._file.read_text(), status.st_mode & 0o777, int(status.st_mtime)) == (TEXT, 0o600, 1)
        return False


def signals_are_held() -> bool:
    """Without namespaces only newer versions of Landlock keep signals from others."""
    return landlock.version() >= landlock.SCOPES_SINCE
