"""Where the build stage keeps files: the cache folder, scratch folders, and what the user named as output."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress

from untaken.atomic_files import replace_file
from untaken.errors import CompileError


def temporary_root() -> str:
    """The folder for short-lived files."""
    return os.environ.get("TMPDIR") or "/tmp"


def preferred_cache() -> str:
    """The folder for our cache: below XDG_CACHE_HOME, else below ~/.cache."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.environ.get("HOME") or "/nonexistent", ".cache")
    return os.path.join(home, "untaken")


def cache_root() -> str:
    """Where compiled things are kept; a private folder among the temporary files where that cannot be written."""
    for candidate in (preferred_cache(), os.path.join(temporary_root(), f"untaken-{os.getuid()}")):
        with suppress(OSError):
            os.makedirs(candidate, mode=0o700, exist_ok=True)
            # A folder of that name that belongs to someone else could hold anything.
            if os.access(candidate, os.W_OK) and os.stat(candidate).st_uid == os.getuid():
                return candidate
    return os.path.join(temporary_root(), f"untaken-{os.getuid()}-{os.getpid()}")


def digest(parts: Iterable[bytes]) -> str:
    """A name for what these parts are together."""
    from hashlib import blake2b

    state = blake2b(digest_size=12)
    for part in parts:
        state.update(len(part).to_bytes(8, "little"))
        state.update(part)
    return state.hexdigest()


def remembered(name: str, key: str, ask: Callable[[], str | None]) -> str | None:
    """What `ask` says, kept in a file of the cache folder under a key; None is not kept."""
    memory = os.path.join(cache_root(), f"known-{name}")
    known: dict[str, str] = {}
    with suppress(OSError, ValueError), open(memory, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file]
        known = {line[0]: line[1] for line in lines if len(line) == 3 and line[2] == _check(*line[:2])}
    if key not in known and (answer := ask()) is not None:
        known[key] = answer
        with suppress(OSError):
            os.makedirs(os.path.dirname(memory), exist_ok=True)
            text = "".join(f"{key}\t{value}\t{_check(key, value)}\n" for key, value in known.items())
            replace_file(memory, text.encode())
    return known.get(key)


def _check(key: str, value: str) -> str:
    """Tells a line that was damaged."""
    return digest([key.encode(), value.encode()])


@contextmanager
def scratch_directory() -> Iterator[str]:
    """A private folder that is gone afterwards."""
    path = os.path.join(temporary_root(), f"untaken-{os.getpid()}-{os.urandom(6).hex()}")
    os.mkdir(path, 0o700)
    try:
        yield path
    finally:
        remove_directory(path)


def remove_directory(path: str) -> None:
    """Removes a flat folder of ours; what cannot be removed stays."""
    with suppress(OSError):
        for entry in os.scandir(path):
            with suppress(OSError):
                os.unlink(entry.path)
        os.rmdir(path)


def write_output(path: str, data: bytes) -> None:
    """Writes what the user asked for: whole or not at all, except to devices and to `-`, standard output."""
    try:
        if path == "-":
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        elif _is_special(path):
            with open(path, "wb") as device:
                device.write(data)
        else:
            replace_file(path, data)
    except OSError as error:
        raise CompileError(f"cannot write {path}: {error.strerror}") from None


def _is_special(path: str) -> bool:
    try:
        return not stat.S_ISREG(os.stat(path).st_mode)
    except FileNotFoundError:
        return False
