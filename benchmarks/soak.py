"""Does harm to campaigns for an hour, and says what came of it: nothing lost, no traceback, no host file changed, no
process left.

    python -m benchmarks.soak [--short] [--seconds N] [--seed N] [--only PART ...]

Parts: kills at random moments of campaigns that then go on; damaged files of every kind; programs that do harm
(benchmarks/hostile/); a disk that is full, at another write each time; other places: as root, as an ordinary user,
without namespaces, with 1 MiB in /dev/shm. Exit code 1 if anything was wrong.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from random import Random

from benchmarks.soaking.damaged import SOURCE, damaged_files
from benchmarks.soaking.hostile import hostile_programs
from benchmarks.soaking.kills import killed_campaigns
from benchmarks.soaking.outcomes import SoakTable, SoakTrial
from benchmarks.soaking.places import other_places, small_disks
from benchmarks.soaking.processes import adopt_orphans

HOUR, SHORT = 3600.0, 30.0
# The share of the time, and how often in the long form and in the short one.
PARTS = {
    "damaged files": (0.40, 10_000, 10),
    "kills": (0.35, 1_000, 2),
    "full disk": (0.10, 60, 1),
    "hostile": (0.10, 100, 1),
    "places": (0.05, 4, 4),
}


def trials(part: str, folder: Path, random: Random, deadline: float, most: int) -> Iterator[SoakTrial]:
    """Those of one part."""
    program = folder / "program.c"
    program.write_text(SOURCE)
    match part:
        case "damaged files":
            yield from damaged_files(folder, random, deadline, most)
        case "kills":
            yield from killed_campaigns(folder, random, deadline, most)
        case "full disk":
            yield from small_disks(folder, program, deadline, most)
        case "hostile":
            yield from hostile_programs(folder, deadline, most)
        case _:
            yield from other_places(folder, program)


def soak(seconds: float, seed: int, parts: list[str], *, short: bool) -> SoakTable:
    """All parts, each in a temporary folder."""
    table = SoakTable()
    for part in parts:
        share, most, few = PARTS[part]
        with tempfile.TemporaryDirectory(prefix="untaken-soak-", dir="/var/tmp", ignore_cleanup_errors=True) as folder:
            Path(folder).chmod(0o755)
            deadline = time.monotonic() + share * seconds
            for trial in trials(part, Path(folder), Random(seed), deadline, few if short else most):
                table.add(trial)
                if trial.fault is not None:
                    print(f"{trial.part}: {trial.what}: {trial.fault}\n", flush=True)
    return table


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="about half a minute")
    parser.add_argument("--seconds", type=float, help="how long (default: an hour)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", choices=list(PARTS), help="this part; may be given again")
    options = parser.parse_args()
    adopt_orphans()
    for name in ("run", "report", "export", "replay", "doctor"):
        import_module(f"untaken.cli.{name}")  # once, not in each of thousands of processes
    import_module("untaken.build.llvm")
    seconds = options.seconds or (SHORT if options.short else HOUR)
    table = soak(seconds, options.seed, options.only or list(PARTS), short=options.short)
    print("\n".join(table.lines()))
    return int(bool(table.faults))


if __name__ == "__main__":
    raise SystemExit(main())
