"""The rooms of the C runtime: which may know which, by what their sources include."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import untaken

RUNTIME = Path(untaken.__file__).parent / "runtime"
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
MOST_FILES = 25  # in a folder that one takes in at a glance
# What a room may include, itself aside. "" is what lies beside the rooms: abi.h and state.h.
ROOMS: dict[str, set[str]] = {
    "": set(),
    "expressions": {""},
    "memory": {"", "expressions", "tracking"},
    "tracking": {"", "expressions", "memory", "trace"},
    "trace": {"", "memory", "process"},
    "input": {"", "expressions", "memory", "tracking", "process", "interfaces"},
    "process": {"", "expressions", "memory", "tracking", "trace", "input"},
    "interfaces": {"", "include", "memory", "input"},
    "libc": {"", "expressions", "memory", "tracking", "trace", "input", "process"},
}
# What each room offers the others; what else they include is for speed: short functions that are inlined.
FACES = {"interfaces": "primitives.h", "libc": "model.h"}


def sources() -> list[Path]:
    return [path for path in sorted(RUNTIME.rglob("*.[ch]")) if "include" not in path.relative_to(RUNTIME).parts]


def room(path: str) -> str:
    return path.split("/")[0] if "/" in path else ""


def test_every_folder_is_a_room() -> None:
    folders = {path.name for path in RUNTIME.iterdir() if path.is_dir()} - {"include"}
    assert folders == ROOMS.keys() - {""}
    for name in folders:
        assert (RUNTIME / name / FACES.get(name, f"{name}.h")).exists(), name


@pytest.mark.parametrize("source", sources(), ids=lambda path: path.relative_to(RUNTIME).as_posix())
def test_rooms_include_only_what_they_may_know(source: Path) -> None:
    own = room(source.relative_to(RUNTIME).as_posix())
    for name in INCLUDE.findall(source.read_text()):
        assert (RUNTIME / name).exists(), f"{name} is not a path below runtime/"
        assert room(name) == own or room(name) in ROOMS[own], f"{own} must not know {name}"


def test_folders_are_taken_in_at_a_glance() -> None:
    for folder in {path.parent for path in sources()}:
        assert sum(path.is_file() for path in folder.iterdir()) <= MOST_FILES, folder


def test_a_header_is_read_once() -> None:
    """Each has a guard that is named after its path, so that no two have the same."""
    for path in sources():
        if path.suffix == ".h":
            guard = "UNTAKEN_" + re.sub(r"\W", "_", path.relative_to(RUNTIME).as_posix()).upper()
            assert path.read_text().count(guard) == 2, f"{path}: {guard}"
