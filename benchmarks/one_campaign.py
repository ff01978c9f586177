"""One campaign of the untaken that is imported, for benchmarks/against.py: prints what an iteration costs, as JSON.

    python benchmarks/one_campaign.py PROGRAM.c STRATEGY ITERATIONS PROCESSOR

It has to run in older versions, too, so it imports little, and that from wherever it is.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import patch

SEED, STDIN, TIMEOUT = 1, 64, 60.0
WARM_UP = 100  # iterations


class Clock:
    """The seconds inside strategies: a generator's own are those between an answer and its next attempt."""

    def __init__(self, now: Callable[[], float]) -> None:
        self.seconds = 0.0
        self.decisions = 0
        self._now = now

    def around(self, chosen: Any) -> Any:
        def timed(search: Any) -> Any:
            steps, answer = chosen(search), None
            while True:
                start = self._now()
                try:
                    attempt = steps.send(answer)
                except StopIteration as end:
                    return end.value
                finally:
                    self.seconds += self._now() - start
                self.decisions += 1
                answer = yield attempt

        return timed


def find_target(source: str) -> Any:
    """It has moved."""
    try:
        module = import_module("untaken.execute.target")
    except ImportError:
        module = import_module("untaken.campaign.target")
    return module.find_target([source])


def used(who: int) -> float:
    spent = resource.getrusage(who)
    return spent.ru_utime + spent.ru_stime


def campaign(source: str, strategy: str, iterations: int, target: Any) -> int:
    """How many there were."""
    config, watcher = import_module("untaken.campaign.config"), import_module("untaken.campaign.watcher")
    with tempfile.TemporaryDirectory() as folder:
        settings = config.Config(
            (source,), strategy=strategy, iterations=iterations, out=Path(folder) / "out", stdin=STDIN, seed=SEED,
            timeout=TIMEOUT,
        )  # fmt: skip
        run = import_module("untaken.campaign.campaign").run_campaign
        return int(run(settings, target, watcher.Watcher()).totals.iterations)


def main() -> int:
    source, strategy, iterations, processor = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    os.sched_setaffinity(0, {processor})
    campaigns, clock, target = import_module("untaken.campaign.campaign"), Clock(time.process_time), find_target(source)
    named = campaigns.strategy
    campaign(source, strategy, WARM_UP, target)
    own, others = used(resource.RUSAGE_SELF), used(resource.RUSAGE_CHILDREN)
    with patch.object(campaigns, "strategy", lambda text: clock.around(named(text))):
        count = campaign(source, strategy, iterations, target)
    own, others = used(resource.RUSAGE_SELF) - own, used(resource.RUSAGE_CHILDREN) - others
    micro = 1e6 / count
    print(json.dumps({"own": own * micro, "all": (own + others) * micro, "strategy": clock.seconds * micro}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
