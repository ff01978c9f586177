"""Whether two versions of untaken write the same tests: for changes that are to change no behaviour.

Ten campaigns with a fixed seed and a fixed number of executions, each with both versions; the inputs of all tests and
findings are compared byte for byte, and some counts of the summaries. Exits with 1 if anything differs.

    python benchmarks/same_tests.py OLD NEW

OLD and NEW are checkouts with a `.venv` in each, or interpreters that have untaken installed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
COUNTS = ("iterations", "branches_covered", "goal_covered", "divergences", "exhausted", "solver queries", "solver sat")


@dataclass(frozen=True, slots=True)
class Trial:
    """One campaign; `words` are more arguments of `untaken run`."""

    example: str
    strategy: str
    seed: int
    iterations: int
    words: tuple[str, ...] = ()


TRIALS = (
    Trial("arithmetic.c", "dfs", 1, 200),
    Trial("calculator.c", "auto", 2, 1000, ("--stdin", "32")),
    Trial("calculator.c", "hybrid", 3, 2000, ("--stdin", "32")),
    Trial("reset.c", "hybrid", 4, 4000),
    Trial("http_request.c", "generational", 5, 600, ("--stdin", "64")),
    Trial("options.c", "cgs", 6, 400, ("--arg", "12", "--arg", "8")),
    Trial("settings_file.c", "random-branch", 7, 600, ("--file", "settings.ini=40")),
    Trial("strings.c", "words", 8, 600, ("--stdin", "32")),
    Trial("state_machine.c", "uniform", 9, 400),
    Trial("tables.c", "cfg", 10, 400),
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a campaign left: the inputs of its tests and findings by their paths, and counts of its summary."""

    inputs: dict[str, bytes]
    counts: dict[str, object]


def interpreter(place: str) -> str:
    inside = Path(place).absolute() / ".venv" / "bin" / "python"
    return str(inside) if inside.exists() else os.path.abspath(place)


def run(python: str, trial: Trial, folder: Path) -> Outcome:
    command = [python, "-m", "untaken", "run", str(EXAMPLES / trial.example), "--strategy", trial.strategy, "--quiet"]
    command += ["--seed", str(trial.seed), "--iterations", str(trial.iterations), "--out", str(folder), *trial.words]
    command += ["--timeout", "20"]  # a busy machine must not end an execution
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder.parent, env=environment(), check=False)
    if not (folder / "summary.json").exists():
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr}")
    return outcome(folder)


def environment() -> dict[str, str]:
    """Each interpreter finds its own package."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def outcome(folder: Path) -> Outcome:
    inputs = {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.bin"))}
    summary = json.loads((folder / "summary.json").read_text())
    counted = {**summary, **{f"solver {name}": summary["solver"].get(name) for name in ("queries", "sat")}}
    return Outcome(inputs, {name: counted.get(name) for name in COUNTS})


def differences(old: Outcome, new: Outcome) -> list[str]:
    """One line for each thing that is not the same."""
    found = [f"only before: {name}" for name in sorted(old.inputs.keys() - new.inputs.keys())]
    found += [f"only now: {name}" for name in sorted(new.inputs.keys() - old.inputs.keys())]
    both = sorted(old.inputs.keys() & new.inputs.keys())
    found += [f"other bytes: {name}" for name in both if old.inputs[name] != new.inputs[name]]
    changed = [name for name in COUNTS if old.counts[name] != new.counts[name]]
    return found + [f"{name}: {old.counts[name]} before, {new.counts[name]} now" for name in changed]


def compare(old: str, new: str, trial: Trial) -> bool:
    with tempfile.TemporaryDirectory() as name:
        before, now = run(old, trial, Path(name) / "old"), run(new, trial, Path(name) / "new")
    found = differences(before, now)
    size = sum(map(len, now.inputs.values()))
    verdict = "DIFFERENT" if found else "same"
    counts = f"{len(now.inputs):6} {size:7} {now.counts['iterations']!s:>10}"
    print(f"{trial.example:18} {trial.strategy:14} {counts}  {verdict}", flush=True)
    for line in found:
        print(f"    {line}")
    return not found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", help="a checkout, or an interpreter")
    parser.add_argument("new", help="likewise")
    chosen = parser.parse_args()
    old, new = interpreter(chosen.old), interpreter(chosen.new)
    print(f"{'example':18} {'strategy':14} {'inputs':>6} {'bytes':>7} {'executions':>10}")
    same = [compare(old, new, trial) for trial in TRIALS]
    print(f"{sum(same)} of {len(same)} campaigns gave the same tests")
    return 0 if all(same) else 1


if __name__ == "__main__":
    sys.exit(main())
