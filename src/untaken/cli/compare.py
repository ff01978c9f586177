"""`untaken compare`: campaigns of several strategies over distinct seeds, and what can be said about them."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as RichTable
from rich.text import Text

from untaken.campaign.config import Config
from untaken.campaign.option_text import whole
from untaken.cli.options import add_campaign_options, add_pool_options, campaign_settings, ready
from untaken.cli.parser import Parser
from untaken.cli.run import before_dashes, joined_flags
from untaken.compare.results import PAGE, write_results
from untaken.compare.statistics import compare
from untaken.compare.tables import Table, tables
from untaken.errors import UsageError
from untaken.interrupts import interruptible
from untaken.report.console import VisibleConsole
from untaken.report.prose import say
from untaken.trials.plan import Plan, TrialId, read_strategies
from untaken.trials.run_missing import Display, Told, run_plan
from untaken.trials.trial import Trial
from untaken.visible_text import visible

DESCRIPTION = (
    "Compares search strategies on a program: runs campaigns with distinct seeds over all cores, then says what each "
    "strategy covered, how fast, and which differences may be chance. What is done already in the output folder is "
    "not done again. Arguments for the program come after --."
)
DEFAULT_OUT = Path("untaken-comparison")
# Of the options of `run`, those that make sense for many campaigns at once.
SHARED = (
    "prune max_path goal iterations time seed inputs saturation inputs_per_search range values printable heuristic "
    "stdin arg file seeds cflags solver timeout memory no_sandbox keep_env quiet"
).split()
# What they mean here, where it is not what `run` says of them.
HELP = {
    "iterations": "each campaign ends after N executions of the program",
    "time": "each campaign ends after S seconds: then the figures depend on the machine",
    "seed": "the seeds of all campaigns follow from this one",
}
INTERRUPTED = 130
WIDTH = 160


def run(arguments: Sequence[str]) -> int:
    """Exit code 0: done, 130: interrupted."""
    plan = parse(arguments)
    plan.check()
    console = make_console(plan.config.quiet)
    config, target = ready(plan.config, console)
    plan = replace(plan, config=config)
    try:
        with interruptible(), ExitStack() as stack:
            trials = run_plan(plan, target, progress(console, stack))
    except KeyboardInterrupt:
        done = sum(plan.place(trial).exists() for trial in plan)
        say(console, Text(f"interrupted: {done} trials are kept in {plan.out}, the same command goes on from there"))
        return INTERRUPTED
    found = compare(trials)
    write_results(plan.out, title(plan), trials, found, target.map)
    for table in tables(found):
        say(console, Text(table.title, style="bold"))
        console.print(shown(table), "")
    say(console, Text(f"Tables, curves and figures are in {plan.out}; see {plan.out / PAGE}."))
    return 0


def make_console(quiet: bool) -> VisibleConsole:
    """Tables in files and pipes are not cut to fit a screen that is not there."""
    console = VisibleConsole(quiet=quiet)
    return console if console.is_terminal else VisibleConsole(quiet=quiet, width=WIDTH)


def title(plan: Plan) -> str:
    names = visible(" ".join(Path(name).name for name in plan.config.targets))
    budgets = []
    if plan.config.iterations is not None:
        budgets.append(f"{plan.config.iterations:,} iterations")
    if plan.config.seconds is not None:
        budgets.append(f"{plan.config.seconds:g} seconds")
    trials = "1 trial" if plan.trials == 1 else f"{plan.trials} trials"
    rules = f", --prune {plan.config.prune}" if plan.config.prune else ""
    bound = f", --max-path {plan.config.max_path}" if plan.config.max_path is not None else ""
    return f"{names}: {trials} of {' or '.join(budgets)} each{rules}{bound}"


# ---- the command line


def parse(arguments: Sequence[str]) -> Plan:
    """The command line as a plan."""
    own, rest = before_dashes(arguments)
    known = vars(make_parser().parse_args(joined_flags(own)))
    strategies, trials, jobs, ray = (known.pop(name) for name in ("strategies", "trials", "jobs", "ray"))
    if known["iterations"] is None and known["time"] is None:
        raise UsageError("a comparison wants --iterations N, or --time S for budgets that depend on the machine")
    return Plan(
        Config(arguments=rest, targets=tuple(known["targets"]), **campaign_settings(known)),
        strategies,
        trials,
        jobs or os.cpu_count() or 1,
        ray,
    )


def make_parser() -> Parser:
    parser = Parser("compare", DESCRIPTION)
    add: Any = parser.add_argument
    add("targets", nargs="+", metavar="TARGET", help="C files, or a program built with untaken cc")
    add(
        "--strategies",
        required=True,
        type=read_strategies,
        metavar="A,B,...",
        help="what to compare, with options as in dfs:depth=12; untaken run --list-strategies shows them",
    )
    add("--trials", type=whole("--trials", 1), default=10, metavar="N", help="campaigns of each (default 10)")
    add("--out", type=Path, default=DEFAULT_OUT, metavar="DIR", help=f"where results go (default {DEFAULT_OUT})")
    add_pool_options(parser)
    add_campaign_options(parser, SHARED, HELP)
    return parser


# ---- the display


def progress(console: VisibleConsole, stack: ExitStack) -> Display:
    """A bar on a terminal; a line for each trial elsewhere."""

    def display(done: int, missing: int) -> Told:
        if done:
            console.print(f"{done} of {done + missing} trials are done already")
        return bar(console, missing, stack) if console.is_terminal else lines(console, missing)

    return display


def bar(console: VisibleConsole, missing: int, stack: ExitStack) -> Told:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    display = stack.enter_context(Progress(*columns, console=console, transient=True))
    task = display.add_task("trials", total=missing)

    def told(trial: TrialId, result: Trial) -> None:
        display.update(task, advance=1, description=f"{trial.strategy}: {len(result.covered)} branches")

    return told


def lines(console: VisibleConsole, missing: int) -> Told:
    begun, done = time.monotonic(), 0

    def told(trial: TrialId, result: Trial) -> None:
        nonlocal done
        done += 1
        console.print(
            f"{time.monotonic() - begun:7.1f} s  {done} of {missing}  {trial.strategy} trial {trial.number}: "
            f"{len(result.covered)} of {result.total} branches, {result.iterations:,} iterations, "
            f"{result.seconds:.1f} s",
            soft_wrap=True,
        )

    return told


def shown(table: Table) -> RichTable:
    """A table of results as the terminal shows it."""
    drawn = RichTable(box=None, pad_edge=False)
    for number, cell in enumerate(table.head):
        drawn.add_column(Text(cell), justify="right" if number else "left", no_wrap=True)
    for row in table.rows:
        drawn.add_row(*map(Text, row))
    return drawn
