"""Branches that a strategy covers in a parser, against random inputs that get a hundred times as many executions."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from untaken.campaign.campaign import run_campaign
from untaken.campaign.config import Config
from untaken.campaign.watcher import Watcher
from untaken.execute.target import find_target

PARSER = Path(__file__).parent.parent / "examples" / "http_request.c"


def main() -> None:
    """Prints one line a strategy."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=str(PARSER))
    parser.add_argument("--stdin", type=int, default=64)
    parser.add_argument("--iterations", type=int, default=1000)
    parser.add_argument("--guesses", type=int, default=100_000)
    parser.add_argument("--seeds", type=int, default=3)
    chosen = parser.parse_args()
    target = find_target([chosen.program])
    for strategy, iterations in (("random-branch", chosen.iterations), ("random", chosen.guesses)):
        for seed in range(chosen.seeds):
            with tempfile.TemporaryDirectory() as folder:
                config = Config(
                    targets=(chosen.program,),
                    stdin=chosen.stdin,
                    strategy=strategy,
                    iterations=iterations,
                    seed=seed,
                    out=Path(folder),
                )
                summary = run_campaign(config, target, Watcher())
            print(
                f"{strategy:<14} seed {seed}: {summary.covered} of {summary.total} branches in {iterations:,} "
                f"iterations, {summary.run_seconds:.1f} s"
            )


if __name__ == "__main__":
    main()
