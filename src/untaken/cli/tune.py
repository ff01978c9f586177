"""`untaken tune`: learns a search heuristic for a program, or shows what one has learned."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.text import Text

from untaken.campaign.config import Config, has_use_for, strategy_name
from untaken.campaign.option_text import whole
from untaken.cli.compare import make_console
from untaken.cli.options import add_campaign_options, add_pool_options, campaign_settings, ready
from untaken.cli.parser import Parser
from untaken.cli.run import before_dashes, joined_flags
from untaken.errors import UsageError
from untaken.interrupts import interruptible
from untaken.learn.explain import bars, write_page
from untaken.learn.ledger import Round, Stage
from untaken.learn.tuning import METHODS, STRATEGY, Tuning, Watch, tune
from untaken.report.prose import say
from untaken.search.heuristics.heuristic import Heuristic
from untaken.search.heuristics.heuristic_files import read_heuristic
from untaken.search.registry import strategies
from untaken.trials.trial import Trial

DESCRIPTION = (
    "Learns which branches are worth flipping in a program: runs many campaigns of a strategy that scores them, with "
    "different weights for its features, and writes the best weights to a file, for --heuristic of run and compare. "
    "What is done already is kept beside that file and not done again. Arguments for the program come after --."
)
DEFAULT_OUT = Path("heuristic.json")
DEFAULT_ITERATIONS = 4000
DEFAULT_SAMPLES = 1000
SHARED = "iterations seed stdin arg file seeds cflags solver timeout memory no_sandbox keep_env quiet".split()
HELP = {
    "iterations": f"each campaign ends after N executions of the program (default {DEFAULT_ITERATIONS})",
    "seed": "the weights that are tried and the seeds of all campaigns follow from this one",
}
INTERRUPTED = 130


def run(arguments: Sequence[str]) -> int:
    """Exit code 0: done, 130: interrupted."""
    if "--explain" in before_dashes(arguments)[0]:
        return explain(arguments)
    tuning = parse(arguments)
    tuning.config.check()
    console = make_console(tuning.config.quiet)
    config, target = ready(tuning.config, console)
    tuning = replace(tuning, config=config)
    try:
        with interruptible(), ExitStack() as stack:
            found = tune(tuning, target, watcher(console, stack))
    except KeyboardInterrupt:
        say(console, Text(f"interrupted: what is done is kept in {tuning.folder}, the same command goes on from there"))
        return INTERRUPTED
    tell(console, tuning, found)
    return 0


def tell(console: Console, tuning: Tuning, found: Heuristic) -> None:
    figures = found.figures
    assert figures is not None
    console.print(
        f"{figures.checked_average:.1f} of {found.branches} branches on average over {figures.trials} campaigns of "
        f"{figures.iterations:,} iterations; {figures.executions:,} executions were spent on it.",
        f"Use it with --strategy {tuning.config.strategy} --heuristic {tuning.out}; "
        f"untaken tune --explain {tuning.out} shows it.",
        sep="\n",
        soft_wrap=True,
    )


def explain(arguments: Sequence[str]) -> int:
    """Shows a heuristic's weights, here and as a page beside it."""
    parser = Parser("tune --explain", "Shows which features a learned heuristic favours and which it avoids.")
    parser.add_argument("--explain", type=Path, required=True, metavar="FILE.json")
    place: Path = parser.parse_args(list(arguments)).explain
    heuristic = read_heuristic(place)
    console = make_console(quiet=False)
    for line in bars(heuristic, min(console.width, 120)):
        console.print(Text(line), soft_wrap=True)
    page = write_page(place, heuristic)
    console.print(f"The same as a page: {page}", soft_wrap=True)
    return 0


# ---- the command line


def parse(arguments: Sequence[str]) -> Tuning:
    """The command line as settings."""
    own, rest = before_dashes(arguments)
    known = vars(make_parser().parse_args(joined_flags(own)))
    names = ("explain", "strategy", "method", "samples", "jobs", "ray", "out")
    _, spec, method, samples, jobs, ray, out = (known.pop(name) for name in names)
    known["iterations"] = known["iterations"] or DEFAULT_ITERATIONS
    config = Config(arguments=rest, strategy=spec, targets=tuple(known["targets"]), **campaign_settings(known))
    if strategy_name(spec) in strategies() and not has_use_for(spec, "heuristic"):
        raise UsageError(f"untaken tune learns weights of features, and strategy {spec} scores nothing: try {STRATEGY}")
    if out.is_dir():
        raise UsageError(f"--out {out} is a folder: name a file, such as {out / DEFAULT_OUT}")
    return Tuning(config, method, samples, jobs or os.cpu_count() or 1, out, ray)


def make_parser() -> Parser:
    parser = Parser("tune", DESCRIPTION)
    add: Any = parser.add_argument
    add("targets", nargs="+", metavar="TARGET", help="C files, or a program built with untaken cc")
    add(
        "--method",
        choices=tuple(METHODS),
        default="fast",
        help="fast (default), paper: the algorithm of the ParaDySE paper, or random: the best of random weights",
    )
    add(
        "--strategy",
        default=STRATEGY,
        metavar="S",
        help=f"the search to tune, with its options (default {STRATEGY}); "
        f"{STRATEGY}:later=yes:restart=none:found=no is that of the ParaDySE paper",
    )
    add(
        "--samples",
        type=whole("--samples", 2),
        default=DEFAULT_SAMPLES,
        metavar="N",
        help=f"weights that paper tries in a round and random in all (default {DEFAULT_SAMPLES:,}); "
        "fast spends at most a fifth of the executions of four such rounds",
    )
    add("--out", type=Path, default=DEFAULT_OUT, metavar="FILE.json", help=f"the result (default {DEFAULT_OUT})")
    add("--explain", type=Path, metavar="FILE.json", help="show what a heuristic has learned, and stop")
    add_pool_options(parser)
    add_campaign_options(parser, SHARED, HELP)
    return parser


# ---- the display


def watcher(console: Console, stack: ExitStack) -> Watch:
    """A bar on a terminal; a line for each stage and each round elsewhere."""
    return Bar(console, stack) if console.is_terminal else Lines(console)


@dataclass(slots=True)
class Lines(Watch):
    """Shows a tuning in lines, for files and pipes."""

    console: Console
    begun: float = 0.0

    def stage(self, stage: Stage) -> None:
        self.begun = self.begun or time.monotonic()
        if stage.executions:
            self._say(f"{stage.name}: up to {stage.executions:,} executions")

    def round(self, ended: Round) -> None:
        self._say(best_so_far(ended))

    def _say(self, text: str) -> None:
        self.console.print(f"{time.monotonic() - self.begun:7.1f} s  {text}", soft_wrap=True)


class Bar(Watch):
    """For a terminal: how far the stage is, how long it will take, and the best so far."""

    def __init__(self, console: Console, stack: ExitStack) -> None:
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[best]}"),
        )
        self._display = stack.enter_context(Progress(*columns, console=console, transient=True))
        self._task: TaskID | None = None
        self._best = ""

    def stage(self, stage: Stage) -> None:
        if self._task is not None:
            self._display.remove_task(self._task)
        self._task = self._display.add_task(stage.name, total=stage.executions, best=self._best)

    def campaign(self, trial: Trial) -> None:
        if self._task is not None:
            self._display.update(self._task, advance=trial.iterations)

    def round(self, ended: Round) -> None:
        self._best = best_so_far(ended)
        self._display.console.print(self._best, soft_wrap=True)


def best_so_far(ended: Round) -> str:
    return f"best so far {ended.average:.1f} branches ({ended.trials} trials), {ended.executions:,} executions spent"
