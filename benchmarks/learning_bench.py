"""The programs that learning.py experiments with, built; and campaigns on them that are kept in its work folder."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

from benchmarks.compare_real import PROGRAMS as DEBIAN
from benchmarks.compare_real import build
from untaken.campaign.config import Config
from untaken.cli.main import guarded
from untaken.cli.main import run as untaken
from untaken.cli.run import parse
from untaken.execute.target import Target, find_target
from untaken.learn.campaigns import Campaigns
from untaken.learn.objective import Question, Weights
from untaken.trials.plan import conditions
from untaken.trials.run_missing import prepare
from untaken.trials.workers import LocalPool

HERE = Path(__file__).parent
FRESH = 100  # trials from here on have seeds that no method has seen


@dataclass(frozen=True, slots=True)
class Subject:
    """A program, and what of its input is explored."""

    source: str  # a C file of ours, or a package of compare_real.py
    inputs: tuple[str, ...]  # and arguments, after --


SUBJECTS = {
    "replace": Subject("programs/replace.c", ("--arg", "10", "--arg", "10", "--stdin", "20")),
    "calculator": Subject("../examples/calculator.c", ("--stdin", "24")),
    "http_request": Subject("../examples/http_request.c", ("--stdin", "64")),
    "json": Subject("programs/json.c", ("--stdin", "24")),
    "editor": Subject("reactive/editor.c", ("--stdin", "30")),
    "par": Subject("par", DEBIAN["par"].inputs),
    "dos2unix": Subject("dos2unix", DEBIAN["dos2unix"].inputs),
    "sed": Subject("sed", ("--arg", "8", "--stdin", "8")),
    "expat": Subject("expat", ("--stdin", "20")),
    "tree": Subject("tree", ("--arg", "10", "--arg", "10", "--", "-L", "1")),
}


@dataclass(frozen=True, slots=True)
class Bench:
    """A program that is built, and the campaigns that were asked for."""

    name: str
    target: Target
    config: Config
    jobs: int
    work: Path

    def campaigns(self, folder: str, iterations: int) -> Campaigns:
        """Kept in a folder of their own."""
        config = replace(self.config, iterations=iterations)
        place = self.work / folder
        prepare(place, conditions(config, self.target), "experiment")
        return Campaigns(config, LocalPool(self.target, self.jobs), place)


def bench(name: str, options: argparse.Namespace) -> Bench:
    subject = SUBJECTS[name]
    program = build(DEBIAN[subject.source], options.work) if subject.source in DEBIAN else HERE / subject.source
    config = parse([str(program), "--seed", str(options.seed), *subject.inputs])
    return Bench(name, find_target(config.targets), config, options.jobs, options.work)


def fresh_average(judge: Campaigns, weights: Weights, trials: int) -> float:
    answers = judge.measure([Question(weights, FRESH + trial) for trial in range(trials)])
    return fmean(answer.score for answer in answers)


def command(words: Sequence[object]) -> None:
    print("untaken", *words, flush=True)
    if guarded(untaken, [str(word) for word in words]):
        sys.exit(1)
