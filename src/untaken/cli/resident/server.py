"""The resident compiler itself: waits for calls, has a copy of itself make each, and ends when there are none.

Whoever ends it does no harm. Copies end with it, and their calls are made again by those who asked for them.
"""

from __future__ import annotations

import gc
import os
import resource
import select
import signal
import sys
import time
from contextlib import suppress
from importlib import import_module
from socket import AF_UNIX, SO_PEERCRED, SOCK_CLOEXEC, SOCK_STREAM, SOL_SOCKET, socket

from untaken.cli.resident.circumstances import Watched, circumstances
from untaken.cli.resident.compiled_client import keep_client
from untaken.cli.resident.meeting import inherited
from untaken.cli.resident.messages import Broken, CompilerCall, close_all, receive_request, send_status
from untaken.cli.resident.worker import make_call

FOLDER, LOCK = 3, 4  # descriptors that it is started with
MOST_WAITING = 128
REQUEST_SECONDS = 2.0  # for the rest of a request, once its first byte is there
SPARE = 32  # descriptors that are left for all else; each call takes two
OLD = 86_400.0  # seconds after which what another process left behind is removed


def main(name: str, seconds: str, script: str) -> None:
    """Serves calls at the socket of this name until there were none for so many seconds."""
    for descriptor in (FOLDER, LOCK):
        os.set_inheritable(descriptor, False)
    os.close(os.pidfd_open(os.getpid()))  # where this cannot be had, nothing begins
    os.chdir("/")
    os.ftruncate(LOCK, 0)
    os.pwrite(LOCK, str(os.getpid()).encode(), 0)
    _remove_old()
    path = f"/proc/self/fd/{FOLDER}/{name}"
    with suppress(FileNotFoundError):
        os.unlink(path)
    with socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC) as listening:
        listening.bind(path)
        listening.listen(MOST_WAITING)  # whoever comes while we load, waits
        _load()
        server = _Server(listening, path)
        keep_client(script)
        server.serve(int(seconds))
        server.retire()


def _load() -> None:
    """All that calls may need, so that no copy has to; what is there now is no garbage for any of them."""
    from untaken.cli.bytecode import keep_bytecode

    keep_bytecode()
    from untaken.build.warm_up import load_all

    import_module("untaken.cli.main")
    load_all()
    gc.collect()
    gc.freeze()


def _remove_old() -> None:
    """Sockets and locks for calls that were started in other ways, as on earlier days."""
    for entry in os.scandir(FOLDER):
        with suppress(OSError):
            status = os.stat(entry.name, dir_fd=FOLDER, follow_symlinks=False)
            if time.time() - status.st_mtime > OLD and not entry.is_dir():
                os.unlink(entry.name, dir_fd=FOLDER)


class _Server:
    """`_calls` and `_copies` have the same calls, by the descriptors of their sockets and of their processes."""

    def __init__(self, listening: socket, path: str) -> None:
        self._listening = listening
        self._path = path
        self._sources = _sources()
        self._circumstances = circumstances(os.getpid())
        self._inherited = inherited(os.environb)
        self._most = (resource.getrlimit(resource.RLIMIT_NOFILE)[0] - SPARE) // 2
        self._poll = select.poll()
        self._poll.register(listening, select.POLLIN)
        self._calls: dict[int, tuple[socket, int]] = {}
        self._copies: dict[int, tuple[socket, int]] = {}

    def serve(self, seconds: int) -> None:
        while self._copies or self._listening.fileno() >= 0:
            events = self._poll.poll(None if self._copies else seconds * 1000)
            if not events:
                return
            for descriptor, _ in events:
                self._answer(descriptor)

    def retire(self) -> None:
        """Nobody is to come any more, and another may begin. Copies that are at work go on, as any call would."""
        if self._listening.fileno() >= 0:
            self._poll.unregister(self._listening)
            self._listening.close()
            with suppress(OSError):
                os.unlink(self._path)
            os.close(LOCK)

    def _answer(self, descriptor: int) -> None:
        if descriptor == self._listening.fileno():
            self._accept()
        elif descriptor in self._copies:
            self._finish(descriptor)
        elif descriptor in self._calls:
            self._pass_on(descriptor)

    def _accept(self) -> None:
        connection, _ = self._listening.accept()
        try:
            if _sources() != self._sources:
                self.retire()  # we are not what is installed any more
                raise Broken
            if len(self._copies) >= self._most:
                raise Broken
            self._check(connection)
            connection.settimeout(REQUEST_SECONDS)
            self._begin(connection, *receive_request(connection))
        except (Broken, Watched, OSError, ValueError):
            connection.close()

    def _check(self, connection: socket) -> None:
        """Whether a copy of ours would be what the caller is."""
        owner = connection.getsockopt(SOL_SOCKET, SO_PEERCRED, 12)
        process, user = (int.from_bytes(owner[at : at + 4], "little") for at in (0, 4))
        if user != os.geteuid() or process == 0 or circumstances(process) != self._circumstances:
            raise Broken

    def _begin(self, connection: socket, request: CompilerCall, descriptors: list[int]) -> None:
        try:
            if inherited(request[2]) != self._inherited:
                raise Broken
            process = os.fork()
            if process == 0:
                make_call(request, descriptors)
        finally:
            close_all(descriptors)
        with suppress(OSError):
            os.setpgid(process, process)  # as it does itself, if that was not the faster one
        copy = os.pidfd_open(process)
        self._copies[copy] = self._calls[connection.fileno()] = (connection, process)
        self._poll.register(copy, select.POLLIN)
        self._poll.register(connection, select.POLLIN)

    def _pass_on(self, descriptor: int) -> None:
        """A request to end, or the end of whoever made the call: then nobody waits for its result. It is for all that
        the copy has started, as Ctrl-C in a terminal is: a linker may be several processes."""
        connection, process = self._calls[descriptor]
        try:
            numbers = connection.recv(16)
        except OSError:
            numbers = b""
        if not numbers:
            self._poll.unregister(descriptor)
            del self._calls[descriptor]
        for number in numbers or (signal.SIGTERM,):
            os.killpg(process, number)

    def _finish(self, descriptor: int) -> None:
        connection, process = self._copies.pop(descriptor)
        self._poll.unregister(descriptor)
        os.close(descriptor)
        _, status = os.waitpid(process, 0)
        if self._calls.pop(connection.fileno(), None) is not None:
            self._poll.unregister(connection)
            with suppress(OSError):
                send_status(connection, status)
        connection.close()


def _sources() -> list[tuple[int, int, int]]:
    """The files that we, and what reads bitcode for us, were loaded from, as they are now."""
    found = []
    for name, module in list(sys.modules.items()):
        path = getattr(module, "__file__", None)
        if path and name.partition(".")[0] in ("untaken", "llvmlite"):
            with suppress(OSError):
                status = os.stat(path)
                found.append((status.st_ino, status.st_mtime_ns, status.st_size))
    return found
