"""A campaign on a package of the shelf, in a process of its own, and what its processes took.

Run as a program, it is that process: `untaken` with the words that follow the file for the figures.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.real.packages import Package
from benchmarks.real.steps import BuildFailed

GRACE = 120  # seconds beyond those of a campaign


@dataclass(frozen=True, slots=True)
class Taken:
    """Processor seconds of the campaign itself and of the programs that it ran, and megabytes of memory at most."""

    ours: float
    program: float
    memory: float


@dataclass(frozen=True, slots=True)
class Explored:
    summary: dict[str, Any]
    taken: Taken


def explore(package: Package, program: Path, out: Path, seconds: float) -> Explored:
    shutil.rmtree(out, ignore_errors=True)
    figures = out.with_suffix(".figures")
    words = ["run", str(program), *package.explored, "--time", str(seconds), "--out", str(out), "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.real.exploring", str(figures), *words, "--", *package.arguments],
        cwd=program.parent,
        env=_environment(),
        capture_output=True,
        text=True,
        timeout=seconds + GRACE,
        check=False,
    )
    if done.returncode not in (0, 1):
        raise BuildFailed(f"untaken run ended with {done.returncode}: {done.stderr.strip()[-200:]}")
    return Explored(json.loads(done.stdout), Taken(**json.loads(figures.read_text())))


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent.parent)}


def taken() -> Taken:
    own, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    memory = max(own.ru_maxrss, others.ru_maxrss) / 1024
    return Taken(own.ru_utime + own.ru_stime, others.ru_utime + others.ru_stime, memory)


def main() -> int:
    from untaken.cli.start import untaken

    figures = Path(sys.argv.pop(1))
    code = untaken()
    figures.write_text(json.dumps(asdict(taken())))
    return code


if __name__ == "__main__":
    sys.exit(main())
