"""Kills workers and owners of a campaign at random moments, and looks whether anything that was written is lost.

    python -m benchmarks.kills --kills 1000

Every file of a test that was there right before a kill must be there, unchanged, at the next one and at the end. One
kill in ten hits the owner; then the campaign goes on in the same folder.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

PROGRAM = Path(__file__).parents[1] / "examples" / "calculator.c"
MAIN = "import sys; from untaken.cli.start import untaken; sys.exit(untaken())"
JOBS = 2
OWNERS = 0.1  # of the kills
PAUSE = 0.6  # seconds between two kills, at most


def kept(out: Path) -> dict[str, bytes]:
    """Tests that are whole: an input with its description."""
    found = {}
    for path in (out / "tests").glob("*.bin"):
        found[path.name] = path.read_bytes()
        found[path.stem] = path.with_suffix(".json").read_bytes()
    return found


def children(pid: int) -> list[int]:
    """The processes right below one."""
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def workers(owner: int) -> list[int]:
    """Children of the fork server that Python keeps for an owner."""
    for child in children(owner):
        try:
            if b"forkserver" in Path(f"/proc/{child}/cmdline").read_bytes():
                return children(child)
        except OSError:
            continue
    return []


def start(out: Path) -> subprocess.Popen[bytes]:
    words = ["run", str(PROGRAM), "--stdin", "60", "--time", "600", "--jobs", str(JOBS), "--quiet", "--out", str(out)]
    return subprocess.Popen([sys.executable, "-c", MAIN, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=3600.0, help="end after so long, whatever was done by then")
    options = parser.parse_args()
    rng, lost, gave_up, done = Random(1), 0, 0, {"owner": 0, "worker": 0}
    until = time.monotonic() + options.seconds
    with TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        known: dict[str, bytes] = {}
        owner = start(out)
        while sum(done.values()) < options.kills and time.monotonic() < until:
            time.sleep(rng.uniform(0.02, PAUSE))
            now = kept(out) if out.exists() else {}
            lost += sum(now.get(name) != data for name, data in known.items())
            known = now
            if owner.poll() is not None:
                gave_up += 1  # too many workers in a row were killed before they had run anything
                owner = start(out)
            elif rng.random() < OWNERS:
                owner.kill()
                owner.wait()
                owner = start(out)
                done["owner"] += 1
            elif alive := workers(owner.pid):
                os.kill(rng.choice(alive), signal.SIGKILL)
                done["worker"] += 1
        owner.terminate()  # not Ctrl-C, which jobs in the background do not hear
        code = owner.wait()
        now = kept(out)
        lost += sum(now.get(name) != data for name, data in known.items())
        tests = len(list((out / "tests").glob("*.bin")))
    print(f"{done['worker']} workers and {done['owner']} owners killed; {tests} tests; lost or changed: {lost}; "
          f"owners that gave up: {gave_up}; the last one ended with {code}")  # fmt: skip
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
