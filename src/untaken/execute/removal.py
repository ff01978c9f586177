"""Removes what runs have left: folders may be as deep as they like, closed, and have names that are no text."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp

OPENED = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


def remove_entry(handle: int, name: str, is_directory: bool) -> None:
    """An entry of an open folder, with all that is in it. What cannot be removed stays."""
    with suppress(OSError):
        if is_directory:
            _remove_tree(handle, name)
        else:
            os.unlink(name, dir_fd=handle)


def empty_directory(handle: int) -> None:
    """Removes all entries of an open folder."""
    for name, is_directory in entries_of(handle):
        remove_entry(handle, name, is_directory)


def entries_of(handle: int) -> list[tuple[str, bool]]:
    """Names, and whether they are folders."""
    with os.scandir(handle) as entries:
        return [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]


def remove_folder(path: Path) -> None:
    with suppress(OSError):
        parent = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            remove_entry(parent, path.name, is_directory=True)
        finally:
            os.close(parent)


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """One that is removed at the end, whatever was made in it."""
    folder = Path(mkdtemp(prefix="untaken-"))
    try:
        yield folder
    finally:
        remove_folder(folder)


def _remove_tree(handle: int, name: str) -> None:
    """What lies deep is moved up first: so nothing recurses, and few descriptors are open."""
    waiting, number = [name], 0
    while waiting:
        current = waiting.pop()
        with suppress(OSError):
            os.chmod(current, 0o700, dir_fd=handle)
        folder = os.open(current, OPENED, dir_fd=handle)
        try:
            for inner, is_directory in entries_of(folder):
                if is_directory:
                    number += 1
                    waiting.append(_moved_up(folder, inner, handle, f"{name}.untaken-{number}"))
                else:
                    os.unlink(inner, dir_fd=folder)
        finally:
            os.close(folder)
        os.rmdir(current, dir_fd=handle)


def _moved_up(folder: int, name: str, to: int, new: str) -> str:
    with suppress(OSError):
        os.chmod(name, 0o700, dir_fd=folder)
    os.rename(name, new, src_dir_fd=folder, dst_dir_fd=to)
    return new
