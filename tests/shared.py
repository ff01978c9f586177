"""What several test files need, made once for all workers of a test run."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest


def shared_folder(factory: pytest.TempPathFactory) -> Path:
    """A folder of this test run that all its workers have; each has a folder of its own inside of that."""
    base = factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


def made_once(place: Path, make: Callable[[Path], object]) -> Path:
    """The file or folder at this place: whoever is first makes it, aside; the others wait."""
    with open(f"{place}.lock", "wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not place.exists():
            aside = place.with_name(f"{place.name}.aside")
            make(aside)
            aside.rename(place)
    return place
