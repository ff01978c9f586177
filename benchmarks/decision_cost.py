"""What a strategy's decisions cost on paths of 10,000 branches: its share of the campaign's time, and its own time.

A share also grows when all else becomes cheaper, so versions are held against each other by the time itself.

A strategy is a generator: the time between an answer that it is sent and the next attempt that it yields is its own.
`make bench` runs it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parent.parent))
from benchmarks.one_campaign import Clock
from untaken.campaign import campaign as campaigns
from untaken.campaign.campaign import run_campaign
from untaken.campaign.config import Config
from untaken.campaign.watcher import Watcher
from untaken.execute.target import find_target
from untaken.search.registry import strategy

PROGRAM = Path(__file__).parent / "long/decisions.c"
STRATEGIES = ("random-branch", "uniform", "dfs", "cfg", "cgs", "generational", "frontier", "parametric", "auto")
MOST_SHARE = 0.10


def share(name: str, iterations: int, folder: Path) -> tuple[float, float, int]:
    """Of the strategy in the campaign's time; the seconds of an iteration; how many there were."""
    clock = Clock(time.perf_counter)
    out = folder / name
    config = Config((str(PROGRAM),), strategy=name, iterations=iterations, out=out, stdin=64, timeout=10.0)
    target = find_target([str(PROGRAM)])
    with patch.object(campaigns, "strategy", lambda text: clock.around(strategy(text))):
        start = time.perf_counter()
        summary = run_campaign(config, target, Watcher())
        seconds = time.perf_counter() - start
    count = summary.totals.iterations
    return clock.seconds / seconds, seconds / count, count


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=150)
    options = parser.parse_args()
    print("strategy       iterations   ms an iteration   own ms   own share")
    with tempfile.TemporaryDirectory() as scratch:
        for name in STRATEGIES:
            own, each, count = share(name, options.iterations, Path(scratch))
            mark = "" if own <= MOST_SHARE else f"  above the goal of {MOST_SHARE:.0%}"
            print(f"{name:<15}{count:>10}{each * 1000:>18.1f}{own * each * 1000:>9.2f}{own:>12.1%}{mark}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
