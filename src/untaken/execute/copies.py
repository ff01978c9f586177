"""What runs wrote to the directories that they see a private copy of, taken away again between runs.

The copy is an overlay (`launcher/mounts.py` mounts it): the kernel keeps what was written apart from the directory
itself. New files are removed through the program's own view, as if the program had done it. A file that was there
before and was changed or removed, or a directory with other rights, cannot be brought back in that way: then the fork
server has to be started anew.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from untaken.execute.removal import entries_of, remove_entry


@dataclass(frozen=True, slots=True)
class _Place:
    """One directory, as open descriptors: what was written, the program's view, and the directory itself."""

    written: int
    view: int
    original: int

    def below(self, name: str) -> _Place:
        flags = os.O_RDONLY | os.O_DIRECTORY
        return _Place(*(os.open(name, flags, dir_fd=handle) for handle in (self.written, self.view, self.original)))

    def close(self) -> None:
        for handle in (self.written, self.view, self.original):
            os.close(handle)


class PrivateCopy:
    """One directory that a program sees a copy of."""

    def __init__(self, root: str, directory: str, written: str) -> None:
        """`root` leads to what the program sees as /."""
        flags = os.O_RDONLY | os.O_DIRECTORY
        paths = (root + written, root + directory, directory)
        self._place = _Place(*(os.open(path, flags) for path in paths))
        self.layer = written  # as the program sees it
        self._inner: list[int] = []  # directories inside that were written to: the copy keeps them
        self._state = self._look()
        self._rights = rights_of(self._place.written)

    def close(self) -> None:
        for handle in self._inner:
            os.close(handle)
        self._inner = []
        self._place.close()

    @property
    def is_written(self) -> bool:
        """Whether anything is different from the directory itself."""
        return bool(os.listdir(self._place.written))

    @property
    def is_deep(self) -> bool:
        """Whether directories inside were written to."""
        return bool(self._inner)

    def clean(self) -> bool:
        """Removes what is new; false if more than that has changed."""
        if self._look() == self._state:
            return True
        return self._bring_back()

    def _bring_back(self) -> bool:
        for handle in self._inner:
            os.close(handle)
        self._inner = []
        restored = self._remove_new(self._place) and rights_of(self._place.written) == self._rights
        self._state = self._look()
        return restored

    def _look(self) -> tuple[object, ...]:
        """After each run: mostly there is nothing inside."""
        state = state_of(self._place.written)
        return (*state, *map(state_of, self._inner)) if self._inner else state

    def _remove_new(self, place: _Place) -> bool:
        restored = True
        for name, is_directory in entries_of(place.written):
            if not _is_in(place.original, name):
                remove_entry(place.view, name, is_directory)
            else:
                restored &= is_directory and self._remove_inside(place, name)
        return restored

    def _remove_inside(self, place: _Place, name: str) -> bool:
        try:
            inner = place.below(name)
        except OSError:  # it is a directory here and something else there
            return False
        restored = self._remove_new(inner) and rights_of(inner.view) == rights_of(inner.original)
        self._inner.append(os.dup(inner.written))
        inner.close()
        return restored


def state_of(handle: int) -> tuple[int, int, int]:
    """Of a directory: changes when entries come or go, and with its rights. The clock of a file system may be too
    coarse to tell; the size is not."""
    state = os.fstat(handle)
    return state.st_mtime_ns, state.st_size, state.st_mode


def rights_of(handle: int) -> int:
    """Who may do what with a directory."""
    return os.fstat(handle).st_mode


def _is_in(handle: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=handle, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True
