"""Programs that do harm (benchmarks/hostile/): they are explored like any other, and nothing outside is touched."""

from __future__ import annotations

import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from benchmarks.soaking.commands import forked
from benchmarks.soaking.outcomes import SoakTrial
from benchmarks.soaking.processes import processes_left

PROGRAMS = Path(__file__).parents[1] / "hostile"
SECONDS = "3"


def hostile_programs(folder: Path, deadline: float, most: int) -> Iterator[SoakTrial]:
    """One after the other, each in a folder of its own."""
    programs = sorted(PROGRAMS.glob("*.c"))[:most]
    if not programs:
        yield SoakTrial("hostile", "programs", skipped=f"there is none in {PROGRAMS}")
    canaries = [folder / "canary", Path.home() / f".untaken-soak-{time.time_ns()}"]
    for canary in canaries:
        canary.write_text("untouched\n")
    try:
        for program in programs:
            if time.monotonic() > deadline:
                return
            yield _explored(program, folder, canaries)
    finally:
        for canary in canaries:
            canary.unlink(missing_ok=True)


def _explored(program: Path, folder: Path, canaries: list[Path]) -> SoakTrial:
    watched = [*canaries, program, Path("/etc/passwd"), Path("/etc/hosts")]
    before = _digests(watched)
    out = folder / "hostile" / program.stem
    said = forked(["run", str(program), "--time", SECONDS, "--quiet", "--out", str(out)])
    fault = said.fault or processes_left()
    if _digests(watched) != before:
        fault = "a file of the host was changed"
    return SoakTrial("hostile", program.name, f"exit {said.code}", fault)


def _digests(paths: list[Path]) -> list[str]:
    return [sha256(path.read_bytes()).hexdigest() if path.exists() else "" for path in paths]
