"""The short form of benchmarks/malformed.py: some malformed inputs of each kind."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
KINDS = ("command lines", "C sources", "seeds", "heuristics", "campaign folders", "program maps")


def test_some_malformed_inputs_of_each_kind() -> None:
    words = [sys.executable, "-m", "benchmarks.malformed", "--times", "4", "--seed", "7"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=500, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    for kind in KINDS:
        assert f"\n{kind}" in done.stdout
