"""Malformed inputs of every kind: no traceback, no hang, nothing lost.

    python -m benchmarks.malformed [--only KIND ...] [--times N] [--seed N]

Kinds: command lines, C sources, seeds, heuristics, campaign folders, program maps; 10,000 of each unless --times says
otherwise. Commands run in forked copies of this process. Each must end by itself with one of the documented exit codes,
print no traceback, say something if it failed, leave no process behind, and leave the user's files as they were.
Exit code 1 if one of them did not.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from random import Random

from benchmarks.malforming.c_sources import c_sources
from benchmarks.malforming.command_lines import command_lines
from benchmarks.malforming.desk import Desk
from benchmarks.malforming.files import campaign_folders, heuristics, program_maps, seeds
from benchmarks.soaking.outcomes import SoakTable, SoakTrial
from benchmarks.soaking.processes import adopt_orphans
from untaken.cli.main import COMMANDS

TIMES = 10_000
SHOWN_EACH = 500
KINDS: dict[str, Callable[[Desk, Random, int], Iterator[SoakTrial]]] = {
    "command-lines": command_lines,
    "c-sources": c_sources,
    "seeds": seeds,
    "heuristics": heuristics,
    "campaign-folders": campaign_folders,
    "program-maps": program_maps,
}


def malformed(kinds: Sequence[str], seed: int, times: int) -> SoakTable:
    """All inputs of these kinds, in a temporary folder."""
    table = SoakTable()
    with tempfile.TemporaryDirectory(prefix="untaken-malformed-", dir="/var/tmp", ignore_cleanup_errors=True) as name:
        (Path(name) / "desk").mkdir()
        desk = Desk(Path(name) / "desk")
        for kind in kinds:
            for number, trial in enumerate(KINDS[kind](desk, Random(seed), times), 1):
                table.add(trial)
                if trial.fault is not None:
                    print(f"{trial.part}: {trial.what}: {trial.fault}\n", flush=True)
                if number % SHOWN_EACH == 0:
                    print(f"{kind}: {number} of {times}", flush=True)
    return table


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", choices=list(KINDS), help="this kind; may be given again")
    parser.add_argument("--times", type=int, default=TIMES, help=f"how many of each kind (default {TIMES})")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    adopt_orphans()
    for module, _ in COMMANDS.values():
        import_module(f"untaken.cli.{module}")  # once, not in each of thousands of processes
    import_module("untaken.build.llvm")
    table = malformed(options.only or list(KINDS), options.seed, options.times)
    print("\n".join(table.lines()))
    return int(bool(table.faults))


if __name__ == "__main__":
    raise SystemExit(main())
