"""One worker against two: iterations a second, and the time until as much is covered as one covers in the end.

    python -m benchmarks.jobs_speed [--seconds S] [--trials N]

Both are run in turn, so that a busy machine is as busy for one as for the other. Use a quiet one with two cores or
more.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from statistics import geometric_mean, median
from tempfile import TemporaryDirectory

from untaken.campaign.config import Config
from untaken.campaign.folder.store import Store
from untaken.campaign.watcher import Watcher
from untaken.execute.target import find_target
from untaken.team.start import run_with_workers

ROOT = Path(__file__).parents[1]
PROGRAMS = (
    ("examples/calculator.c", 60),
    ("examples/http_request.c", 64),
    ("benchmarks/programs/json.c", 64),
    ("benchmarks/programs/words.c", 64),
    ("benchmarks/search/protocol.c", 64),
    ("benchmarks/search/settings.c", 64),
)  # none that one worker is done with before a second one has started
Timeline = list[tuple[int, float, int]]  # iteration, seconds, branches


def campaign(program: Path, stdin: int, jobs: int, seconds: float, seed: int) -> tuple[float, Timeline]:
    """Iterations a second, and when how much was covered."""
    with TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        config = Config(targets=(str(program),), stdin=stdin, time=seconds, seed=seed, jobs=jobs, out=out,
                        after_coverage=10**9)  # fmt: skip
        summary = run_with_workers(config, find_target([str(program)]), Watcher())
        store = Store(out)
        timeline = store.timeline()
        store.close()
    return summary.run_iterations / summary.run_seconds, timeline


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--trials", type=int, default=5)
    options = parser.parse_args()
    print(f"load average {os.getloadavg()[0]:.1f} on {len(os.sched_getaffinity(0))} cores\n")
    print("| program | iterations a second, 1 | 2 | times | times as fast to what one covers |")
    print("| --- | ---: | ---: | ---: | ---: |")
    all_rates, all_speeds = [], []
    for name, stdin in PROGRAMS:
        rates: dict[int, list[float]] = {1: [], 2: []}
        speeds = []
        for seed in range(options.trials):
            one_rate, one = campaign(ROOT / name, stdin, 1, options.seconds, seed)
            two_rate, two = campaign(ROOT / name, stdin, 2, options.seconds, seed)
            rates[1].append(one_rate)
            rates[2].append(two_rate)
            goal = min(one[-1][2], two[-1][2])
            reached = [next(seconds for _, seconds, branches in line if branches >= goal) for line in (one, two)]
            speeds.append(max(reached[0], 1e-3) / max(reached[1], 1e-3))
        ratio, speed = median(rates[2]) / median(rates[1]), geometric_mean(speeds)
        all_rates.append(ratio)
        all_speeds.append(speed)
        print(f"| {Path(name).name} | {median(rates[1]):,.0f} | {median(rates[2]):,.0f} | {ratio:.2f} | {speed:.2f} |",
              flush=True)  # fmt: skip
    print(f"| geometric mean | | | {geometric_mean(all_rates):.2f} | {geometric_mean(all_speeds):.2f} |")
    print(f"\nload average {os.getloadavg()[0]:.1f} at the end")
    return 0


if __name__ == "__main__":
    sys.exit(main())
