"""The side of a call: hands it over to a resident compiler, or begins one for the calls to come.

Each call pays for what is imported here, so these are modules in C, and few.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import fcntl
import os
import sys
import time
from _socket import AF_UNIX, SO_PEERCRED, SOCK_CLOEXEC, SOCK_STREAM, SOL_SOCKET, socket
from contextlib import suppress

from untaken.cli.resident.meeting import Unfit, is_fit, meeting_folder, meeting_name, seconds_to_stay
from untaken.cli.resident.messages import STREAMS, Broken, receive_status, send_request

SOON = 60.0  # seconds within which a second call shows that more are to come
PAUSE = 5.0  # seconds before another one is begun where the last did not stay
PATIENCE = 5.0  # seconds for a new one to be there; mostly it takes a tenth of one
_REQUESTS = (_signal.SIGINT, _signal.SIGTERM, _signal.SIGHUP)
_SERVER = "import sys; sys.path[:] = sys.argv[4:]; from untaken.cli.resident.server import main; main(*sys.argv[1:4])"


def make_elsewhere(words: list[str]) -> None:
    """Has a resident compiler make this call, and ends as its copy did; returns if there is none that could.

    `words` are those of the whole command, its own name first. A request to end is passed on. Where one came that the
    other side did not live to answer, KeyboardInterrupt is raised.
    """
    try:
        for stream in range(STREAMS):
            os.fstat(stream)
        if seconds_to_stay() and is_fit(words):
            _hand_over(meeting_folder(), meeting_name(), words)
    except (Unfit, Broken, OSError):
        return


def _hand_over(folder: int, name: str, words: list[str]) -> None:
    try:
        connection = _connected(folder, name) or _connected_to_new(folder, name)
        if connection is not None:
            _end_as(_status_of_call(connection, words))
    finally:
        os.close(folder)


def _connected(folder: int, name: str) -> socket | None:
    connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC)
    try:
        # Names of sockets are short; that of the folder may be longer than one.
        connection.connect(f"/proc/self/fd/{folder}/{name}")
        owner = int.from_bytes(connection.getsockopt(SOL_SOCKET, SO_PEERCRED, 12)[4:8], "little")
        if owner == os.geteuid():
            return connection
    except (FileNotFoundError, ConnectionError):
        pass
    connection.close()
    return None


def _status_of_call(connection: socket, words: list[str]) -> int:
    asked: list[int] = []

    def pass_on(number: int, _frame: object) -> None:
        asked.append(number)
        with suppress(OSError):  # it has ended, which is what was asked for
            connection.sendall(bytes([number]))

    heard = {number: _signal.getsignal(number) for number in _REQUESTS}
    heard = {number: handler for number, handler in heard.items() if handler != _signal.SIG_IGN}
    try:
        send_request(connection, words)
        for number in heard:
            _signal.signal(number, pass_on)
        return receive_status(connection)
    except (Broken, OSError):
        if asked:
            raise KeyboardInterrupt from None
        raise
    finally:
        for number, handler in heard.items():
            _signal.signal(number, handler)


def _end_as(status: int) -> None:
    """Nothing of ours is left to be written."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        _signal.signal(number, _signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(status))


def _connected_to_new(folder: int, name: str) -> socket | None:
    """With one that begins now: to wait until it has loaded everything costs less than to load that here, too."""
    if not _is_begun(folder, name):
        return None
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and not _is_free(folder, name):
        if (connection := _connected(folder, name)) is not None:
            return connection
        time.sleep(0.01)
    return None


def _is_free(folder: int, name: str) -> bool:
    """Whether nobody holds the lock: then the one that was begun has ended."""
    lock = os.open(f"{name}.lock", os.O_RDWR | os.O_CLOEXEC, dir_fd=folder)
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(lock)
    return True


def _is_begun(folder: int, name: str) -> bool:
    """Whether one is about to be there: not for one call alone, and no two at once."""
    lock = os.open(f"{name}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600, dir_fd=folder)
    try:
        status, now = os.fstat(lock), time.time()
        if status.st_size == 0 or not 0 <= now - status.st_mtime < SOON:
            os.pwrite(lock, b"-", 0)  # a first call: this is its time
            return False
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True  # another call has begun it
        if os.pread(lock, 1, 0) != b"-" and now - status.st_mtime < PAUSE:
            return False
        os.pwrite(lock, b"+", 0)  # one that cannot begin is not tried by each call
        _begin(folder, name, lock)
        return True
    finally:
        os.close(lock)


def _begin(folder: int, name: str, lock: int) -> None:
    """Starts the server with nothing open but the folder and the lock, which it holds as long as it lives."""
    kept = {folder: 3, lock: 4}
    first = max(*map(int, os.listdir("/proc/self/fd")), *kept.values()) + 1
    actions: list[tuple[int, ...] | tuple[int, int, str, int, int]] = [
        (os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_RDWR, 0) for stream in range(STREAMS)
    ]
    for number, (descriptor, _) in enumerate(kept.items()):
        actions.append((os.POSIX_SPAWN_DUP2, descriptor, first + number))
    for number, target in enumerate(kept.values()):
        actions.append((os.POSIX_SPAWN_DUP2, first + number, target))
    actions += [(os.POSIX_SPAWN_CLOSE, descriptor) for descriptor in range(5, first + len(kept))]
    script = os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), "untaken-cc")
    command = [sys.executable, "-c", _SERVER, name, str(seconds_to_stay()), script, *sys.path]
    os.posix_spawn(sys.executable, command, os.environ, file_actions=actions, setsid=True)
