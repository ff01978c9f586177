"""What a strategy's decisions cost on paths of 10,000 branches: its share of the campaign's time, and its own time.

A share also grows when all else becomes cheaper, so versions are held against each other by the time itself: for each
decision, because flips that are refused without a run count as no iteration, and how many there are changes as well.
Of the first 150 iterations half of that time is one of the start: tables that are made once, code that runs first.

A strategy is a generator: the time between an answer that it is sent and the next attempt that it yields is its own.
`make bench` runs it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Cost:
    """What a campaign of one strategy took."""

    iterations: int
    seconds: float
    decisions: int
    own: float  # the strategy's part of the seconds


def cost(name: str, iterations: int, folder: Path) -> Cost:
    """Of one strategy, in a campaign of so many iterations."""
    clock = Clock(time.perf_counter)
    out = folder / name
    config = Config((str(PROGRAM),), strategy=name, iterations=iterations, out=out, stdin=64, timeout=10.0)
    target = find_target([str(PROGRAM)])
    with patch.object(campaigns, "strategy", lambda text: clock.around(strategy(text))):
        start = time.perf_counter()
        summary = run_campaign(config, target, Watcher())
        seconds = time.perf_counter() - start
    return Cost(summary.totals.iterations, seconds, clock.decisions, clock.seconds)


def row(name: str, cost: Cost) -> str:
    """A line of the table."""
    share, each, own = cost.own / cost.seconds, cost.seconds / cost.iterations, cost.own / cost.iterations
    mark = "" if share <= MOST_SHARE else f"  above the goal of {MOST_SHARE:.0%}"
    decision = cost.own / cost.decisions * 1e6
    return f"{name:<15}{cost.iterations:>10}{each * 1000:>18.1f}{own * 1000:>9.2f}{decision:>16.1f}{share:>12.1%}{mark}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=600)
    options = parser.parse_args()
    print("strategy       iterations   ms an iteration   own ms   us a decision   own share")
    with tempfile.TemporaryDirectory() as scratch:
        for name in STRATEGIES:
            print(row(name, cost(name, options.iterations, Path(scratch))), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
