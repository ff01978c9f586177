"""The short form of the soak: kills, damaged files, programs that do harm, full disks, other users and places."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_short_soak_finds_nothing() -> None:
    words = [sys.executable, "-m", "benchmarks.soak", "--short"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=500, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    for part in ("damaged files", "kills", "full disk", "places"):
        assert f"\n{part}" in done.stdout or f"not tried: {part}" in done.stdout
