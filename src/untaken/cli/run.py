"""`untaken run`: explores a program and writes the tests for the branches that none had taken."""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from untaken.campaign.config import Config
from untaken.campaign.folder.recipe import with_default_input
from untaken.campaign.summary import Explored, Summary
from untaken.campaign.wanted_target import refuse_failing_allocations, wanted_target
from untaken.campaign.watcher import Watcher
from untaken.cli.building import building
from untaken.cli.changed import refuse_changed_since, with_changed_goal
from untaken.cli.gates import Gates, Judgement
from untaken.cli.images import add_image_options, image_options, is_image
from untaken.cli.options import add_campaign_options, campaign_settings
from untaken.cli.parser import Parser
from untaken.cli.report import live_page, page_at_the_end, time_for_page
from untaken.cli.start_up import without_start_up
from untaken.executables.options import ImageOptions
from untaken.report.closing import print_summary
from untaken.report.console import VisibleConsole
from untaken.report.terminal import make_watcher
from untaken.search.registry import strategies
from untaken.team.start import prepare_workers, run_with_workers

DESCRIPTION = (
    "Explores a C program: builds it if C files are named, runs it, flips branches, and keeps a test for every branch "
    "that it is first to take. Arguments for the program come after --."
)


def run(arguments: Sequence[str]) -> int:
    """Exit code 0: done, 1: something was found or --fail-under or --baseline is not met, 130: interrupted."""
    if "--list-strategies" in before_dashes(arguments)[0]:
        print(strategy_list())
        return 0
    config, image = parse_all(arguments)
    config.check()
    config = without_start_up(config)
    # --json leaves standard output to the summary alone.
    console = VisibleConsole(stderr=config.json)
    watcher = make_watcher(console, quiet=config.quiet)
    gates = Gates(config)
    with live_page(config, watcher.note):
        explored = explore_source(config, watcher) if image is None else explore_image(config, image, watcher)
    if explored is None:
        return nothing_changed(config)
    seconds = time_for_page(config.seconds, explored.summary.run_seconds)
    page_at_the_end(config.out, explored.program, seconds, watcher.note)
    judged = gates.judge(explored.summary, explored.program)
    show(config, explored.summary, console, judged)
    return judged.exit_code


def explore_source(config: Config, watcher: Watcher) -> Explored | None:
    """C, or a program that was built with untaken cc; None: nothing of it has changed."""
    prepare_workers(config)
    with building(watcher.note, config.targets):
        target = wanted_target(config)
    gc.freeze()  # modules and the program map stay to the end: not to be looked through for garbage
    config, note = with_default_input(config, target)
    if note is not None:
        watcher.note(note)
    aimed = with_changed_goal(config, target.map, watcher.note)
    return None if aimed is None else Explored(run_with_workers(aimed, target, watcher), target.map)


def explore_image(config: Config, image: ImageOptions, watcher: Watcher) -> Explored:
    """Explores an executable without source."""
    from untaken.executables.exploring import (
        explore,
        without_compilers_own,
    )  # a tenth of what there is to load, and few need it

    refuse_changed_since(config, "executables without source")
    refuse_failing_allocations(config, "executables without source")
    return explore(config, image, watcher, without_compilers_own)


def nothing_changed(config: Config) -> int:
    """A campaign that has no goal is not begun."""
    if config.json:
        print(json.dumps({"ended_by": "nothing_changed", "goal_functions": []}, indent=1))
    return 0


def show(
    config: Config, summary: Summary, console: VisibleConsole, judged: Judgement, more: Mapping[str, Any] | None = None
) -> None:
    """At the end; `more` is for --json only."""
    if config.json:
        json.dump({**summary.as_json(), **(judged.more or {}), **(more or {})}, sys.stdout, indent=1)
        print()
    elif not config.quiet:
        print_summary(console, summary)
        judged.print(console)


def before_dashes(arguments: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """Our own words, and those for the program."""
    words = list(arguments)
    if "--" not in words:
        return words, ()
    place = words.index("--")
    return words[:place], tuple(words[place + 1 :])


def parse(arguments: Sequence[str]) -> Config:
    """The command line as settings of a campaign."""
    return parse_all(arguments)[0]


def parse_all(arguments: Sequence[str]) -> tuple[Config, ImageOptions | None]:
    """The command line as settings; the second ones are for an executable without source."""
    own, rest = before_dashes(arguments)
    known: dict[str, Any] = vars(make_parser().parse_args(joined_flags(own)))
    targets = tuple(known["targets"])
    config = Config(arguments=rest, targets=targets, **campaign_settings(known))
    return config, image_options(targets, known) if is_image(targets, known) else None


def make_parser() -> Parser:
    parser = Parser("run", DESCRIPTION, "TARGET... [OPTIONS] [-- ARGUMENTS]")
    parser.add_argument("targets", nargs="+", metavar="TARGET", help="C files, a program built with untaken cc, or "
        "an executable without source")  # fmt: skip
    parser.add_argument("--list-strategies", action="store_true", help="say which strategies there are, and stop")
    add_campaign_options(parser)
    add_image_options(parser.add_argument_group("executables without source").add_argument)
    return parser


def joined_flags(words: list[str]) -> list[str]:
    """`--cflags -g` as `--cflags=-g`: argparse takes what begins with a dash for an option of its own."""
    if "--cflags" not in words[:-1]:
        return words
    place = words.index("--cflags")
    return [*words[:place], f"--cflags={words[place + 1]}", *words[place + 2 :]]


def strategy_list() -> str:
    """A line each, with options."""
    known = strategies()
    width = max(map(len, known))
    lines = []
    for name, entry in known.items():
        lines.append(f"{name:<{width}}  {entry.summary}")
        chosen = [f"{option.flag}={option.shown_default}" for option in entry.options]
        if chosen:
            lines.append(f"{'':<{width}}  options: {', '.join(chosen)}, as in {name}:{chosen[0]}")
    return "\n".join(lines)
