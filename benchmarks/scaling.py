"""How far one campaign scales: what a worker costs its owner, measured; and 10, 100, 1,000 workers, simulated.

    python -m benchmarks.scaling [--iterations N] [--recordings N]

Costs are processor time of this process, so they hold on a busy machine, too. The simulation replays recorded
campaigns: each worker follows one of them, drawn at random. Its next find is the next test of the recording that covers
something it does not know yet, after a time drawn around the recorded one. What others found and it was told, it need
not find.
"""

from __future__ import annotations

import argparse
import heapq
import json
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import mean, median
from tempfile import TemporaryDirectory

from untaken.campaign.campaign import campaign_folder, run_campaign
from untaken.campaign.config import Config
from untaken.campaign.desk import Desk, Execution
from untaken.campaign.folder.recipe import wanted_goals
from untaken.campaign.folder.rows import Totals
from untaken.campaign.folder.store import Store
from untaken.campaign.machinery.machinery import Assignment, make_confirmer
from untaken.campaign.watcher import Watcher
from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings
from untaken.execute.target import Target, find_target
from untaken.team.counts import TeamCounts
from untaken.team.hiring import pulse_seconds
from untaken.team.merging import MergedRun, Merging
from untaken.team.messages import Dispatch, Message, Orders, Report, SentRun
from untaken.team.owner import SUM_SECONDS
from untaken.team.worker import explore

ROOT = Path(__file__).parents[1]
PROGRAM = ROOT / "examples" / "calculator.c"
STDIN = 40
CROWDS = (1, 2, 10, 100, 1000)
INTERVALS = (0.05, 0.2, 1.0, 5.0)
RATE = 300.0  # iterations of a worker a second, on a core of its own
TRIALS = 5


@dataclass(frozen=True, slots=True)
class Find:
    """A test of a recorded campaign: after how many iterations since the one before, and what it was first to cover."""

    gap: int
    covers: frozenset[int]


Recording = tuple[Find, ...]


def record(target: Target, seed: int, iterations: int) -> tuple[Recording, list[bytes]]:
    """One campaign of one worker: its finds, and the inputs of its tests."""
    with TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        config = Config(targets=(str(PROGRAM),), stdin=STDIN, iterations=iterations, seed=seed, out=out)
        run_campaign(config, target, Watcher())
        store = Store(out)
        rows = store._all("SELECT iteration, covers FROM tests ORDER BY number")
        store.close()
        inputs = [path.read_bytes() for path in sorted((out / "tests").glob("*.bin"))]
    finds, last = [], 0
    for iteration, covers in rows:
        finds.append(Find(max(1, iteration - last), frozenset(json.loads(covers))))
        last = iteration
    return tuple(finds), inputs


@dataclass(frozen=True, slots=True)
class Costs:
    """What a worker costs its owner."""

    bytes_a_run: float
    bytes_a_report: float
    report_seconds: float  # of the owner's processor, without a run
    run_seconds: float  # more for a run that becomes a test
    known_seconds: float  # more for a run that is known already
    look_seconds: float  # for each worker, each time that the owner looks at all


def measured(target: Target, inputs: Sequence[bytes]) -> Costs:
    """From the tests of a recorded campaign, merged as an owner merges them."""
    config = Config(targets=(str(PROGRAM),), stdin=STDIN)
    with Session(target.program, SessionSettings(sources=config.sources)) as session:
        runs = [SentRun.of(session.run(input), number, is_known=False, printed=b"")
                for number, input in enumerate(inputs, 1)]  # fmt: skip
    empty = Report(life=0, totals=Totals(), covered=0, input_mattered=True, is_done=False)
    sent = [Report(life=0, totals=Totals(iterations=run.iteration), covered=0, input_mattered=True, is_done=False,
                   runs=(run,)) for run in runs]  # fmt: skip
    with TemporaryDirectory() as folder:
        own = Assignment(Config(targets=(str(PROGRAM),), stdin=STDIN, out=Path(folder) / "out"), target)
        with campaign_folder(own, lambda _: None) as opened, make_confirmer(own, lambda _: None) as confirmer:
            counts = TeamCounts(1)
            books = Desk(
                own, opened, Execution(confirmer, counts.statistics, counts.limits, counts.pruned, lambda: 0, bytes),
                Watcher(),
            ).books  # fmt: skip
            merging = Merging(target.map, wanted_goals(config, target.map), counts, books, MergedRun())

            def merge(reports: Sequence[bytes]) -> None:
                for data in reports:
                    report: Report = pickle.loads(data)
                    counts.note(0, report)
                    for _ in merging.runs(0, report):
                        pass

            packed = [pickle.dumps(report) for report in sent]
            fresh = spent(lambda: merge(packed)) / len(packed)
            again = spent(lambda: merge(packed)) / len(packed)
            nothing = [pickle.dumps(empty)] * 500
            report_seconds = spent(lambda: merge(nothing)) / len(nothing)
            many = TeamCounts(1000)
            look = spent(lambda: many.bring_up_to_date(merging.search.tally, books)) / 1000
    return Costs(
        bytes_a_run=median(len(pickle.dumps(run)) for run in runs),
        bytes_a_report=len(pickle.dumps(empty)),
        report_seconds=report_seconds,
        run_seconds=fresh - report_seconds,
        known_seconds=max(0.0, again - report_seconds),
        look_seconds=look,
    )


def spent(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


class NoOwner:
    """A line to nobody."""

    def send(self, message: Message) -> None:
        pass

    def receive(self, seconds: float | None) -> Dispatch | None:
        return None


def start_seconds(target: Target) -> tuple[float, float]:
    """Processor time of a worker that runs the program once: to import what it needs, and all else. The first is spent
    once, by the fork server."""
    script = "import time; begun = time.process_time(); import untaken.team.local; print(time.process_time() - begun)"
    imports = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    config = Config(targets=(str(PROGRAM),), stdin=STDIN)
    orders = Orders(0, 0, config, target, (), False, (), 0, 1, None, None)
    begun = sum(os.times()[:4])
    for _ in range(5):
        explore(orders, NoOwner())
    return float(imports.stdout), (sum(os.times()[:4]) - begun) / 5


@dataclass(frozen=True, slots=True)
class Outcome:
    """Of one simulated campaign."""

    seconds: float  # until so much is covered as one recording covers in the mean
    repeated: float  # of the runs that were sent: those that were known by then
    news_share: float  # of the workers' time: running what others found
    owner_load: float  # of one core


def simulated(recordings: Sequence[Recording], workers: int, interval: float, costs: Costs, rng: Random) -> Outcome:
    """Workers send a find at once, and hear of others' finds at most every `interval` seconds."""
    goal = mean(len(frozenset().union(*(find.covers for find in each))) for each in recordings) * 0.95
    covered: set[int] = set()
    tidings: list[frozenset[int]] = []
    followed = [rng.choice(recordings) for _ in range(workers)]
    place, heard, known = [0] * workers, [0] * workers, [set[int]() for _ in range(workers)]
    busy, sent, repeated, reruns, now = 0.0, 0, 0, 0, 0.0
    queue = [(0.0, number, False) for number in range(workers)]
    heapq.heapify(queue)
    owner_free = 0.0
    next_hearing = [rng.uniform(0, interval) for _ in range(workers)]
    while queue and len(covered) < goal:
        now, number, finds = heapq.heappop(queue)
        recording = followed[number]
        if finds and recording[place[number]].covers - known[number]:
            sent += 1
            find = recording[place[number]].covers
            cost = costs.report_seconds + (costs.run_seconds if find - covered else costs.known_seconds)
            owner_free = max(owner_free, now) + cost
            busy += cost
            repeated += not find - covered
            if find - covered:
                covered |= find
                tidings.append(find)
            known[number] |= find
        if now >= next_hearing[number]:
            if owner_free <= now + interval:  # else the owner is behind, and has not answered yet
                for tiding in tidings[heard[number] :]:
                    if tiding - known[number]:
                        known[number] |= tiding
                        reruns += 1
                heard[number] = len(tidings)
            next_hearing[number] = now + interval
        while place[number] < len(recording) and not recording[place[number]].covers - known[number]:
            place[number] += 1
        if place[number] == len(recording):  # it goes on as another one would
            followed[number], place[number] = rng.choice(recordings), 0
            heapq.heappush(queue, (now + 1.0, number, False))
            continue
        gap = rng.expovariate(1.0 / recording[place[number]].gap) / RATE
        if now + gap <= next_hearing[number]:
            heapq.heappush(queue, (now + gap, number, True))
        else:
            heapq.heappush(queue, (next_hearing[number] + 1e-9, number, False))
    pulses = workers / pulse_seconds(workers) * costs.report_seconds
    looks = workers * costs.look_seconds / SUM_SECONDS
    return Outcome(now, repeated / max(1, sent), reruns / RATE / max(now * workers, 1e-9),
                   busy / max(now, 1e-9) + pulses + looks)  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=1500)
    parser.add_argument("--recordings", type=int, default=6)
    options = parser.parse_args()
    target = find_target([str(PROGRAM)])
    recorded = [record(target, seed, options.iterations) for seed in range(options.recordings)]
    recordings = [each for each, _ in recorded]
    costs = measured(target, recorded[0][1])
    size = mean(map(len, recorded[0][1]))
    print(f"{PROGRAM.name}: {options.recordings} recordings of {options.iterations} iterations, "
          f"{mean(map(len, recordings)):.0f} tests each, {size:.0f} bytes of input a test")  # fmt: skip
    print(f"a run that is sent {costs.bytes_a_run:,.0f} bytes, a report without one {costs.bytes_a_report:,} bytes")
    print(f"owner: {1e6 * costs.report_seconds:.0f} us a report, {1e6 * costs.run_seconds:.0f} us more for a new test, "
          f"{1e6 * costs.known_seconds:.0f} us more for a known one, "
          f"{1e6 * costs.look_seconds:.1f} us a worker each time that all are looked at")  # fmt: skip
    imports, starting = start_seconds(target)
    print(f"a worker's start: {starting:.2f} s of processor time, and once {imports:.2f} s for imports")
    alone = median(simulated(recordings, 1, 0.2, costs, Random(seed)).seconds for seed in range(TRIALS * 3))
    print(f"one worker: {alone:.1f} s\n\n| workers | exchange | times as fast | sent twice | time for news | owner |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    for workers in CROWDS[1:]:
        for interval in INTERVALS:
            found = [simulated(recordings, workers, interval, costs, Random(seed)) for seed in range(TRIALS)]
            print(f"| {workers:,} | {interval:g} s | {alone / median(each.seconds for each in found):.1f} | "
                  f"{mean(each.repeated for each in found):.0%} | {mean(each.news_share for each in found):.1%} | "
                  f"{mean(each.owner_load for each in found):.1%} |")  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
