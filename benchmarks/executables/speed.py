"""How fast campaigns of images are, beside campaigns of the same C programs compiled for this machine.

python -m benchmarks.executables.speed

The OSMOSE paper's programs, with the same strategy and as many runs. Processor seconds of the campaign and all its
processes count, without those of compiling. The middle of three campaigns each, taken in turn, so that a busy machine
is as bad for one as for the other.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from statistics import geometric_mean, median

from benchmarks.executables.subjects import COMPILERS
from benchmarks.osmose import FOLDER, SUBJECTS, Built, Subject, as_image, as_source, processor_seconds
from untaken.campaign.campaign import run_campaign
from untaken.campaign.config import Config
from untaken.campaign.watcher import Watcher

STRATEGY = "random-branch"
LEAST = 0.3
ROUNDS = 3


def rate(built: Built, iterations: int, strategy: str) -> float:
    """Runs a second of processor time."""
    with tempfile.TemporaryDirectory() as folder:
        config = Config(
            (str(FOLDER / built.subject.source),),
            strategy=strategy,
            only_in=built.only_in,
            iterations=iterations,
            out=Path(folder),
        )
        begun = processor_seconds()
        summary = run_campaign(config, built.target, Watcher())
        return summary.totals.iterations / (processor_seconds() - begun)


def rates(subject: Subject, processors: list[str], options: argparse.Namespace, folder: Path) -> list[float]:
    """Of the C program, and of its images."""
    programs = [as_source(subject), *(as_image(subject, cpu, folder / cpu) for cpu in processors)]
    rounds = [[rate(built, options.iterations, options.strategy) for built in programs] for _ in range(ROUNDS)]
    return [median(column) for column in zip(*rounds, strict=True)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", nargs="*", help="only these")
    parser.add_argument("--iterations", type=int, default=1000)
    parser.add_argument("--strategy", default=STRATEGY, help=f"random for runs alone (default {STRATEGY})")
    parser.add_argument("--cpu", action="append", choices=COMPILERS, help="only these (default all)")
    options = parser.parse_args()
    processors = options.cpu or list(COMPILERS)
    chosen = [each for each in SUBJECTS if not options.programs or each.name in options.programs]
    print(f"| program | C, runs/s | {' | '.join(f'{cpu}, runs/s | ratio' for cpu in processors)} |")
    print(f"| --- |{' ---: |' * (1 + 2 * len(processors))}")
    ratios: list[list[float]] = []
    for subject in chosen:
        with tempfile.TemporaryDirectory() as folder:
            for cpu in processors:
                (Path(folder) / cpu).mkdir()
            plain, *lifted = rates(subject, processors, options, Path(folder))
        ratios.append([each / plain for each in lifted])
        cells = [f"{each:.0f} | {each / plain:.2f}" for each in lifted]
        print(f"| {subject.name} | {plain:.0f} | {' | '.join(cells)} |", flush=True)
    means = [geometric_mean(column) for column in zip(*ratios, strict=True)]
    print(f"| geometric mean | | {' | '.join(f' | {mean:.2f}' for mean in means)} |")
    print(f"\ngoal: at least {LEAST:g}")
    return int(min(means) < LEAST)


if __name__ == "__main__":
    sys.exit(main())
