"""Random programs and single instructions end with the same memory in simulators that are not ours.

`python -m benchmarks.executables.soak` does the same with as many programs as one likes.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.executables.machines import Failed
from benchmarks.executables.soak import MACHINES, Make, check, instructions_program, random_program

SEEDS = range(1, 20)  # csmith's programs are not all small enough, or do not end


def differing(name: str, make: Make, wanted: int, folder: Path) -> list[str]:
    """What is not the same in some programs."""
    found: list[str] = []
    checked = 0
    for seed in SEEDS:
        try:
            found += check(MACHINES[name](), seed, folder, make)
            checked += 1
        except Failed:
            continue
        if checked == wanted:
            return found
    raise AssertionError(f"only {checked} programs of {name} could be compiled and run")


@pytest.mark.parametrize("make", [random_program, instructions_program], ids=["programs", "instructions"])
@pytest.mark.parametrize("name", MACHINES)
def test_memory_is_the_same_at_the_end(tmp_path: Path, name: str, make: Make) -> None:
    missing = MACHINES[name]().missing
    if missing is not None:
        pytest.skip(missing)
    assert differing(name, make, 2 if make is random_program else 1, tmp_path) == []
